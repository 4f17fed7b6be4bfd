"""Flood control: what a page logs too fast waits unread, and the page is slowed."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from tabmux.cdp.channel import Channel

RATE = 8
# A flood has to last this long: what Chrome has not passed on by then delays every other tab.
ONSET_SECONDS = 0.2
# And has to be over for this long.
PATIENCE_SECONDS = 0.5

Step = Callable[[], None]


class FloodThrottle:
    """Holds back the processes of one page.

    Args:
        rate: Tells how much slower the page is to be in any case.
        free: Tells whether the page must not be slowed now, as while it is measured.
        onset: How many seconds a flood has to last.
        patience: How many seconds it has to be over.
    """

    def __init__(
        self,
        rate: Callable[[], float],
        free: Callable[[], bool],
        *,
        onset: float = ONSET_SECONDS,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        self._rate, self._free = rate, free
        self._onset, self._patience = onset, patience
        self._loop = asyncio.get_running_loop()
        self._began = self._last = 0.0
        self._slowed: set[Channel] = set()

    def __bool__(self) -> bool:
        """Whether the page is slowed."""
        return bool(self._slowed)

    def note(self, channel: Channel) -> None:
        """Note one more message of a flood; a process that goes on like that is slowed."""
        now = self._loop.time()
        if now - self._last > self._patience:
            self._began = now
        self._last = now
        if channel in self._slowed or now - self._began < self._onset or self._is_free():
            return
        if not self._slowed:
            self._loop.call_later(self._patience, self._release_if_over)
        self._slowed.add(channel)
        channel.send("Emulation.setCPUThrottlingRate", {"rate": RATE})

    def _release_if_over(self) -> None:
        if self._loop.time() - self._last < self._patience and not self._is_free():
            self._loop.call_later(self._patience, self._release_if_over)
            return
        for channel in self._slowed:
            channel.send("Emulation.setCPUThrottlingRate", {"rate": self._rate()})
        self._slowed.clear()

    def _is_free(self) -> bool:
        return self._free() or self._rate() > 1


class MessageBacklog:
    """What is left unread: the newest steps, in their order, until they are run.

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
