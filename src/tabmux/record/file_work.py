"""File work: pieces of work with files, done at once while the disk is quick, else in a thread.

A process that is killed keeps what it has written, and loses what waits. So what is quick is done
where it comes up; a disk that has kept the server waiting gets a thread of its own for a while.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue

MOST_WAITING = 10_000
# A line takes some forty microseconds, and a hundred milliseconds where the machine has no time for
# us; who waits longer than this waits for a disk, and has kept everybody waiting.
SLOW_SECONDS = 0.5
SLOW_FOR_SECONDS = 60.0
CLOSE_SECONDS = 5.0

Work = Callable[[], object]


class FileWork:
    """Does work in the order in which it comes up.

    Args:
        do: Does a piece of work; what goes wrong with it stays there.
    """

    def __init__(self, do: Callable[[Work], None]) -> None:
        self._do = do
        self._queue: SimpleQueue[tuple[Work, bool] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        # Each is counted by one thread alone.
        self._given = self._done = 0
        self._slow_until = 0.0

    @property
    def waiting(self) -> int:
        """How many pieces of work are not done yet."""
        return self._given - self._done

    def at_once(self, work: Work) -> bool:
        """Do what is quick, now if nothing is before it; tells whether there is room for it."""
        began = time.monotonic()
        if self.waiting or began < self._slow_until:
            return self.later(work)
        self._do(work)
        if (ended := time.monotonic()) - began > SLOW_SECONDS:
            self._slow_until = ended + SLOW_FOR_SECONDS
        return True

    def later(self, work: Work) -> bool:
        """Do work in the thread, and what comes after it as well; tells whether there is room."""
        if self.waiting >= MOST_WAITING:
            return False
        self._given += 1
        self._put(work, in_order=True)
        return True

    def aside(self, work: Work) -> None:
        """Do in the thread what may take a while, and for which nothing else has to wait."""
        self._put(work, in_order=False)

    async def end(self) -> None:
        """Do what waits, within a limit."""
        if self._thread is not None:
            self._queue.put(None)
            await asyncio.to_thread(self._thread.join, CLOSE_SECONDS)

    def _put(self, work: Work, *, in_order: bool) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="record", daemon=True)
            self._thread.start()
        self._queue.put((work, in_order))

    def _run(self) -> None:
        while (found := self._queue.get()) is not None:
            work, in_order = found
            self._do(work)
            self._done += in_order
