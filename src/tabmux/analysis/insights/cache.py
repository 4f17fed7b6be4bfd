"""Cache: files a returning visitor has to fetch again."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from tabmux.analysis.insights.insight import Insight, Savings, duration, size
from tabmux.analysis.trace.handlers.network_requests import TraceRequest
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.content import count
from tabmux.page_text import address

NAME = "Cache"
CACHEABLE = frozenset(("Font", "Image", "Media", "Script", "Stylesheet"))
COMPLETE = frozenset((200, 203, 206))
DELIBERATE = frozenset(("must-revalidate", "no-cache", "no-store", "private"))
LONG_ENOUGH_S = 30 * 86400
# How many hours lie between visits to the same page, by tenths of all visits.
VISIT_HOURS = (0, 0.2, 1, 3, 8, 12, 24, 48, 72, 168, 8760)
LIKELY = 0.925
NOTEWORTHY_BYTES = 4096
ROWS = 30


@dataclass(frozen=True, slots=True)
class CacheExpiry:
    """A file, how many seconds it may be kept, and the bytes that costs on the next visit."""

    request: TraceRequest
    seconds: float
    wasted: float


def analyse(part: InsightSet) -> Insight:
    """List the files that expire too soon, the most costly first."""
    found = [expiry for request in part.requests if (expiry := cache_expiry(request)) is not None]
    found.sort(key=lambda expiry: -expiry.wasted)
    if not found:
        return Insight(NAME, "every file can be kept long enough")
    total = sum(expiry.wasted for expiry in found)
    return Insight(
        NAME,
        f"{count(len(found), 'file expires', 'files expire')} too soon; "
        f"a returning visitor fetches {size(total)} again",
        noteworthy=total >= NOTEWORTHY_BYTES,
        details=tuple(_line(expiry) for expiry in found[:ROWS]),
        savings=Savings(bytes=total),
        resources=tuple(expiry.request.url for expiry in found),
    )


def cache_expiry(request: TraceRequest) -> CacheExpiry | None:
    """Work out what a file's lifetime costs; None when it costs nothing to speak of."""
    cacheable = request.over_network and request.kind in CACHEABLE and request.status in COMPLETE
    if not cacheable or not request.encoded:
        return None
    directives = _directives(request)
    seconds = lifetime(request, directives)
    # A server that says 0 means it; one that says nothing has forgotten.
    if directives.keys() & DELIBERATE or (seconds is not None and seconds <= 0):
        return None
    kept = seconds or 0
    likely = hit_probability(kept)
    if kept >= LONG_ENOUGH_S or likely > LIKELY:
        return None
    return CacheExpiry(request, kept, (1 - likely) * request.encoded)


def lifetime(request: TraceRequest, directives: dict[str, str]) -> float | None:
    """Return how many seconds the response may be kept, None when it does not say."""
    if directives.get("max-age", "").isdigit():
        return float(directives["max-age"])
    if "expires" not in request.headers:
        return None
    try:
        expires = parsedate_to_datetime(request.headers["expires"])
        sent = parsedate_to_datetime(request.headers["date"])
        return (expires - sent).total_seconds()
    except (KeyError, TypeError, ValueError):
        return 0


def hit_probability(seconds: float) -> float:
    """Estimate how many visitors come back before a file expires."""
    hours = seconds / 3600
    i = bisect_right(VISIT_HOURS, hours)
    if i == len(VISIT_HOURS):
        return 1
    lower, upper = VISIT_HOURS[i - 1], VISIT_HOURS[i]
    return (i - 1 + (hours - lower) / (upper - lower)) / 10


def _directives(request: TraceRequest) -> dict[str, str]:
    parts = request.headers.get("cache-control", "").lower().split(",")
    pairs = (part.partition("=") for part in parts if part.strip())
    return {name.strip(): value.strip(' "') for name, _, value in pairs}


def _line(expiry: CacheExpiry) -> str:
    kept = f"kept {duration(expiry.seconds)}" if expiry.seconds else "no lifetime given"
    return f"{size(expiry.wasted)}, {kept}: {address(expiry.request.url)}"
