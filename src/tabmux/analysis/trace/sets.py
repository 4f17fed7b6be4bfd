"""An insight set: the part of a trace that belongs to one navigation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tabmux.analysis.trace.document import DomSize, Font, Mark, Selector
from tabmux.analysis.trace.frames import ChildFrame
from tabmux.analysis.trace.mainthread import Layout
from tabmux.analysis.trace.metrics import Metrics
from tabmux.analysis.trace.network import Preconnect
from tabmux.analysis.trace.paints import PaintedImage
from tabmux.analysis.trace.profile import Profile
from tabmux.analysis.trace.request import Request
from tabmux.analysis.trace.scripts import Script
from tabmux.analysis.trace.shifts import Animation, Change
from tabmux.analysis.trace.spans import Places, Spans

NO_NAVIGATION = "NO_NAVIGATION"


def _no_calls() -> Spans:
    return Spans(Places())


@dataclass(frozen=True)
class InsightSet:
    """What happened between one navigation and the next, ready for the insights.

    Times are microseconds of the trace's clock; `at` turns one into milliseconds
    since the set began. The lists are ordered by time.

    Attributes:
        id: NAVIGATION_0, NAVIGATION_1, … or NO_NAVIGATION.
        document: The request for the main document, if it was recorded.
        first_paint: When the page first painted anything.
        unsized: Nodes of images without dimensions of their own.
        prepaints: When each frame had been laid out and was about to be painted.
        calls: Calls into scripts on the page's main thread.
        charset: What Chrome found when it looked for a charset in the document's head.
        viewport: The page's viewport declaration, if it has one.
        unfit: Whether a frame was drawn that Chrome does not hold fit for mobile devices.
        source_maps: Source maps by the URL of their script.
    """

    id: str
    url: str = ""
    start: float = 0
    end: float = 0
    metrics: Metrics = field(default_factory=Metrics)
    document: Request | None = None
    first_paint: float | None = None
    requests: Sequence[Request] = ()
    preconnects: Sequence[Preconnect] = ()
    images: Sequence[PaintedImage] = ()
    unsized: frozenset[int] = frozenset()
    changes: Sequence[Change] = ()
    animations: Sequence[Animation] = ()
    prepaints: Sequence[float] = ()
    child_frames: Sequence[ChildFrame] = ()
    fonts: Sequence[Font] = ()
    layouts: Sequence[Layout] = ()
    calls: Spans = field(default_factory=_no_calls)
    profile: Profile | None = None
    scripts: Sequence[Script] = ()
    source_maps: Mapping[str, str] = field(default_factory=dict)
    dom_sizes: Sequence[DomSize] = ()
    charset: str = ""
    viewport: Mark | None = None
    unfit: bool = False
    selectors: Sequence[Selector] = ()

    def holds(self, ts: float) -> bool:
        """Tell whether a moment lies in the set."""
        return self.start <= ts <= self.end

    def at(self, ts: float) -> float:
        """Say a time as milliseconds since the set began."""
        return (ts - self.start) / 1000
