"""Rate limit: how fast one client may ask, by a token bucket each."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from dataclasses import dataclass

from tabmux.mcp.http.http_request import HttpRefusal

MOST_BUCKETS = 4_096


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

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def spend(self, client: str) -> None:
        """Count a request, or refuse it."""
        now = time.monotonic()
        bucket = self._buckets.get(client)
        if bucket is None:
            bucket = self._buckets[client] = TokenBucket(self._rate, self._burst, self._burst, now)
            if len(self._buckets) > MOST_BUCKETS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(client)
        if wait := bucket.take(now):
            seconds = str(math.ceil(wait))
            raise HttpRefusal(429, "Too many requests; slow down.", [("retry-after", seconds)])
