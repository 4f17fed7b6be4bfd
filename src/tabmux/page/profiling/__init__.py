"""Profiles of a page: traces and heap snapshots."""
