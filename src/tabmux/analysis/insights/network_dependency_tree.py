"""NetworkDependencyTree: requests that had to wait for one another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tabmux.analysis.insights.insight import Insight, milliseconds
from tabmux.analysis.trace.handlers.network_requests import TraceRequest
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.content import count
from tabmux.page_text import address, url_parts

NAME = "NetworkDependencyTree"
URGENT = frozenset(("Medium", "High", "VeryHigh"))
OPTIONAL = frozenset(("Image", "XHR", "Fetch", "EventSource"))
# Document, what it names, and what that names: one step more than it should be.
DEEP = 3
# No page goes this deep; a made-up trace might.
DEEPEST = 100
LINES = 40


@dataclass
class RequestNode:
    """A request, and the requests it led to."""

    request: TraceRequest
    depth: int
    children: list[RequestNode] = field(default_factory=list)

    def latest(self) -> float:
        """Return when the last of its chain ended."""
        return max([self.request.ended, *(child.latest() for child in self.children)])

    def deepest(self) -> int:
        """Return how many requests its longest chain has, counted from the document."""
        return max([self.depth, *(child.deepest() for child in self.children)])


def analyse(part: InsightSet) -> Insight:
    """Draw the tree of critical requests, the slowest branch first."""
    if part.document is None:
        return Insight(NAME, "the document's request is not recorded")
    root = request_tree(part, part.document)
    latency = (root.latest() - part.document.started) / 1000
    unused = _unused_preconnects(part)
    lines = list(_lines(root, part.document.started))
    cut = [f"… {len(lines) - LINES} more"] if len(lines) > LINES else []
    return Insight(
        NAME,
        f"{count(_chain_count(root), 'critical chain')}, "
        f"up to {count(root.deepest(), 'request')} deep; "
        f"the longest ends {milliseconds(latency)} after the document was asked for",
        noteworthy=root.deepest() >= DEEP or bool(unused),
        details=(*lines[:LINES], *cut, *_preconnects(part, unused)),
        resources=tuple(request.url for request in _longest_chain(root)),
    )


def request_tree(part: InsightSet, document: TraceRequest) -> RequestNode:
    """Hang every critical request under the one that asked for it."""
    root = RequestNode(document, 1)
    latest = {document.url: root}
    for request in part.requests:
        if request is document or not is_critical(request):
            continue
        parent = latest.get(request.asked_by, root)
        parent = parent if parent.depth < DEEPEST else root
        node = RequestNode(request, parent.depth + 1)
        parent.children.append(node)
        latest[request.url] = node
    return root


def is_critical(request: TraceRequest) -> bool:
    """Tell whether rendering plausibly depends on a request."""
    if request.preload or request.kind in OPTIONAL or request.mime.startswith("image/"):
        return False
    if request.kind == "Document" or not request.asked_by or not request.over_network:
        return False
    return request.priority in URGENT or request.blocks


def _lines(node: RequestNode, since: float) -> Iterator[str]:
    at = milliseconds((node.request.ended - since) / 1000)
    yield f"{'  ' * (node.depth - 1)}{at} {address(node.request.url)}"
    for child in sorted(node.children, key=lambda child: -child.latest()):
        yield from _lines(child, since)


def _longest_chain(node: RequestNode) -> Iterator[TraceRequest]:
    yield node.request
    if node.children:
        yield from _longest_chain(max(node.children, key=lambda child: child.latest()))


def _chain_count(node: RequestNode) -> int:
    return sum(_chain_count(child) for child in node.children) or 1


def _unused_preconnects(part: InsightSet) -> list[str]:
    origins = {_origin(request.url) for request in part.requests}
    asked = dict.fromkeys(_origin(preconnect.url) for preconnect in part.preconnects)
    return [origin for origin in asked if origin not in origins]


def _preconnects(part: InsightSet, unused: list[str]) -> Iterator[str]:
    for origin in dict.fromkeys(_origin(preconnect.url) for preconnect in part.preconnects):
        yield f"preconnect {origin}: {'never used' if origin in unused else 'used'}"


def _origin(url: str) -> str:
    parts = url_parts(url)
    return f"{parts.scheme}://{parts.netloc}"
