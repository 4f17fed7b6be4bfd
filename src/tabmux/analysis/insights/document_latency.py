"""DocumentLatency: redirects, a slow server or a missing compression on the first request."""

from __future__ import annotations

from tabmux.analysis.insights.insight import Insight, Savings, milliseconds, size
from tabmux.analysis.trace.handlers.network_requests import TraceRequest
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.content import count
from tabmux.page_text import address

NAME = "DocumentLatency"
SLOW_SERVER_MS = 600
# What a server can be brought to.
QUICK_SERVER_MS = 100
SMALLEST_BODY = 1400
PACKED = ("br", "gzip", "deflate", "zstd", "dcb", "dcz")
# The share of a body that compression usually takes away.
SHARES = {
    "text/css": 0.8,
    "text/html": 0.67,
    "text/javascript": 0.67,
    "application/xhtml+xml": 0.67,
}
OTHER_TEXT = ("text/", "application/json", "application/xml", "image/svg")


def analyse(part: InsightSet) -> Insight:
    """Check the three things that delay a document."""
    document = part.document
    if document is None:
        return Insight(NAME, "the document's request is not recorded")
    slow = document.server_ms > SLOW_SERVER_MS
    unpacked = compressible(document)
    problems = [*_redirect_lines(document)]
    problems += [f"the server took {milliseconds(document.server_ms)}"] if slow else []
    problems += [f"the HTML is not compressed, {size(unpacked)} could go"] if unpacked else []
    waited = document.server_ms - QUICK_SERVER_MS if slow else 0
    return Insight(
        NAME,
        "; ".join(problems) or "no redirect, a quick server, and nothing to compress",
        noteworthy=bool(problems),
        details=(
            f"redirects {milliseconds(document.redirect_ms)}, "
            f"server {milliseconds(document.server_ms)}, "
            f"download {milliseconds((document.network_end - document.first_byte) / 1000)}",
            f"{size(document.encoded)} on the wire, {size(document.decoded)} unpacked",
            *(f"redirected from {address(url)}" for url in document.redirects),
        ),
        savings=Savings(ms=document.redirect_ms + waited, bytes=unpacked),
        resources=(document.url,),
    )


def compressible(document: TraceRequest) -> float:
    """Estimate the bytes that compression would save."""
    encodings = document.headers.get("content-encoding", "").lower().split(",")
    if any(encoding.strip() in PACKED for encoding in encodings):
        return 0
    share = SHARES.get(document.mime, 0.5 if document.mime.startswith(OTHER_TEXT) else 0)
    saved = document.decoded * share
    return saved if document.decoded >= SMALLEST_BODY else 0


def _redirect_lines(document: TraceRequest) -> list[str]:
    if not document.redirects:
        return []
    spent = milliseconds(document.redirect_ms)
    return [f"{count(len(document.redirects), 'redirect')} cost {spent}"]
