"""RenderBlocking: which requests the first paint had to wait for."""

from __future__ import annotations

from tabmux.analysis.insights.insight import Insight, Savings, milliseconds, size
from tabmux.analysis.trace.handlers.network_requests import TraceRequest
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.content import count
from tabmux.page_text import address

NAME = "RenderBlocking"


def analyse(part: InsightSet) -> Insight:
    """List the blocking requests, longest first."""
    paint = part.first_paint
    if paint is None:
        return Insight(NAME, "no first paint was recorded")
    found = sorted(blocking(part, paint), key=lambda request: -request.ms)
    if not found:
        return Insight(NAME, "no request held up the first paint")
    until = max(request.network_end for request in found)
    since = part.document.network_end if part.document else part.start
    held, came = milliseconds(part.at(until)), milliseconds(part.at(paint))
    return Insight(
        NAME,
        f"{count(len(found), 'request')} held up the first paint until {held} (it came at {came})",
        noteworthy=True,
        details=tuple(_line(part, request) for request in found),
        savings=Savings(ms=max(0.0, until - since) / 1000),
        resources=tuple(request.url for request in found),
    )


def blocking(part: InsightSet, paint: float) -> list[TraceRequest]:
    """Select the requests that really blocked the page's first paint."""
    frame = part.document.frame if part.document else None
    return [
        request
        for request in part.requests
        if request.blocks
        and request.network_end <= paint
        and frame in (None, request.frame)
        and _blocks_rendering(request)
    ]


def _blocks_rendering(request: TraceRequest) -> bool:
    # In the body it blocks the parser; only what Chrome hurries also blocks the paint.
    if request.blocking != "in_body_parser_blocking":
        return True
    return request.priority == "VeryHigh" or (request.priority == "High" and _is_script(request))


def _is_script(request: TraceRequest) -> bool:
    return request.kind == "Script"


def _line(part: InsightSet, request: TraceRequest) -> str:
    end = milliseconds(part.at(request.network_end))
    took, weight = milliseconds(request.ms), size(request.encoded)
    return f"{took} until {end}, {weight}: {address(request.url)}"
