"""LCPDiscovery: whether the browser could find the largest image early."""

from __future__ import annotations

from tabmux.analysis.insights.insight import Insight, element, milliseconds
from tabmux.analysis.trace.handlers.network_requests import TraceRequest
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.analysis.trace.page_metrics import Lcp
from tabmux.page_text import address

NAME = "LCPDiscovery"


def analyse(part: InsightSet) -> Insight:
    """Check the three things that let an image start early."""
    lcp = part.metrics.lcp
    if lcp is None or lcp.request is None:
        why = "the largest paint is not an image from the network" if lcp else "no LCP was recorded"
        return Insight(NAME, why)
    checks = _checks(part, lcp, lcp.request)
    failed = [problem for passed, problem, _ in checks if not passed]
    delay = sum(section.ms for section in lcp.parts if section.name == "load delay")
    asked = f"the image was asked for {milliseconds(delay)} after the document's first byte"
    return Insight(
        NAME,
        "; ".join([*failed, asked]),
        noteworthy=bool(failed),
        details=(
            *(f"{check}: {'yes' if passed else 'no'}" for passed, _, check in checks),
            f"element {element(lcp.node_name, lcp.node)}, image {address(lcp.url)}",
        ),
        resources=(lcp.url,),
        nodes=(lcp.node,) if lcp.node else (),
    )


def _checks(part: InsightSet, lcp: Lcp, request: TraceRequest) -> list[tuple[bool, str, str]]:
    in_document = request.initiator_type == "parser" and request.initiator_url == part.url
    return [
        (request.fetch_priority == "high", "no fetchpriority=high", "fetchpriority=high"),
        (not lcp.lazy or request.preload, "it is lazy-loaded", "not lazy-loaded"),
        (
            in_document or request.preload,
            "it is not in the HTML",
            "in the HTML or preloaded",
        ),
    ]
