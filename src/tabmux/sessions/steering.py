"""Steering: what a person decides about a session that works: to pause it, stop it, tell it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tabmux.concurrency import Signal
from tabmux.content import Reply

# Longer than any call; whoever waits has a deadline of its own.
_LONG = 24 * 3600.0
# What nobody has asked for is not kept without end.
MOST_NOTES = 20


@dataclass
class StoppableCall:
    """A call that a person can end."""

    limit: asyncio.Timeout
    is_stopped: bool = False

    def stop(self) -> None:
        """End the call now."""
        self.is_stopped = True
        # A limit that has passed already cannot be moved.
        if not self.limit.expired():
            self.limit.reschedule(asyncio.get_running_loop().time())


class Steering:
    """What people have decided about one session.

    Args:
        changed: Is told when the session was paused or goes on.

    Attributes:
        is_paused: Whether calls wait until a person lets the session go on.
        notes: What the agent's next reply tells it, marked where a page wrote it.
    """

    def __init__(self, changed: Callable[[], None] = lambda: None) -> None:
        self.is_paused = False
        self._changed = changed
        self.notes: list[str] = []
        self._resumed = Signal()
        self._running: list[StoppableCall] = []

    def pause(self) -> None:
        """Let calls wait from now on; those that have begun go on."""
        self.is_paused = True
        self._changed()

    def resume(self) -> None:
        """Let the session go on."""
        self.is_paused = False
        self._resumed.notify()
        self._changed()

    async def until_resumed(self) -> None:
        """Wait while the session is paused."""
        while self.is_paused:
            await self._resumed.wait(_LONG)

    def stop(self) -> int:
        """End all calls now, those that wait as well; returns how many."""
        stopped = list(self._running)
        for call in stopped:
            call.stop()
        return len(stopped)

    @contextmanager
    def running(self, limit: asyncio.Timeout) -> Iterator[StoppableCall]:
        """Let a call be stopped for the length of the block."""
        call = StoppableCall(limit)
        self._running.append(call)
        try:
            yield call
        finally:
            self._running.remove(call)

    def tell(self, note: str) -> None:
        """Have the agent's next reply say something."""
        self.notes = [*self.notes, note][-MOST_NOTES:]

    def add_notes(self, reply: Reply) -> None:
        """Let a reply say what the agent is to know."""
        notes, self.notes = self.notes, []
        reply.add("\n".join(notes))
