"""SlowCSSSelector: selectors that cost much to match."""

from __future__ import annotations

from tabmux.analysis.insights.insight import Insight, Savings, milliseconds
from tabmux.analysis.trace.handlers.documents_and_scripts import SelectorStats
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.content import count

NAME = "SlowCSSSelector"
SLOW_US = 500
ROWS = 10


def analyse(part: InsightSet) -> Insight:
    """Rank the selectors by the time spent on matching them."""
    # They need the category disabled-by-default-blink.debug, which slows what it measures.
    if not part.selectors:
        return Insight(NAME, "selector statistics were not recorded")
    total = sum(selector.us for selector in part.selectors) / 1000
    slow = [selector for selector in part.selectors if selector.us >= SLOW_US]
    slow.sort(key=lambda selector: -selector.us)
    finding = f"matching {count(len(part.selectors), 'selector')} took {milliseconds(total)}"
    if slow:
        finding += f", {milliseconds(slow[0].us / 1000)} of it {slow[0].text}"
    return Insight(
        NAME,
        finding,
        noteworthy=bool(slow),
        details=tuple(_line(selector) for selector in slow[:ROWS]),
        savings=Savings(ms=sum(selector.us for selector in slow) / 1000),
    )


def _line(selector: SelectorStats) -> str:
    tried = f"{selector.attempts} tried, {selector.matches} matched"
    return f"{milliseconds(selector.us / 1000)} {selector.text} ({tried}, {selector.sheet})"
