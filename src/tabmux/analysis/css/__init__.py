"""CSS cascade: which declaration wins for an element, and where each is written."""
