"""How work grows with its size: by the time that the processor spends on it, not by a clock."""

from __future__ import annotations

import time
from collections.abc import Callable

# Four times as much takes four times as long where the work is linear, and sixteen times as
# long where it is quadratic.
LINEAR = 9.0


def growth(work: Callable[[int], object], size: int) -> float:
    """Return how many times longer four times as much takes."""
    return _seconds(work, 4 * size) / _seconds(work, size)


def _seconds(work: Callable[[int], object], size: int) -> float:
    return min(_once(work, size) for _ in range(3))


def _once(work: Callable[[int], object], size: int) -> float:
    began = time.thread_time()
    work(size)
    return time.thread_time() - began
