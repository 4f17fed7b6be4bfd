"""LCPBreakdown: what the time to the largest paint was spent on."""

from __future__ import annotations

from tabmux.analysis.insights.insight import Insight, element, milliseconds, size
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.analysis.trace.page_metrics import Lcp
from tabmux.page_text import address

NAME = "LCPBreakdown"
# Google's bound for a good LCP, and a part worth looking at even below it.
GOOD_MS = 2500
LARGE_PART_MS = 500


def analyse(part: InsightSet) -> Insight:
    """Name the largest part."""
    lcp = part.metrics.lcp
    if lcp is None:
        return Insight(NAME, "no largest contentful paint was recorded")
    if not lcp.parts:
        return Insight(NAME, f"LCP {milliseconds(lcp.ms)}; the document's request is not recorded")
    largest = max(lcp.parts, key=lambda section: section.ms)
    share = largest.ms / lcp.ms if lcp.ms else 0
    return Insight(
        NAME,
        f"{largest.name} is {milliseconds(largest.ms)} of {milliseconds(lcp.ms)} ({share:.0%})",
        noteworthy=lcp.ms > GOOD_MS or largest.ms > LARGE_PART_MS,
        details=(*_parts(part, lcp), *_element(lcp), *_request(part, lcp)),
        resources=(lcp.url,) if lcp.url else (),
        nodes=(lcp.node,) if lcp.node else (),
    )


def _parts(part: InsightSet, lcp: Lcp) -> list[str]:
    return [
        f"{section.name} {milliseconds(section.ms)}, until {milliseconds(part.at(section.end))}"
        for section in lcp.parts
    ]


def _element(lcp: Lcp) -> list[str]:
    kind = f"image {address(lcp.url)}" if lcp.url else "text"
    return [f"element {element(lcp.node_name, lcp.node)}, {kind}"]


def _request(part: InsightSet, lcp: Lcp) -> list[str]:
    request = lcp.request
    if request is None:
        return []
    asked, sent = part.at(request.started), part.at(request.sent)
    first, last = part.at(request.first_byte), part.at(request.network_end)
    return [
        f"request asked for at {milliseconds(asked)}, sent at {milliseconds(sent)}, "
        f"first byte at {milliseconds(first)}, last at {milliseconds(last)}",
        f"request {size(request.encoded)}, priority {request.priority}, "
        f"{request.protocol}, status {request.status}",
    ]
