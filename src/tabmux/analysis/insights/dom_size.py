"""DOMSize: a document so large that styling and layout feel it."""

from __future__ import annotations

from tabmux.analysis.insights.insight import Insight, element, milliseconds
from tabmux.analysis.trace.handlers.documents_and_scripts import DomSize
from tabmux.analysis.trace.handlers.main_thread import LayoutUpdate
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.content import count

NAME = "DOMSize"
LONG_MS = 40
MANY_LAID_OUT = 100
MANY_STYLED = 300
MANY_ELEMENTS = 1500
ROWS = 10


def analyse(part: InsightSet) -> Insight:
    """Give the document's size and the layouts it made slow."""
    slow = sorted(large_updates(part), key=lambda update: -update.ms)
    largest = max(part.dom_sizes, key=lambda stats: stats.elements, default=None)
    if largest is None and not slow:
        return Insight(NAME, "the size of the document is not recorded")
    finding = count(largest.elements, "element") if largest else "size not recorded"
    if slow:
        finding += f"; {count(len(slow), 'large style or layout update')}"
        finding += f", the longest {milliseconds(slow[0].ms)}"
    return Insight(
        NAME,
        finding,
        noteworthy=bool(slow) or (largest is not None and largest.elements > MANY_ELEMENTS),
        details=(*_shape_lines(largest), *(_line(part, update) for update in slow[:ROWS])),
        nodes=_nodes(largest),
    )


def large_updates(part: InsightSet) -> list[LayoutUpdate]:
    """Select the updates that were slow because much was to be updated."""
    return [
        update
        for update in part.layouts
        if update.ms >= LONG_MS
        and update.changed > (MANY_STYLED if update.is_style else MANY_LAID_OUT)
    ]


def _shape_lines(largest: DomSize | None) -> list[str]:
    if largest is None:
        return []
    return [
        f"deepest {largest.depth}: {element(largest.deepest, largest.deepest_node)}",
        f"most children {largest.children}: {element(largest.widest, largest.widest_node)}",
    ]


def _nodes(largest: DomSize | None) -> tuple[int, ...]:
    found = (largest.deepest_node, largest.widest_node) if largest else ()
    return tuple(node for node in found if node)


def _line(part: InsightSet, update: LayoutUpdate) -> str:
    what = "style recalculation" if update.is_style else "layout"
    by = f", forced by {update.forced_by}" if update.forced_by else ""
    at = milliseconds(part.at(update.start))
    objects = count(update.changed, "object")
    if not update.is_style:
        objects = f"{update.changed} of {count(update.total, 'object')}"
    return f"{milliseconds(update.ms)} {what} of {objects} at {at}{by}"
