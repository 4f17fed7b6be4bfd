"""Scores the tools that are derived from pages, on material that others made."""
