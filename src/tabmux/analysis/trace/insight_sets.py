"""An insight set: the part of a trace that belongs to one navigation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tabmux.analysis.trace.handlers.cpu_profile import CpuProfile
from tabmux.analysis.trace.handlers.document_facts import (
    DocumentMark,
    DomSize,
    FontLoad,
    SelectorStats,
)
from tabmux.analysis.trace.handlers.layout_shifts import Invalidation, TraceAnimation
from tabmux.analysis.trace.handlers.main_thread import LayoutUpdate
from tabmux.analysis.trace.handlers.network_requests import Preconnect
from tabmux.analysis.trace.handlers.page_frames import ChildFrame
from tabmux.analysis.trace.handlers.paints import PaintedImage
from tabmux.analysis.trace.handlers.script_sources import TraceScript
from tabmux.analysis.trace.page_metrics import PageMetrics
from tabmux.analysis.trace.request import TraceRequest
from tabmux.analysis.trace.spans import CallFrameTable, CallSpans

NO_NAVIGATION = "NO_NAVIGATION"


def _no_calls() -> CallSpans:
    return CallSpans(CallFrameTable())


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
    metrics: PageMetrics = field(default_factory=PageMetrics)
    document: TraceRequest | None = None
    first_paint: float | None = None
    requests: Sequence[TraceRequest] = ()
    preconnects: Sequence[Preconnect] = ()
    images: Sequence[PaintedImage] = ()
    unsized: frozenset[int] = frozenset()
    changes: Sequence[Invalidation] = ()
    animations: Sequence[TraceAnimation] = ()
    prepaints: Sequence[float] = ()
    child_frames: Sequence[ChildFrame] = ()
    fonts: Sequence[FontLoad] = ()
    layouts: Sequence[LayoutUpdate] = ()
    calls: CallSpans = field(default_factory=_no_calls)
    profile: CpuProfile | None = None
    scripts: Sequence[TraceScript] = ()
    source_maps: Mapping[str, str] = field(default_factory=dict)
    dom_sizes: Sequence[DomSize] = ()
    charset: str = ""
    viewport: DocumentMark | None = None
    unfit: bool = False
    selectors: Sequence[SelectorStats] = ()

    def holds(self, ts: float) -> bool:
        """Tell whether a moment lies in the set."""
        return self.start <= ts <= self.end

    def at(self, ts: float) -> float:
        """Say a time as milliseconds since the set began."""
        return (ts - self.start) / 1000
