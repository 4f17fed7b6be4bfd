"""Tools that come from the page itself."""
