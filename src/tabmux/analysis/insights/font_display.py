"""FontDisplay: text that stayed invisible while its font loaded."""

from __future__ import annotations

from tabmux.analysis.insights.insight import Insight, Savings, milliseconds
from tabmux.analysis.trace.call_frames import short_url
from tabmux.analysis.trace.handlers.documents_and_scripts import FontLoad
from tabmux.analysis.trace.handlers.network_requests import TraceRequest
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.content import count
from tabmux.page_text import address

NAME = "FontDisplay"
HIDING = frozenset(("auto", "block", "fallback"))
# Chrome shows a fallback font after three seconds at the latest.
LONGEST_MS = 3000
STEP_MS = 5


def analyse(part: InsightSet) -> Insight:
    """List the fonts that hid text, longest first."""
    requests = {request.id: request for request in part.requests}
    found = [
        (hidden_ms(requests[font.request]), font)
        for font in part.fonts
        if font.display in HIDING and font.request in requests
    ]
    found = sorted((item for item in found if item[0]), key=lambda item: -item[0])
    if not found:
        return Insight(NAME, "no font kept text invisible")
    return Insight(
        NAME,
        f"{count(len(found), 'font')} hid text for up to {milliseconds(found[0][0])}; "
        "font-display: swap or optional would show it",
        noteworthy=True,
        details=tuple(_line(ms, font) for ms, font in found),
        savings=Savings(ms=found[0][0]),
        resources=tuple(font.url for _, font in found),
    )


def hidden_ms(request: TraceRequest) -> float:
    """Say how long the text waited, in steps, since timings vary more than that."""
    waited = (request.network_end - request.sent) / 1000
    return min(LONGEST_MS, max(0.0, waited) // STEP_MS * STEP_MS)


def _line(ms: float, font: FontLoad) -> str:
    name, url = font.name or short_url(font.url), address(font.url)
    return f"{milliseconds(ms)} {name}, font-display: {font.display}: {url}"
