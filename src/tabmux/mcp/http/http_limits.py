"""HTTP limits: how much, how fast and how many sessions clients may ask for."""

from __future__ import annotations

import math
import time
from collections import Counter, OrderedDict
from dataclasses import dataclass, field

from tabmux.mcp.backend import McpSession
from tabmux.mcp.http.http_request import HttpRefusal, HttpTimings

MOST_BUCKETS = 4_096


@dataclass(frozen=True)
class HttpLimits:
    """How much HTTP clients may take up.

    Args:
        body_bytes: The longest body or WebSocket message.
        sessions: How many sessions may be open over HTTP, and how many over WebSockets.
        sessions_each: How many of them one address may hold.
        rate: How many requests a second a session, or an address without one, may make.
        burst: How many it may make at once.
        timings: How long they are waited for.
    """

    body_bytes: int = 4 * 1024 * 1024
    sessions: int = 5_000
    sessions_each: int = 5_000
    rate: float = 2_000.0
    burst: float = 5_000.0
    timings: HttpTimings = field(default_factory=HttpTimings)


class SessionQuota:
    """How many sessions HTTP clients may have open, in all and from one address."""

    def __init__(self, most: int, most_each: int) -> None:
        self._most, self._most_each = most, most_each
        self._open: Counter[str] = Counter()
        self._counted: set[str] = set()

    def __len__(self) -> int:
        return self._open.total()

    def full(self, origin: str) -> str:
        """Say why this address may open no more; nothing if it may."""
        if self._open.total() >= self._most:
            return "Too many sessions are open."
        if self._open[origin] >= self._most_each:
            return "You have too many sessions open."
        return ""

    def count(self, session: McpSession, origin: str) -> None:
        """Count a session until it ends; one with a name may be joined more than once."""
        if session.handle in self._counted:
            return
        self._counted.add(session.handle)
        self._open[origin] += 1
        session.on_closed(lambda: self._released(session.handle, origin))

    def _released(self, handle: str, origin: str) -> None:
        self._counted.discard(handle)
        self._open[origin] -= 1
        if not self._open[origin]:
            del self._open[origin]


@dataclass
class TokenBucket:
    """Fills at a steady rate up to its size; every request takes one out."""

    rate: float
    size: float
    level: float
    filled: float

    def take(self, now: float) -> float:
        """Take one out; returns how many seconds to wait if there is none."""
        self.level = min(self.size, self.level + (now - self.filled) * self.rate)
        self.filled = now
        if self.level >= 1:
            self.level -= 1
            return 0.0
        return (1 - self.level) / self.rate


class RateLimit:
    """The buckets of all clients; those unused for longest are forgotten."""

    def __init__(self, rate: float, burst: float, most_buckets: int = MOST_BUCKETS) -> None:
        self._rate, self._burst, self._most_buckets = rate, burst, most_buckets
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def spend(self, client: str) -> None:
        """Count a request, or refuse it."""
        now = time.monotonic()
        bucket = self._buckets.get(client)
        if bucket is None:
            bucket = self._buckets[client] = TokenBucket(self._rate, self._burst, self._burst, now)
            if len(self._buckets) > self._most_buckets:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(client)
        if wait := bucket.take(now):
            seconds = str(math.ceil(wait))
            raise HttpRefusal(429, "Too many requests; slow down.", [("retry-after", seconds)])
