"""Slows a page that logs without end, so that other tabs are not kept waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tabmux.cdp.channel import Channel

RATE = 8
# A flood has to last this long: what Chrome has not passed on by then delays every other tab.
ONSET_SECONDS = 0.2
# And has to be over for this long.
PATIENCE_SECONDS = 0.5


class FloodThrottle:
    """Holds back the processes of one page.

    Args:
        rate: Tells how much slower the page is to be in any case.
        free: Tells whether the page must not be slowed now, as while it is measured.
    """

    def __init__(self, rate: Callable[[], float], free: Callable[[], bool]) -> None:
        self._rate, self._free = rate, free
        self._loop = asyncio.get_running_loop()
        self._began = self._last = 0.0
        self._slowed: set[Channel] = set()

    def __bool__(self) -> bool:
        """Whether the page is slowed."""
        return bool(self._slowed)

    def press(self, channel: Channel) -> None:
        """Note one more message of a flood; a process that goes on like that is slowed."""
        now = self._loop.time()
        if now - self._last > PATIENCE_SECONDS:
            self._began = now
        self._last = now
        if channel in self._slowed or now - self._began < ONSET_SECONDS or self._is_free():
            return
        if not self._slowed:
            self._loop.call_later(PATIENCE_SECONDS, self._look)
        self._slowed.add(channel)
        channel.send("Emulation.setCPUThrottlingRate", {"rate": RATE})

    def _look(self) -> None:
        if self._loop.time() - self._last < PATIENCE_SECONDS and not self._is_free():
            self._loop.call_later(PATIENCE_SECONDS, self._look)
            return
        for channel in self._slowed:
            channel.send("Emulation.setCPUThrottlingRate", {"rate": self._rate()})
        self._slowed.clear()

    def _is_free(self) -> bool:
        return self._free() or self._rate() > 1
