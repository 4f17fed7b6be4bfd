"""Unseen widgets: tasks on libraries that were looked at once, at the end."""

PAGES: list = []
