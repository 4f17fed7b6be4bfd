"""Policy: may this URL, file or header pass? Pure decisions, made before anything happens."""
