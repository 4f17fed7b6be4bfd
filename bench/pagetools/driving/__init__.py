"""Driving: does tasks in pages through the tools that are offered, and counts what it costs."""
