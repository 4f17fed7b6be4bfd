"""Insight sets: a trace divided at its navigations."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TypeVar

from tabmux.analysis.trace.call_frames import CallFrameTable, CallSpans
from tabmux.analysis.trace.handlers.cpu_profile import CpuProfile
from tabmux.analysis.trace.handlers.documents_and_scripts import (
    DocumentMark,
    DomSize,
    FontLoad,
    SelectorStats,
    TraceScript,
)
from tabmux.analysis.trace.handlers.layout_shifts import Invalidation, TraceAnimation
from tabmux.analysis.trace.handlers.main_thread import LayoutUpdate, ThreadTask
from tabmux.analysis.trace.handlers.network_requests import Preconnect, TraceRequest
from tabmux.analysis.trace.handlers.page_frames import ChildFrame, TraceNavigation, TraceThread
from tabmux.analysis.trace.handlers.paints import PaintedImage
from tabmux.analysis.trace.page_metrics import (
    LONG_TASK_MS,
    Lcp,
    PageMetrics,
    blocking_ms,
    clusters,
    image_request,
    inp,
    lcp_parts,
)
from tabmux.analysis.trace.trace_reader import TraceData

NO_NAVIGATION = "NO_NAVIGATION"
T = TypeVar("T")
# A quiet moment before the page sets off tells nothing.
SHORTEST_LEADING_SET_US = 5_000_000


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
        not_mobile_friendly: Whether Chrome drew a frame that it holds unfit for mobile devices.
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
    invalidations: Sequence[Invalidation] = ()
    animations: Sequence[TraceAnimation] = ()
    prepaints: Sequence[float] = ()
    child_frames: Sequence[ChildFrame] = ()
    fonts: Sequence[FontLoad] = ()
    layouts: Sequence[LayoutUpdate] = ()
    calls: CallSpans = field(default_factory=lambda: CallSpans(CallFrameTable()))
    profile: CpuProfile | None = None
    scripts: Sequence[TraceScript] = ()
    source_maps: Mapping[str, str] = field(default_factory=dict)
    dom_sizes: Sequence[DomSize] = ()
    charset: str = ""
    viewport: DocumentMark | None = None
    not_mobile_friendly: bool = False
    selectors: Sequence[SelectorStats] = ()

    def holds(self, ts: float) -> bool:
        """Tell whether a moment lies in the set."""
        return self.start <= ts <= self.end

    def at(self, ts: float) -> float:
        """Say a time as milliseconds since the set began."""
        return (ts - self.start) / 1000


class InsightSetBuilder:
    """Cuts a recording at its navigations."""

    def __init__(self, data: TraceData, source_maps: Mapping[str, str]) -> None:
        self._data = data
        self._source_maps = source_maps
        self._requests = [
            request for request in data.network.requests() if data.frames.holds(request.frame)
        ]
        self._by_id = {request.id: request for request in self._requests}
        self._interactions = data.interactions.interactions()
        self._images = data.paints.images()
        self._invalidations = data.shifts.invalidations()
        self._scripts = data.scripts.scripts()
        # Threads are shared by sets, and their columns are sorted once.
        self._calls = cache(data.threads.calls)
        self._layouts = cache(data.threads.layouts)
        self._profile = cache(data.profiles.profile)

    def sets(self) -> list[InsightSet]:
        """Make the insight sets, oldest first."""
        navigations = self._data.frames.navigations()
        bounds = [navigation.start for navigation in navigations] + [self._data.end + 1]
        leading = self._make_set(NO_NAVIGATION, self._data.start, bounds[0], None)
        parts = [
            self._make_set(f"NAVIGATION_{i}", navigation.start, bounds[i + 1], navigation)
            for i, navigation in enumerate(navigations)
        ]
        return [leading, *parts] if not parts or _is_worth_reporting(leading) else parts

    def _make_set(
        self, name: str, start: float, end: float, nav: TraceNavigation | None
    ) -> InsightSet:
        data = self._data
        thread = nav.thread if nav else data.frames.renderer()
        requests = _within(self._requests, start, end, lambda request: request.started)
        document = self._by_id.get(nav.id) if nav else None
        part = InsightSet(
            id=name,
            url=document.url if document else nav.url if nav else data.frames.url,
            start=start,
            end=end - 1,
            document=document,
            requests=requests,
            first_paint=data.paints.first.get(nav.id) if nav else None,
            source_maps=self._source_maps,
        )
        part = self._with_page(part, nav)
        part = self._with_thread(part, thread)
        return replace(part, metrics=self._metrics(part, nav, thread))

    def _with_page(self, part: InsightSet, nav: TraceNavigation | None) -> InsightSet:
        data, documents = self._data, self._data.documents
        main = {nav.frame} if nav else data.frames.main
        charsets = self._marks(part, documents.charsets, main)
        viewports = self._marks(part, documents.viewports, main)
        return replace(
            part,
            preconnects=[
                preconnect for preconnect in data.network.preconnects if part.holds(preconnect.ts)
            ],
            dom_sizes=[
                size for size in documents.sizes if part.holds(size.ts) and size.frame in main
            ],
            charset=charsets[-1].value if charsets else "",
            viewport=viewports[-1] if viewports else None,
            not_mobile_friendly=bool(self._marks(part, documents.not_mobile_friendly, main)),
            fonts=[
                replace(font, name=documents.font_names.get(font.url, ""))
                for font in documents.fonts
                if part.holds(font.ts)
            ],
            child_frames=[child for child in data.frames.children if part.holds(child.committed)],
        )

    def _with_thread(self, part: InsightSet, thread: TraceThread) -> InsightSet:
        shifts, paints = self._data.shifts, self._data.paints
        start, end, pid = part.start, part.end + 1, thread.pid
        invalidations = _within(
            self._invalidations, start, end, lambda invalidation: invalidation.ts
        )
        images = _within(self._images, start, end, lambda image: image.ts)
        selectors = self._data.documents.selectors
        return replace(
            part,
            images=[image for image in images if image.pid == pid],
            unsized=frozenset(node for owner, node in paints.unsized if owner == pid),
            invalidations=[
                invalidation for invalidation in invalidations if invalidation.pid == pid
            ],
            animations=[
                animation
                for animation in shifts.animations()
                if animation.pid == pid and part.holds(animation.start)
            ],
            prepaints=sorted(filter(part.holds, shifts.prepaints.get(pid, ()))),
            layouts=_within(self._layouts(thread), start, end, lambda layout: layout.start),
            calls=self._calls(thread),
            profile=self._profile(thread),
            scripts=[script for script in self._scripts if script.pid == pid],
            selectors=[
                selector
                for (owner, _, _), selector in selectors.items()
                if owner == pid and part.holds(selector.first)
            ],
        )

    def _metrics(
        self, part: InsightSet, nav: TraceNavigation | None, thread: TraceThread
    ) -> PageMetrics:
        data, documents = self._data, self._data.documents
        main = {nav.frame} if nav else data.frames.main
        fcp = data.paints.contentful.get(nav.id) if nav else None
        tasks = self._long_tasks(part, thread)
        interactions = _within(self._interactions, part.start, part.end + 1, lambda i: i.start)
        ours = [i for i in interactions if data.frames.holds(i.frame)]
        return PageMetrics(
            ttfb=part.at(part.document.first_byte) if part.document else None,
            fcp=part.at(fcp) if fcp else None,
            lcp=self._lcp(part, nav) if nav else None,
            clusters=tuple(
                clusters(
                    shift
                    for shift in data.shifts.shifts
                    if part.holds(shift.ts)
                    and not shift.after_input
                    and data.frames.holds(shift.frame)
                )
            ),
            inp=inp(ours),
            interactions=len(ours),
            tbt=blocking_ms(tasks, fcp or part.start),
            long_tasks=tuple(tasks),
            parsed=self._first_mark(part, documents.parsed, main),
            loaded=self._first_mark(part, documents.loaded, main),
        )

    def _lcp(self, part: InsightSet, nav: TraceNavigation) -> Lcp | None:
        candidate = self._data.paints.largest.get(nav.id)
        if candidate is None:
            return None
        url = self._data.paints.image_urls.get((nav.thread.pid, candidate.node), "")
        request = image_request(candidate, url, part.requests)
        document: TraceRequest | None = part.document
        return Lcp(
            ts=candidate.ts,
            ms=part.at(candidate.ts),
            node=candidate.node,
            node_name=candidate.node_name,
            lazy=candidate.lazy,
            url=url if candidate.is_image else "",
            request=request,
            parts=tuple(lcp_parts(part.start, document, request, candidate.ts)) if document else (),
        )

    def _long_tasks(self, part: InsightSet, thread: TraceThread) -> list[ThreadTask]:
        tasks = self._data.threads.tasks(thread, self._data.end)
        inside = (
            ThreadTask(max(task.start, part.start), min(task.end, part.end))
            for task in tasks
            if task.end > part.start and task.start < part.end
        )
        return [task for task in inside if task.ms > LONG_TASK_MS]

    def _marks(
        self, part: InsightSet, marks: Iterable[DocumentMark], frames: set[str]
    ) -> list[DocumentMark]:
        found = (m for m in marks if m.frame in frames and part.holds(m.ts))
        return sorted(found, key=lambda mark: mark.ts)

    def _first_mark(
        self, part: InsightSet, marks: Iterable[DocumentMark], frames: set[str]
    ) -> float | None:
        found = self._marks(part, marks, frames)
        return part.at(found[0].ts) if found else None


def _within(items: Sequence[T], start: float, end: float, key: Callable[[T], float]) -> list[T]:
    return list(items[bisect_left(items, start, key=key) : bisect_left(items, end, key=key)])


def _is_worth_reporting(leading: InsightSet) -> bool:
    happened = leading.metrics.clusters or leading.metrics.interactions
    return bool(happened) or leading.end - leading.start >= SHORTEST_LEADING_SET_US
