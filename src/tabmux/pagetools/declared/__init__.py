"""Tools that a page declares itself."""
