"""Tools for browsers, extensions, web apps and sets of tools."""
