"""One row of the table, and what came out of it."""

from __future__ import annotations

import math
import statistics
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import Enum

from bench.running_server import RunningServer

Sample = Callable[[RunningServer], Awaitable[float]]
OURS = "tabmux"


class Pace(Enum):
    """How often a row is repeated, as a share of the rounds."""

    QUICK = 1.0
    SLOW = 1 / 3
    ONCE = 0.0


class Against(Enum):
    """What a target is measured by."""

    BETTER_PEER = "ratio to the better peer"
    CDM = "ratio to cdm"
    LIMIT = "the value itself"


@dataclass(frozen=True)
class Row:
    """A measurement.

    Args:
        name: As in the table and after `--rows`.
        sample: Measures one server once.
        target: The most that tabmux's ratio or value should be.
        fresh: Measured before the servers sit down, on processes of its own.
        servers: The servers that can do it at all; empty means every one.
    """

    name: str
    sample: Sample
    target: float | None = None
    unit: str = "ms"
    pace: Pace = Pace.QUICK
    against: Against = Against.BETTER_PEER
    fresh: bool = False
    servers: tuple[str, ...] = ()

    def repetitions(self, rounds: int) -> int:
        """How many samples of each server are taken."""
        return max(1, math.ceil(rounds * self.pace.value))

    def measures(self, server: str) -> bool:
        """Whether the row makes sense for a server."""
        return not self.servers or server in self.servers


@dataclass
class Result:
    """The samples of one row, by server, and what went wrong."""

    row: Row
    samples: dict[str, list[float]] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)

    def median(self, server: str) -> float | None:
        """The server's number; a server that failed once has none."""
        values = self.samples.get(server)
        return statistics.median(values) if values and server not in self.errors else None

    def ratio(self) -> float | None:
        """Our number over the one it is compared with."""
        ours, theirs = self.median(OURS), self._comparison()
        return ours / theirs if ours is not None and theirs else None

    def meets_target(self) -> bool | None:
        """Whether the target was reached, if there is one and it could be measured."""
        limited = self.row.against is Against.LIMIT
        value = self.median(OURS) if limited else self.ratio()
        if self.row.target is None or value is None:
            return None
        return value <= self.row.target

    def _comparison(self) -> float | None:
        medians = {server: self.median(server) for server in self.samples if server != OURS}
        if self.row.against is Against.CDM:
            return medians.get("cdm")
        return min((value for value in medians.values() if value is not None), default=None)
