"""Trace reports: text for an agent, a page and pictures for a person."""
