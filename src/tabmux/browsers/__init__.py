"""Browsers: the registry, the kinds of browsers, and how they are started and connected."""
