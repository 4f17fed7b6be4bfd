"""Session usage: who uses a session and how much, which decides when it has expired."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from tabmux.concurrency import Signal
from tabmux.errors import Busy, Misuse
from tabmux.sessions.steering import Steering

MAX_CALLS = 64


class SessionUsage:
    """The connections and calls of a session.

    Attributes:
        connections: How many connections are attached.
        calls: How many of its calls are under way or queued.
        was_left: Whether its client had a connection of its own and has ended it.
        last_call: The tool that was called last.
        made: How many calls it has made, steps of batches included.
        steering: What a person has decided about its calls.
        asked: Until when its requests to people are open, by their ids.
    """

    def __init__(self) -> None:
        self.connections = self.calls = 0
        self.opened = self.last_used = time.monotonic()
        self.was_left = self.is_closing = False
        self._client: str | None = None
        self.last_call = ""
        self.made = 0
        self._idle = Signal()
        self.steering = Steering(self.record)
        self.asked: dict[str, float] = {}

    def attach(self) -> None:
        """Count a connection; a session that has one does not expire."""
        self.connections += 1
        self.was_left = False

    def leave(self, *, hung_up: bool = False) -> None:
        """Count a connection out; the idle clock starts when the last one has left.

        Args:
            hung_up: Whether the connection was the client's own, and not one of many requests.
        """
        self.connections -= 1
        self.was_left = hung_up and not self.connections
        self.touch()

    @contextmanager
    def calling(self) -> Iterator[None]:
        """Count a call; too many at once are refused rather than queued without end."""
        if self.is_closing:
            raise Misuse("The session has been closed.", code="no_such_session")
        if self.calls >= MAX_CALLS:
            raise Busy(
                f"{self.calls} calls of this session are still under way.",
                hint="Wait for some of them to end.",
            )
        self.calls += 1
        try:
            yield
        finally:
            self.calls -= 1
            self.touch()
            self._idle.notify()

    async def until_idle(self, seconds: float) -> None:
        """Let the calls under way come to an end, for so long, and begin no others."""
        self.is_closing = True
        await self.until_quiet(seconds)

    async def until_quiet(self, seconds: float) -> None:
        """Wait until no call is under way, for so long."""
        await self._idle.until(lambda: not self.calls, seconds)

    @property
    def client(self) -> str:
        """Who uses it, in the client's own words."""
        return self._client or ""

    @client.setter
    def client(self, name: str) -> None:
        if name != self._client:
            self._client = name
            self.client_joined(name)

    def client_joined(self, name: str) -> None:
        """Another client uses the session from now on."""

    def record(self) -> None:
        """Have it written down, if it is another one than before."""

    def touch(self) -> None:
        """Start the idle clock anew."""
        self.last_used = time.monotonic()

    @property
    def is_held(self) -> bool:
        """Whether a person has one of its pages."""
        return False

    def idle_seconds(self) -> float:
        """Return how long nobody has used the session; 0 while somebody may be at it."""
        now = time.monotonic()
        if self.connections or self.calls or self.is_held:
            return 0.0
        if any(until > now for until in self.asked.values()):
            return 0.0
        return now - self.last_used
