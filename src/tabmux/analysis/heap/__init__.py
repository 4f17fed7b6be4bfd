"""Heap snapshots: what is in memory, how much of it, and who keeps it there."""
