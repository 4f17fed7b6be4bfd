"""Garbage: what was closed is collected in quiet moments, so that no call waits for it."""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from collections.abc import Callable
from functools import cache

logger = logging.getLogger(__name__)

QUIET_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 60.0
# About this part of the time is spent on it, at most.
SHARE = 0.01
LONGEST_PAUSE_SECONDS = 10.0


@cache
def _trim() -> Callable[[int], int] | None:
    """Return what gives memory that nothing uses back to the system, where it can be asked.

    glibc keeps the pages between two objects that live, and a server that has run for hours
    would hold on to whatever its pages and sessions have needed at their busiest.
    """
    from ctypes import CDLL  # a server needs it only when something is closed

    trim: Callable[[int], int] | None = getattr(CDLL(None), "malloc_trim", None)
    return trim


def collect() -> float:
    """Free what nothing reaches; returns the seconds of the processor that it took."""
    began = time.thread_time()
    found = gc.collect()
    if trim := _trim():
        trim(0)
    seconds = time.thread_time() - began
    logger.debug("Collected %d objects in %.0f ms", found, seconds * 1000)
    return seconds


class GarbageCollector:
    """Collects what closed pages and sessions leave, whose parts refer to each other.

    Python would do so only once a quarter of everything is new, which in a server that has
    been warmed up never comes.

    Args:
        is_quiet: Whether nobody waits for anything now.
        quiet_seconds: How long to wait for more to be closed.
        longest_wait: When it is done even if it is never quiet.
        work: Does it.
    """

    def __init__(
        self,
        is_quiet: Callable[[], bool],
        quiet_seconds: float = QUIET_SECONDS,
        longest_wait: float = LONGEST_WAIT_SECONDS,
        work: Callable[[], float] = collect,
    ) -> None:
        self._is_quiet, self._work = is_quiet, work
        self._quiet_seconds, self._longest_wait = quiet_seconds, longest_wait
        self._closed = asyncio.Event()

    def note_closed(self) -> None:
        """Note that something was closed."""
        self._closed.set()

    async def run(self) -> None:
        """Collect after what was closed, for ever."""
        while True:
            await self._closed.wait()
            await self._quiet_moment()
            self._closed.clear()
            await asyncio.sleep(min(self._work() / SHARE, LONGEST_PAUSE_SECONDS))

    async def _quiet_moment(self) -> None:
        latest = time.monotonic() + self._longest_wait
        while True:
            await asyncio.sleep(self._quiet_seconds)
            if self._is_quiet() or time.monotonic() > latest:
                return
