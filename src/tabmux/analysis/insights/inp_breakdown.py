"""INPBreakdown: what the slowest interaction waited for."""

from __future__ import annotations

from tabmux.analysis.insights.insight import Insight, milliseconds
from tabmux.analysis.trace.handlers.interactions import Interaction
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.content import count

NAME = "INPBreakdown"
GOOD_MS = 200
FUNCTIONS = 5


def analyse(part: InsightSet) -> Insight:
    """Name the largest part of the interaction that makes INP, and what ran in it."""
    inp = part.metrics.inp
    if inp is None:
        return Insight(NAME, "nobody clicked, tapped or typed")
    parts = _parts(inp)
    largest, longest = max(parts, key=lambda item: item[1])
    functions = (
        part.profile.self_times(inp.start, inp.start + inp.ms * 1000) if part.profile else []
    )
    busiest = [(call_frame, ms) for call_frame, ms in functions if call_frame.url][:FUNCTIONS]
    return Insight(
        NAME,
        f"{inp.type} took {milliseconds(inp.ms)}; {largest} is {milliseconds(longest)} of it",
        noteworthy=inp.ms > GOOD_MS,
        details=(
            *(f"{name} {milliseconds(ms)}" for name, ms in parts),
            f"at {milliseconds(part.at(inp.start))}"
            + (f" on [node {inp.node}]" if inp.node else ""),
            f"the slowest of {count(part.metrics.interactions, 'interaction')}",
            *(f"{milliseconds(ms)} in {call_frame}" for call_frame, ms in busiest),
        ),
        resources=tuple(dict.fromkeys(call_frame.url for call_frame, _ in busiest)),
        nodes=(inp.node,) if inp.node else (),
    )


def _parts(inp: Interaction) -> list[tuple[str, float]]:
    return [
        ("input delay", inp.input_delay),
        ("processing", inp.processing),
        ("presentation delay", inp.presentation),
    ]
