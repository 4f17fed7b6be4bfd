"""Many stretches of time on one thread, each belonging to a place in a script."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator

from tabmux.analysis.trace.call_frames import CallFrame


class CallFrameTable:
    """Gives each place a small number, so that a million calls cost little memory."""

    def __init__(self) -> None:
        self._numbers: dict[CallFrame, int] = {}
        self._places: list[CallFrame] = []

    def number(self, place: CallFrame) -> int:
        """Return the place's number, giving it one at first sight."""
        known = self._numbers.get(place)
        if known is None:
            known = self._numbers[place] = len(self._places)
            self._places.append(place)
        return known

    def __getitem__(self, number: int) -> CallFrame:
        return self._places[number]


class CallSpans:
    """Stretches of time in columns; sorted by start, the longer first, once complete."""

    def __init__(self, places: CallFrameTable) -> None:
        self._places = places
        self._starts = array("d")
        self._ends = array("d")
        self._numbers = array("l")

    def __len__(self) -> int:
        return len(self._starts)

    def add(self, start: float, end: float, place: CallFrame) -> None:
        """Add one stretch."""
        self._starts.append(start)
        self._ends.append(end)
        self._numbers.append(self._places.number(place))

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
            yield self._starts[i], self._ends[i], self._places[self._numbers[i]]

    def outermost(self, start: float, end: float) -> Iterator[tuple[float, float, CallFrame]]:
        """Give the stretches of a period that lie inside no other."""
        covered = start
        for begun, ended, place in self.between(start, end):
            if begun >= covered:
                covered = ended
                yield begun, ended, place
