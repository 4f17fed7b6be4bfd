"""Tools for pages: open, navigate, act, wait."""
