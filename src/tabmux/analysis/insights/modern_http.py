"""ModernHTTP: many files over HTTP/1, one after another."""

from __future__ import annotations

from collections import defaultdict

from tabmux.analysis.insights.insight import Insight, size
from tabmux.analysis.insights.third_parties import entity
from tabmux.analysis.trace.handlers.network_requests import TraceRequest
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.content import count
from tabmux.page_text import address, url_parts

NAME = "ModernHTTP"
OLD = frozenset(("http/0.9", "http/1.0", "http/1.1"))
STATIC = frozenset(("Font", "Image", "Media", "Script", "Stylesheet"))
# Fewer files hardly gain from sharing a connection.
MANY = 6
ROWS = 15


def analyse(part: InsightSet) -> Insight:
    """List the page's own origins that serve many files over an old protocol."""
    by_origin: defaultdict[str, list[TraceRequest]] = defaultdict(list)
    for request in part.requests:
        if _is_counted(part, request):
            parts = url_parts(request.url)
            by_origin[f"{parts.scheme}://{parts.netloc}"].append(request)
    crowded = {origin: found for origin, found in by_origin.items() if len(found) >= MANY}
    if not crowded:
        return Insight(NAME, "no origin of the page serves many files over HTTP/1")
    requests = [request for found in crowded.values() for request in found]
    return Insight(
        NAME,
        f"{count(len(requests), 'request')} went over HTTP/1; HTTP/2 or 3 would share a connection",
        noteworthy=True,
        details=tuple(_line(origin, found) for origin, found in crowded.items())
        + tuple(f"{request.protocol} {address(request.url)}" for request in requests[:ROWS]),
        resources=tuple(request.url for request in requests),
    )


def _is_counted(part: InsightSet, request: TraceRequest) -> bool:
    return (
        request.kind in STATIC
        and request.protocol.lower() in OLD
        and not request.cached
        and not is_local(request.url)
        and entity(request.url) == entity(part.url)
    )


def is_local(url: str) -> bool:
    """Tell whether a URL points to this machine, where protocols do not matter."""
    host = url_parts(url).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.") or host.endswith(".localhost")


def _line(origin: str, found: list[TraceRequest]) -> str:
    return f"{origin}: {count(len(found), 'file')}, {size(sum(r.encoded for r in found))}"
