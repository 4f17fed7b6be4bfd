"""ForcedReflow: scripts that asked for geometry and so made the browser lay out at once."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict

from tabmux.analysis.insights.insight import Insight, Savings, milliseconds
from tabmux.analysis.trace.call_frames import CallFrame
from tabmux.analysis.trace.handlers.main_thread import LayoutUpdate
from tabmux.analysis.trace.insight_sets import InsightSet

NAME = "ForcedReflow"
# Less than two frames' worth in one go is nothing to chase.
LEAST_MS = 30
ROWS = 10
UNKNOWN = CallFrame("(unknown)")


def analyse(part: InsightSet) -> Insight:
    """Charge forced layouts to the function that forced them."""
    spent: defaultdict[tuple[CallFrame, CallFrame], float] = defaultdict(float)
    for entry, by_call_frame in reflows(part):
        if sum(by_call_frame.values()) >= LEAST_MS:
            for call_frame, ms in by_call_frame.items():
                spent[entry, call_frame] += ms
    if not spent:
        return Insight(NAME, "no script forced the browser to lay out early")
    ranked = sorted(spent.items(), key=lambda item: -item[1])
    total = sum(spent.values())
    (_, worst), _ = ranked[0]
    return Insight(
        NAME,
        f"scripts waited {milliseconds(total)} for layouts they forced, most in {worst}",
        noteworthy=True,
        details=tuple(_line(entry, call_frame, ms) for (entry, call_frame), ms in ranked[:ROWS]),
        savings=Savings(ms=total),
        resources=tuple(
            dict.fromkeys(call_frame.url for (_, call_frame), _ in ranked if call_frame.url)
        ),
    )


def reflows(part: InsightSet) -> list[tuple[CallFrame, dict[CallFrame, float]]]:
    """Add up the forced layouts inside each outermost call into a script."""
    found = []
    for start, end, entry in part.calls.outermost(part.start, part.end):
        first = bisect_left(part.layouts, start, key=_start)
        last = bisect_left(part.layouts, end, first, key=_start)
        by_call_frame: defaultdict[CallFrame, float] = defaultdict(float)
        for layout in part.layouts[first:last]:
            by_call_frame[layout.forced_by or _running(part, layout.start)] += layout.ms
        if by_call_frame:
            found.append((entry, dict(by_call_frame)))
    return found


def _start(layout: LayoutUpdate) -> float:
    return layout.start


def _running(part: InsightSet, ts: float) -> CallFrame:
    # Without stacks in the trace, the sample nearest to the layout tells who asked for it.
    found = part.profile.at(ts) if part.profile else None
    return found or UNKNOWN


def _line(entry: CallFrame, call_frame: CallFrame, ms: float) -> str:
    same = (entry.function, entry.url) == (call_frame.function, call_frame.url)
    return f"{milliseconds(ms)} in {call_frame}" + ("" if same else f", called from {entry}")
