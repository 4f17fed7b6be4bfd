"""The CSS cascade of one element: which declaration wins, and where each one is written."""
