"""Call frames: functions in scripts, and when calls into them ran."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from tabmux.page_text import address, url_parts

SHORT = 60


class CallFrame(NamedTuple):
    """A function in a script; line and column count from 1, and 0 means unknown.

    A tuple, because traces name them hundreds of thousands of times.
    """

    function: str = ""
    url: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        name = self.function or "(anonymous)"
        if not self.url:
            return name
        column = f":{self.column}" if self.column > 0 else ""
        return f"{name} {short_url(self.url)}:{self.line}{column}"


class StackFrame(msgspec.Struct, rename="camel", gc=False):
    """One line of a stack trace in an event's arguments."""

    function_name: str = ""
    url: str = ""
    line_number: int = 0
    column_number: int = 0

    def converted(self) -> CallFrame:
        """Return the same as a tuple; timeline events already count lines from 1."""
        return CallFrame(self.function_name, self.url, self.line_number, self.column_number)


def top_frame(stack: list[StackFrame]) -> CallFrame | None:
    """Return the innermost frame that lies in a script, if any does."""
    for frame in stack:
        if frame.url:
            return frame.converted()
    return None


def short_url(url: str) -> str:
    """Shorten a URL to its last path segment, for lines that give the whole URL elsewhere."""
    parts = url_parts(url)
    if parts.scheme not in ("http", "https", "file", "chrome-extension"):
        return address(url, SHORT)
    return address(parts.path.rsplit("/", 1)[-1] or parts.netloc + parts.path, SHORT)


class CallFrameTable:
    """Gives each call frame a small number, so that a million calls cost little memory."""

    def __init__(self) -> None:
        self._numbers: dict[CallFrame, int] = {}
        self._call_frames: list[CallFrame] = []

    def number(self, call_frame: CallFrame) -> int:
        """Return a call frame's number, giving it one at first sight."""
        known = self._numbers.get(call_frame)
        if known is None:
            known = self._numbers[call_frame] = len(self._call_frames)
            self._call_frames.append(call_frame)
        return known

    def __getitem__(self, number: int) -> CallFrame:
        return self._call_frames[number]


class CallSpans:
    """Stretches of time in columns; sorted by start, the longer first, once complete."""

    def __init__(self, call_frames: CallFrameTable) -> None:
        self._call_frames = call_frames
        self._starts = array("d")
        self._ends = array("d")
        self._numbers = array("l")

    def __len__(self) -> int:
        return len(self._starts)

    def add(self, start: float, end: float, call_frame: CallFrame) -> None:
        """Add one stretch."""
        self._starts.append(start)
        self._ends.append(end)
        self._numbers.append(self._call_frames.number(call_frame))

    def sort(self) -> None:
        """Bring the stretches in order, so that an outer one precedes those inside it."""
        starts, ends = self._starts, self._ends
        order = sorted(range(len(starts)), key=lambda i: (starts[i], -ends[i]))
        self._starts = array("d", (starts[i] for i in order))
        self._ends = array("d", (ends[i] for i in order))
        self._numbers = array("l", (self._numbers[i] for i in order))

    def between(self, start: float, end: float) -> Iterator[tuple[float, float, CallFrame]]:
        """Give the stretches that begin in a period."""
        for i in range(bisect_left(self._starts, start), bisect_left(self._starts, end)):
            yield self._starts[i], self._ends[i], self._call_frames[self._numbers[i]]

    def outermost(self, start: float, end: float) -> Iterator[tuple[float, float, CallFrame]]:
        """Give the stretches of a period that lie inside no other."""
        covered = start
        for begun, ended, call_frame in self.between(start, end):
            if begun >= covered:
                covered = ended
                yield begun, ended, call_frame
