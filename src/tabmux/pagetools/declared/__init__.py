"""Declared tools: what a page itself says that it offers."""
