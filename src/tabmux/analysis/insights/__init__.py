"""Insights: what a trace shows to be wrong with a page, one module each."""

from __future__ import annotations

from tabmux.analysis.insights.insight import Insight, Savings
from tabmux.analysis.insights.insight_list import CATALOG
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.errors import BadArguments

NAMES: tuple[str, ...] = tuple(CATALOG)

__all__ = ["NAMES", "Insight", "Savings", "analyse", "explain"]


def analyse(part: InsightSet) -> list[Insight]:
    """Let every insight look at an insight set; `noteworthy` marks those with a finding."""
    return [look(part) for look in CATALOG.values()]


def explain(part: InsightSet, name: str) -> Insight:
    """Let one insight look at an insight set, whether it finds something or not."""
    look = CATALOG.get(name)
    if look is None:
        raise BadArguments(
            f"there is no insight {name!r}", hint=f"The insights are: {', '.join(NAMES)}."
        )
    return look(part)
