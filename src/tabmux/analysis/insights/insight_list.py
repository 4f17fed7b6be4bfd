"""Insight list: all insights, in the order in which they are reported."""

from __future__ import annotations

from collections.abc import Callable

from tabmux.analysis.insights import (
    cache,
    character_set,
    cls_culprits,
    document_latency,
    dom_size,
    duplicated_javascript,
    font_display,
    forced_reflow,
    image_delivery,
    inp_breakdown,
    lcp_breakdown,
    lcp_discovery,
    legacy_javascript,
    long_tasks,
    modern_http,
    network_dependency_tree,
    render_blocking,
    slow_css_selector,
    third_parties,
    viewport,
)
from tabmux.analysis.insights.insight import Insight
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.errors import BadArguments

CATALOG: dict[str, Callable[[InsightSet], Insight]] = {
    module.NAME: module.analyse
    for module in (
        lcp_breakdown,
        lcp_discovery,
        render_blocking,
        document_latency,
        network_dependency_tree,
        image_delivery,
        font_display,
        cls_culprits,
        inp_breakdown,
        long_tasks,
        forced_reflow,
        third_parties,
        dom_size,
        slow_css_selector,
        legacy_javascript,
        duplicated_javascript,
        cache,
        modern_http,
        character_set,
        viewport,
    )
}
NAMES: tuple[str, ...] = tuple(CATALOG)


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
