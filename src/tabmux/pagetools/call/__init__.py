"""Calls of page tools: validation to outcome."""
