"""Tally: what was counted, and the misses that are worth a look."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Miss:
    """Something that was not as it should be.

    Attributes:
        row: Which of the measured things.
        page: Where.
        what: What was said, and what was true.
    """

    row: str
    page: str
    what: str

    def __str__(self) -> str:
        return f"{self.row}: {self.page}: {self.what}"


@dataclass
class Tally:
    """Counts by name, of one kind of pages, and the misses behind them."""

    counts: Counter[str] = field(default_factory=Counter)
    misses: list[Miss] = field(default_factory=list)

    def count(self, name: str, number: int = 1) -> None:
        """Count something."""
        self.counts[name] += number

    def miss(self, row: str, page: str, what: str) -> None:
        """Count a miss and keep it."""
        self.counts[row] += 1
        self.tell(row, page, what)

    def tell(self, row: str, page: str, what: str) -> None:
        """Keep a miss that is counted already."""
        self.misses.append(Miss(row, page, what[:400]))

    def add(self, other: Tally) -> None:
        """Take in what another one counted."""
        self.counts.update(other.counts)
        self.misses += other.misses

    def json(self, details: bool) -> dict[str, Any]:
        """All counts, and the misses if they may be seen."""
        counts = dict(sorted(self.counts.items()))
        return counts | ({"misses": [str(miss) for miss in self.misses]} if details else {})
