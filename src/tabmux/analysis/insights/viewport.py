"""Viewport: whether a phone would lay the page out for its own width."""

from __future__ import annotations

from tabmux.analysis.insights.insight import Insight, element
from tabmux.analysis.trace.insight_sets import InsightSet

NAME = "Viewport"


def analyse(part: InsightSet) -> Insight:
    """Say whether taps may wait for a double tap."""
    declared = part.viewport
    meta = f'the viewport is "{declared.value}"' if declared else "there is no viewport meta tag"
    nodes = (declared.node,) if declared and declared.node else ()
    if not part.not_mobile_friendly:
        finding = "every frame was drawn at the device's width"
        return Insight(NAME, finding, details=(meta,) if declared else (), nodes=nodes)
    return Insight(
        NAME,
        f"{meta}, so taps may wait up to 300 ms for a second tap",
        noteworthy=True,
        details=(f"declared by {element('META', declared.node)}",) if declared else (),
        nodes=nodes,
    )
