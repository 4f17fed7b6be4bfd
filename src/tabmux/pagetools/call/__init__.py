"""Calls of page tools: selection, filling, execution, outcome."""
