"""Main thread: tasks, calls into scripts, layouts and style recalculations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from tabmux.analysis.trace.call_frames import (
    CallFrame,
    CallFrameTable,
    CallSpans,
    StackFrame,
    top_frame,
)
from tabmux.analysis.trace.handlers.page_frames import TraceThread
from tabmux.analysis.trace.trace_event import TraceEvent, TraceListener, args_decoder

# Shorter tasks are no long tasks, and hold no reflow worth reporting.
SHORTEST_TASK_US = 30_000


@dataclass(frozen=True, slots=True)
class ThreadTask:
    """The thread did one thing and nothing else."""

    start: float
    end: float

    @property
    def ms(self) -> float:
        """How long it kept the thread."""
        return (self.end - self.start) / 1000


@dataclass(frozen=True, slots=True)
class LayoutUpdate:
    """A layout or, when `is_style`, a recalculation of styles.

    `forced_by` is the script that waited for it; `changed` of `total` objects were dirty.
    """

    start: float
    ms: float
    is_style: bool
    changed: int
    total: int
    forced_by: CallFrame | None


class MainThreads:
    """Collects the work of every thread; which one is the page's is known only at the end."""

    def __init__(self) -> None:
        self._call_frames = CallFrameTable()
        self._tasks: dict[TraceThread, list[ThreadTask]] = {}
        self._open: dict[TraceThread, list[float]] = {}
        self._calls: dict[TraceThread, CallSpans] = {}
        self._layouts: dict[TraceThread, list[LayoutUpdate]] = {}
        self._call = args_decoder(_Call)
        self._layout = args_decoder(_Layout)

    def listeners(self) -> Mapping[str, TraceListener]:
        """Say which events tell of work."""
        return {
            "RunTask": self._handle_task,
            "EvaluateScript": self._handle_call,
            "FunctionCall": self._handle_call,
            "ParseAuthorStyleSheet": self._handle_call,
            "v8.compile": self._handle_call,
            "v8.compileModule": self._handle_call,
            "v8.evaluateModule": self._handle_call,
            "Layout": self._handle_layout,
            "UpdateLayoutTree": self._handle_layout,
        }

    def tasks(self, thread: TraceThread, until: float) -> list[ThreadTask]:
        """List the longer tasks; the last one, if it has no end, lasts until the recording's."""
        finished = sorted(self._tasks.get(thread, []), key=lambda task: task.start)
        last = max((task.end for task in finished), default=0.0)
        unfinished = max(self._open.get(thread, []), default=0.0)
        # A start without an end amid others was lost in recording and tells nothing.
        return [*finished, ThreadTask(unfinished, until)] if unfinished > last else finished

    def calls(self, thread: TraceThread) -> CallSpans:
        """Give the calls into scripts and sheets, in order."""
        calls = self._calls.get(thread, CallSpans(self._call_frames))
        calls.sort()
        return calls

    def layouts(self, thread: TraceThread) -> list[LayoutUpdate]:
        """List the layouts and style recalculations, oldest first."""
        return sorted(self._layouts.get(thread, []), key=lambda layout: layout.start)

    def _handle_task(self, event: TraceEvent) -> None:
        if event.ph == "X":
            # By far the most frequent event, and nearly always too short to matter.
            if event.dur >= SHORTEST_TASK_US:
                self._add_task(event, event.ts, event.end)
            return
        begun = self._open.setdefault(TraceThread(event.pid, event.tid), [])
        if event.ph == "B":
            begun.append(event.ts)
        elif event.ph == "E" and begun:
            self._add_task(event, begun.pop(), event.ts)

    def _add_task(self, event: TraceEvent, start: float, end: float) -> None:
        if end - start >= SHORTEST_TASK_US:
            self._tasks.setdefault(TraceThread(event.pid, event.tid), []).append(
                ThreadTask(start, end)
            )

    def _handle_call(self, event: TraceEvent) -> None:
        call = self._call(event)
        call_frame = call.data.call_frame(call.file_name)
        if call_frame.url and event.dur:
            thread = TraceThread(event.pid, event.tid)
            spans = self._calls.get(thread)
            if spans is None:
                spans = self._calls[thread] = CallSpans(self._call_frames)
            spans.add(event.ts, event.end, call_frame)

    def _handle_layout(self, event: TraceEvent) -> None:
        args = self._layout(event)
        begin = args.begin_data
        self._layouts.setdefault(TraceThread(event.pid, event.tid), []).append(
            LayoutUpdate(
                start=event.ts,
                ms=event.dur / 1000,
                is_style=event.name == "UpdateLayoutTree",
                changed=begin.dirty_objects or args.element_count,
                total=begin.total_objects or args.element_count,
                forced_by=top_frame(begin.stack_trace),
            )
        )


class _CallData(msgspec.Struct, rename="camel", gc=False):
    function_name: str = ""
    url: str = ""
    line_number: int = 0
    column_number: int = 0
    style_sheet_url: str = ""

    def call_frame(self, file_name: str) -> CallFrame:
        url = self.url or self.style_sheet_url or file_name
        return CallFrame(self.function_name, url, self.line_number, self.column_number)


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
