"""Pages: one object per tab, and everything that can be done with it."""
