"""Heap graph: objects and references as arrays, and the algorithms over them."""
