"""What the threads of renderers were busy with: tasks, calls into scripts, layouts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from tabmux.analysis.trace.event import Event, Handler, reads
from tabmux.analysis.trace.frames import Thread
from tabmux.analysis.trace.place import Place, StackFrame, top
from tabmux.analysis.trace.spans import Places, Spans

# Shorter tasks are no long tasks, and hold no reflow worth reporting.
SHORTEST_TASK_US = 30_000


@dataclass(frozen=True, slots=True)
class Task:
    """The thread did one thing and nothing else."""

    start: float
    end: float

    @property
    def ms(self) -> float:
        """How long it kept the thread."""
        return (self.end - self.start) / 1000


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout or, when `is_style`, a recalculation of styles.

    `forced_by` is the script that waited for it; `changed` of `total` objects were dirty.
    """

    start: float
    ms: float
    is_style: bool
    changed: int
    total: int
    forced_by: Place | None


class MainThreads:
    """Collects the work of every thread; which one is the page's is known only at the end."""

    def __init__(self) -> None:
        self._places = Places()
        self._tasks: dict[Thread, list[Task]] = {}
        self._open: dict[Thread, list[float]] = {}
        self._calls: dict[Thread, Spans] = {}
        self._layouts: dict[Thread, list[Layout]] = {}
        self._call = reads(_Call)
        self._layout = reads(_Layout)

    def handlers(self) -> Mapping[str, Handler]:
        """Say which events tell of work."""
        return {
            "RunTask": self._take_task,
            "EvaluateScript": self._take_call,
            "FunctionCall": self._take_call,
            "ParseAuthorStyleSheet": self._take_call,
            "v8.compile": self._take_call,
            "v8.compileModule": self._take_call,
            "v8.evaluateModule": self._take_call,
            "Layout": self._take_layout,
            "UpdateLayoutTree": self._take_layout,
        }

    def tasks(self, thread: Thread, until: float) -> list[Task]:
        """List the longer tasks; the last one, if it has no end, lasts until the recording's."""
        finished = sorted(self._tasks.get(thread, []), key=lambda task: task.start)
        last = max((task.end for task in finished), default=0.0)
        unfinished = max(self._open.get(thread, []), default=0.0)
        # A start without an end amid others was lost in recording and tells nothing.
        return [*finished, Task(unfinished, until)] if unfinished > last else finished

    def calls(self, thread: Thread) -> Spans:
        """Give the calls into scripts and sheets, in order."""
        calls = self._calls.get(thread, Spans(self._places))
        calls.sort()
        return calls

    def layouts(self, thread: Thread) -> list[Layout]:
        """List the layouts and style recalculations, oldest first."""
        return sorted(self._layouts.get(thread, []), key=lambda layout: layout.start)

    def _take_task(self, event: Event) -> None:
        if event.ph == "X":
            # By far the most frequent event, and nearly always too short to matter.
            if event.dur >= SHORTEST_TASK_US:
                self._add_task(event, event.ts, event.end)
            return
        begun = self._open.setdefault(Thread(event.pid, event.tid), [])
        if event.ph == "B":
            begun.append(event.ts)
        elif event.ph == "E" and begun:
            self._add_task(event, begun.pop(), event.ts)

    def _add_task(self, event: Event, start: float, end: float) -> None:
        if end - start >= SHORTEST_TASK_US:
            self._tasks.setdefault(Thread(event.pid, event.tid), []).append(Task(start, end))

    def _take_call(self, event: Event) -> None:
        call = self._call(event)
        place = call.data.place(call.file_name)
        if place.url and event.dur:
            thread = Thread(event.pid, event.tid)
            spans = self._calls.get(thread)
            if spans is None:
                spans = self._calls[thread] = Spans(self._places)
            spans.add(event.ts, event.end, place)

    def _take_layout(self, event: Event) -> None:
        args = self._layout(event)
        begin = args.begin_data
        self._layouts.setdefault(Thread(event.pid, event.tid), []).append(
            Layout(
                start=event.ts,
                ms=event.dur / 1000,
                is_style=event.name == "UpdateLayoutTree",
                changed=begin.dirty_objects or args.element_count,
                total=begin.total_objects or args.element_count,
                forced_by=top(begin.stack_trace),
            )
        )


class _CallData(msgspec.Struct, rename="camel", gc=False):
    function_name: str = ""
    url: str = ""
    line_number: int = 0
    column_number: int = 0
    style_sheet_url: str = ""

    def place(self, file_name: str) -> Place:
        url = self.url or self.style_sheet_url or file_name
        return Place(self.function_name, url, self.line_number, self.column_number)


class _Call(msgspec.Struct, rename="camel"):
    data: _CallData = msgspec.field(default_factory=_CallData)
    file_name: str = ""


class _Begin(msgspec.Struct, rename="camel"):
    dirty_objects: int = 0
    total_objects: int = 0
    stack_trace: list[StackFrame] = []


class _Layout(msgspec.Struct, rename="camel"):
    begin_data: _Begin = msgspec.field(default_factory=_Begin)
    element_count: int = 0
