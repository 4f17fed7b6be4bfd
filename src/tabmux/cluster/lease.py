"""Lease: until when this daemon may act for its sessions, by its own clock; pure.

The store ends a lease that is not renewed, and then another daemon may act. A daemon counts from
before it asked for the renewal, so that by its own clock a lease always ends first.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class LeaseTimings:
    """How long leases last, in seconds.

    Attributes:
        renewal: Between two renewals.
        length: Until one ends that is not renewed.
        margin: By how much a daemon stops acting earlier: what it has begun to send needs a while.
        look: Between two looks at the leases of others.
        takeover: For which requests wait until somebody else answers for a session.
        standstill: After which a daemon that does nothing at all is given up.
    """

    renewal: float = 0.75
    length: float = 3.0
    margin: float = 0.25
    look: float = 0.4
    takeover: float = 8.0
    standstill: float = 20.0


def machine_clock() -> float:
    """Return seconds that also pass while the process is stopped or the machine sleeps."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


class DaemonLease:
    """A daemon's lease, as it knows it.

    Args:
        timings: How long it lasts.
        clock: What tells the time.
    """

    def __init__(self, timings: LeaseTimings, clock: Callable[[], float] = machine_clock) -> None:
        self._timings, self._clock = timings, clock
        self._end = float("-inf")

    def now(self) -> float:
        """Return the moment to count a renewal from, before it is asked for."""
        return self._clock()

    def renewed(self, asked: float) -> None:
        """Note that a renewal was granted."""
        self._end = max(self._end, asked + self._timings.length - self._timings.margin)

    def give_up(self) -> None:
        """End it now."""
        self._end = float("-inf")

    @property
    def remaining(self) -> float:
        """How long it lasts; not above 0 when it has ended."""
        return self._end - self._clock()

    @property
    def is_valid(self) -> bool:
        """Whether this daemon may act."""
        return self.remaining > 0


class Outage:
    """The last time that leases may have ended of daemons which are there: nobody could renew.

    Args:
        timings: How long leases last.
        clock: What tells the time.
    """

    def __init__(self, timings: LeaseTimings, clock: Callable[[], float] = machine_clock) -> None:
        self._length, self._clock = timings.length, clock
        self._end = float("-inf")

    def note(self) -> None:
        """Note that the store does not answer, or that this daemon was away."""
        self._end = self._clock()

    @property
    def is_recent(self) -> bool:
        """Whether others may not have had the time to renew since."""
        return self._clock() - self._end < self._length
