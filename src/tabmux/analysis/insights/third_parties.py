"""ThirdParties: what other people's code cost in bytes and time."""

from __future__ import annotations

from collections import defaultdict

from tabmux.analysis.insights.entities import entity
from tabmux.analysis.insights.insight import Insight
from tabmux.analysis.insights.units import count, milliseconds, size
from tabmux.analysis.trace.insight_sets import InsightSet

NAME = "ThirdParties"
ROWS = 15


def analyse(part: InsightSet) -> Insight:
    """Rank the other parties by main-thread time, then by bytes."""
    spent, loaded = main_thread_ms(part), transferred(part)
    ours = entity(part.url)
    parties = sorted(
        (spent.keys() | loaded.keys()) - {ours, ""},
        key=lambda party: (-spent.get(party, 0), -loaded.get(party, 0)),
    )
    if not parties:
        return Insight(NAME, "everything came from the page's own site")
    time = sum(spent.get(party, 0) for party in parties)
    weight = sum(loaded.get(party, 0) for party in parties)
    return Insight(
        NAME,
        f"{count(len(parties), 'other site')} took {milliseconds(time)} of the main thread "
        f"and sent {size(weight)}",
        noteworthy=True,
        details=tuple(
            f"{party}: {milliseconds(spent.get(party, 0))}, {size(loaded.get(party, 0))}"
            for party in parties[:ROWS]
        ),
        resources=tuple(
            dict.fromkeys(r.url for r in part.requests if entity(r.url) in parties[:ROWS])
        ),
    )


def transferred(part: InsightSet) -> dict[str, int]:
    """Add up the bytes each entity sent."""
    totals: defaultdict[str, int] = defaultdict(int)
    for request in part.requests:
        totals[entity(request.url)] += request.encoded
    return dict(totals)


def main_thread_ms(part: InsightSet) -> dict[str, float]:
    """Add up the time in each entity's scripts, without the calls they made into others'."""
    by_url: defaultdict[str, float] = defaultdict(float)
    enclosing: list[tuple[float, str]] = []
    for start, end, place in part.calls.between(part.start, part.end):
        while enclosing and enclosing[-1][0] <= start:
            enclosing.pop()
        if enclosing:
            by_url[enclosing[-1][1]] -= end - start
        by_url[place.url] += end - start
        enclosing.append((end, place.url))
    totals: defaultdict[str, float] = defaultdict(float)
    for url, us in by_url.items():
        totals[entity(url)] += us / 1000
    return dict(totals)
