"""What can go wrong in a measurement."""

from __future__ import annotations


class BenchError(Exception):
    """A measurement that could not be made; its text goes into the report."""
