"""Page metrics: LCP and its parts, CLS, INP, TBT of an insight set, and their ratings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tabmux.analysis.trace.handlers.interactions import Interaction
from tabmux.analysis.trace.handlers.layout_shifts import LayoutShift
from tabmux.analysis.trace.handlers.main_thread import ThreadTask
from tabmux.analysis.trace.handlers.network_requests import TraceRequest
from tabmux.analysis.trace.handlers.paints import LcpCandidate

# One slow interaction in fifty is forgiven, as in the definition of INP.
INTERACTIONS_PER_OUTLIER = 50
LONG_TASK_MS = 50
CLUSTER_GAP_US = 1_000_000
CLUSTER_LENGTH_US = 5_000_000
# Up to the first is good, above the second is poor.
RATING_BOUNDS = {
    "TTFB": (800, 1800),
    "FCP": (1800, 3000),
    "LCP": (2500, 4000),
    "CLS": (0.1, 0.25),
    "INP": (200, 500),
    "TBT": (200, 600),
}


@dataclass(frozen=True, slots=True)
class LcpPart:
    """A stretch of the time to the largest paint; microseconds."""

    name: str
    start: float
    end: float

    @property
    def ms(self) -> float:
        """How long it lasted."""
        return (self.end - self.start) / 1000


@dataclass(frozen=True, slots=True)
class Lcp:
    """The largest contentful paint, and for an image the request that brought it."""

    ts: float
    ms: float
    node: int
    node_name: str
    lazy: bool
    url: str
    request: TraceRequest | None
    parts: tuple[LcpPart, ...]


@dataclass(frozen=True, slots=True)
class ShiftCluster:
    """Layout shifts close enough together to be felt as one."""

    shifts: tuple[LayoutShift, ...]

    @property
    def score(self) -> float:
        """How much moved, all told."""
        return sum(shift.score for shift in self.shifts)


@dataclass(frozen=True, slots=True)
class PageMetrics:
    """Milliseconds since the set's start; None where the trace does not say."""

    ttfb: float | None = None
    fcp: float | None = None
    lcp: Lcp | None = None
    clusters: tuple[ShiftCluster, ...] = ()
    inp: Interaction | None = None
    interactions: int = 0
    tbt: float = 0
    long_tasks: tuple[ThreadTask, ...] = ()
    parsed: float | None = None
    loaded: float | None = None

    @property
    def cls(self) -> float:
        """The score of the worst cluster of layout shifts."""
        return max((cluster.score for cluster in self.clusters), default=0.0)

    @property
    def worst_cluster(self) -> ShiftCluster | None:
        """The cluster that makes the score."""
        return max(self.clusters, key=lambda cluster: cluster.score, default=None)


def lcp_parts(
    start: float, document: TraceRequest, image: TraceRequest | None, end: float
) -> list[LcpPart]:
    """Divide the time to the largest paint among what it was spent on."""
    names = ["TTFB", "load delay", "load duration", "render delay"]
    marks = [start, document.first_byte, end]
    if image is None:
        names = ["TTFB", "render delay"]
    else:
        marks[2:2] = [image.started, image.network_end]
    for i in range(1, len(marks)):
        # A preloaded image may start before the document answers; no part is negative.
        marks[i] = min(max(marks[i - 1], marks[i]), end)
    return [LcpPart(name, marks[i], marks[i + 1]) for i, name in enumerate(names)]


def image_request(
    candidate: LcpCandidate, url: str, requests: Iterable[TraceRequest]
) -> TraceRequest | None:
    """Find the request that brought the largest image."""
    if not candidate.is_image or not url:
        return None
    early = (request for request in requests if request.started < candidate.ts)
    return next((r for r in early if r.url == url or url in r.redirects), None)


def clusters(shifts: Iterable[LayoutShift]) -> list[ShiftCluster]:
    """Group shifts into session windows: gaps under a second, five seconds at most."""
    windows: list[list[LayoutShift]] = []
    for shift in sorted(shifts, key=lambda shift: shift.ts):
        window = windows[-1] if windows else []
        if window and _belongs_to_window(shift, window):
            window.append(shift)
        else:
            windows.append([shift])
    return [ShiftCluster(tuple(window)) for window in windows]


def blocking_ms(tasks: Sequence[ThreadTask], since: float) -> float:
    """Add up what long tasks took beyond 50 ms, from a moment on."""
    kept = (task.end - max(task.start, since) for task in tasks if task.end > since)
    return sum(max(0.0, us / 1000 - LONG_TASK_MS) for us in kept)


def rating(metric: str, value: float) -> str:
    """Rate a value as good, fair or poor."""
    good, poor = RATING_BOUNDS[metric]
    if value <= good:
        return "good"
    return "fair" if value <= poor else "poor"


def _belongs_to_window(shift: LayoutShift, window: list[LayoutShift]) -> bool:
    gap = shift.ts - window[-1].ts
    return gap <= CLUSTER_GAP_US and shift.ts - window[0].ts <= CLUSTER_LENGTH_US


def inp(interactions: Iterable[Interaction]) -> Interaction | None:
    """Pick the interaction that stands for them all."""
    slowest = sorted(interactions, key=lambda interaction: interaction.ms, reverse=True)
    if not slowest:
        return None
    return slowest[min(len(slowest) // INTERACTIONS_PER_OUTLIER, 9, len(slowest) - 1)]
