"""LongTasks: what kept the main thread from answering."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator

from tabmux.analysis.insights.insight import Insight, Savings, milliseconds
from tabmux.analysis.trace.call_frames import CallFrame
from tabmux.analysis.trace.handlers.main_thread import ThreadTask
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.content import count

NAME = "LongTasks"
PROGRAM = CallFrame("(program)")
UNKNOWN = CallFrame("(unknown)")
STYLE = CallFrame("(style recalculation)")
LAYOUT = CallFrame("(layout)")
TASKS = 10
FUNCTIONS = 10
BLAMED = 3
# A function that ran less than this explains nothing.
LEAST_MS = 1
MAIN_SHARE = 0.2
NOTEWORTHY_MS = 100


def analyse(part: InsightSet) -> Insight:
    """Rank the tasks over 50 ms, and the functions that ran in them."""
    tasks = sorted(part.metrics.long_tasks, key=lambda task: -task.ms)
    if not tasks:
        return Insight(NAME, "no task was longer than 50 ms")
    functions = busiest_functions(part, tasks)
    all_ms = sum(task.ms for task in tasks)
    main = functions and functions[0][1] >= MAIN_SHARE * all_ms
    blamed = f", {milliseconds(functions[0][1])} in {functions[0][0]}" if main else ""
    return Insight(
        NAME,
        f"{count(len(tasks), 'task')} over 50 ms, the longest {milliseconds(tasks[0].ms)}; "
        f"TBT {milliseconds(part.metrics.tbt)}{blamed}",
        noteworthy=part.metrics.tbt > 0 or tasks[0].ms >= NOTEWORTHY_MS,
        details=(
            *(_line(part, task) for task in tasks[:TASKS]),
            *(
                f"{milliseconds(ms)} self time in {call_frame}"
                for call_frame, ms in functions[:FUNCTIONS]
            ),
        ),
        savings=Savings(ms=part.metrics.tbt),
        resources=tuple(
            dict.fromkeys(
                call_frame.url for call_frame, _ in functions[:FUNCTIONS] if call_frame.url
            )
        ),
    )


def busiest_functions(part: InsightSet, tasks: list[ThreadTask]) -> list[tuple[CallFrame, float]]:
    """Rank functions, styling and layout by their own time over all long tasks."""
    totals: defaultdict[CallFrame, float] = defaultdict(float)
    for task in tasks:
        for call_frame, ms in time_by_function(part, task):
            if call_frame not in (PROGRAM, UNKNOWN):
                totals[call_frame] += ms
    ranked = sorted(totals.items(), key=lambda item: -item[1])
    return [(call_frame, ms) for call_frame, ms in ranked if ms >= LEAST_MS]


def time_by_function(part: InsightSet, task: ThreadTask) -> list[tuple[CallFrame, float]]:
    """Say what ran in a task: samples where there are some, else calls; and unforced layouts."""
    sampled = part.profile.self_times(task.start, task.end) if part.profile else []
    spent: defaultdict[CallFrame, float] = defaultdict(float, sampled)
    if not sampled:
        for start, end, call_frame in part.calls.outermost(task.start, task.end):
            spent[call_frame] += (end - start) / 1000
    for call_frame, ms in _layouts(part, task):
        spent[call_frame] += ms
        # The profiler knows this time only as the browser's own.
        spent[PROGRAM] -= ms
    return sorted(spent.items(), key=lambda item: -item[1])


def _layouts(part: InsightSet, task: ThreadTask) -> Iterator[tuple[CallFrame, float]]:
    first = bisect_left(part.layouts, task.start, key=lambda layout: layout.start)
    last = bisect_left(part.layouts, task.end, key=lambda layout: layout.start)
    for layout in part.layouts[first:last]:
        if layout.forced_by is None:
            yield STYLE if layout.is_style else LAYOUT, layout.ms


def _line(part: InsightSet, task: ThreadTask) -> str:
    busy = [(call_frame, ms) for call_frame, ms in time_by_function(part, task) if ms >= LEAST_MS]
    blamed = ", ".join(f"{call_frame} {milliseconds(ms)}" for call_frame, ms in busy[:BLAMED])
    return (
        f"{milliseconds(task.ms)} at {milliseconds(part.at(task.start))}: {blamed or 'no script'}"
    )
