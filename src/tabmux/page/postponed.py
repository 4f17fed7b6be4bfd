"""Work that nobody waits for yet."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

Step = Callable[[], None]


class Postponed:
    """Keeps the newest steps in their order until they are run.

    Args:
        limit: How many are kept.
        budget: How many bytes those that are kept may hold together.

    Attributes:
        lost: How many were thrown away since somebody set it to zero.
    """

    def __init__(self, limit: int, budget: int) -> None:
        self._limit, self._budget = limit, budget
        self._steps: deque[tuple[Step, int]] = deque()
        self._weight = 0
        self.lost = 0

    def __len__(self) -> int:
        return len(self._steps)

    def add(self, step: Step, weight: int) -> None:
        """Keep a step, and throw away the oldest ones that it leaves no room for."""
        self._steps.append((step, weight))
        self._weight += weight
        while len(self._steps) > self._limit or (self._weight > self._budget and len(self) > 1):
            self._weight -= self._steps.popleft()[1]
            self.lost += 1

    def run(self, count: int) -> None:
        """Run some of the steps, the oldest first."""
        for _ in range(min(count, len(self._steps))):
            step, weight = self._steps.popleft()
            self._weight -= weight
            step()
