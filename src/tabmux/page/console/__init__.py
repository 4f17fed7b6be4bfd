"""The console of a page: messages, issues, source maps."""
