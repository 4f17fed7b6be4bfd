"""Numbering: where numbers come from that are given only once."""

from __future__ import annotations


class Numbering:
    """Counts upwards.

    Args:
        first: The first number.
    """

    def __init__(self, first: int) -> None:
        self._next = first

    def __next__(self) -> int:
        number, self._next = self._next, self._next + 1
        return number

    def pass_over(self, used: int) -> None:
        """Give no number any more up to one that was used before."""
        self._next = max(self._next, used + 1)
