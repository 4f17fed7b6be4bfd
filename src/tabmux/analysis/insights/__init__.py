"""Insights: what a trace shows to be wrong with a page, one module each."""
