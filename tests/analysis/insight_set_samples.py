"""Insight sets made by hand, for insights to look at; times are milliseconds after the start."""

from __future__ import annotations

from typing import Any

from tabmux.analysis.trace.call_frames import CallFrame, CallFrameTable, CallSpans
from tabmux.analysis.trace.handlers.main_thread import LayoutUpdate, ThreadTask
from tabmux.analysis.trace.handlers.network_requests import TraceRequest
from tabmux.analysis.trace.handlers.paints import PaintedImage
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.analysis.trace.page_metrics import PageMetrics

PAGE = "https://shop.test/"


def request(url: str = PAGE, start: float = 0, end: float = 100, **more: Any) -> TraceRequest:
    url = url if ":" in url else PAGE + url
    times: dict[str, Any] = {
        "started": start * 1000,
        "ended": end * 1000,
        "network_end": end * 1000,
        "sent": start * 1000,
    }
    told = {"id": url, "url": url, "frame": "MAIN", "status": 200, "encoded": 1000, "decoded": 900}
    return TraceRequest(**{**times, **told, **more})


def document(**more: Any) -> TraceRequest:
    return request(
        PAGE, 0, 50, **({"kind": "Document", "first_byte": 30_000, "mime": "text/html"} | more)
    )


def part(*requests: TraceRequest, metrics: PageMetrics | None = None, **more: Any) -> InsightSet:
    return InsightSet(
        "NAVIGATION_0",
        PAGE,
        end=10_000_000,
        requests=requests,
        metrics=metrics or PageMetrics(),
        **more,
    )


def loaded(*requests: TraceRequest, **more: Any) -> InsightSet:
    """Make a set whose document was recorded."""
    main = more.pop("document", document())
    return part(main, *requests, document=main, **more)


def image(
    name: str, shown: tuple[float, float], file: tuple[float, float], **more: Any
) -> PaintedImage:
    told: dict[str, Any] = {
        "ts": 0,
        "pid": 7,
        "node": 5,
        "node_name": "IMG",
        "url": PAGE + name,
    }
    sizes = {"width": shown[0], "height": shown[1], "file_width": file[0], "file_height": file[1]}
    return PaintedImage(**(told | sizes | {"is_background": False, "has_choices": False} | more))


def layout(
    start: float, ms: float, by: CallFrame | None = None, *, style: bool = False, changed: int = 1
) -> LayoutUpdate:
    return LayoutUpdate(start * 1000, ms, style, changed, changed, by)


def task(start: float, ms: float) -> ThreadTask:
    return ThreadTask(start * 1000, (start + ms) * 1000)


def calls(*spans: tuple[float, float, CallFrame]) -> CallSpans:
    found = CallSpans(CallFrameTable())
    for start, ms, call_frame in spans:
        found.add(start * 1000, (start + ms) * 1000, call_frame)
    found.sort()
    return found
