"""Real applications: how each is installed, filled and started, and what is asked of it."""
