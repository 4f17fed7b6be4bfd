"""Interactions: clicks, taps and keys, and how long each waited for the next paint."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import msgspec

from tabmux.analysis.trace.trace_event import TraceEvent, TraceListener, args_decoder

KEYS = frozenset(("keydown", "keypress", "keyup"))


@dataclass(frozen=True, slots=True)
class Interaction:
    """One thing a person did; `start` in microseconds, the parts in milliseconds."""

    id: int
    type: str
    start: float
    frame: str
    node: int
    input_delay: float
    processing: float
    presentation: float

    @property
    def ms(self) -> float:
        """How long it took from the input to the next paint."""
        return self.input_delay + self.processing + self.presentation


class Interactions:
    """Collects event timings."""

    def __init__(self) -> None:
        self._begun: dict[tuple[int, str | int], _Timing] = {}
        self._timings: list[_Timing] = []
        self._args = args_decoder(_Args)

    def listeners(self) -> Mapping[str, TraceListener]:
        """Say which events tell of input."""
        return {"EventTiming": self._handle_timing}

    def interactions(self) -> list[Interaction]:
        """List every interaction once, by its slowest event."""
        slowest: dict[int, Interaction] = {}
        for found in _joined_by_paint(t for t in self._timings if t.data.interaction_id):
            known = slowest.get(found.id)
            if known is None or found.ms > known.ms:
                slowest[found.id] = found
        return sorted(slowest.values(), key=lambda interaction: interaction.start)

    def _handle_timing(self, event: TraceEvent) -> None:
        key = (event.pid, event.id)
        data = self._args(event).data
        if data is not None:
            timing = _Timing(event.ts, event.ts + data.duration * 1000, event.pid, data)
            self._timings.append(timing)
            self._begun[key] = timing
        elif key in self._begun:
            self._begun.pop(key).end = event.ts


def _joined_by_paint(timings: Iterable[_Timing]) -> list[Interaction]:
    """Join the events of one kind that the same paint answered, since their work adds up."""
    groups: defaultdict[tuple[object, ...], list[_Timing]] = defaultdict(list)
    for timing in timings:
        groups[timing.pid, timing.data.type in KEYS, round(timing.end)].append(timing)
    return [_interaction(group) for group in groups.values()]


def _interaction(group: list[_Timing]) -> Interaction:
    first = min(group, key=lambda timing: timing.start)
    data = first.data
    total = (first.end - first.start) / 1000
    delay = max(0.0, data.processing_start - data.time_stamp)
    # The group shares one clock, so the latest end counts from the first event's stamp.
    worked = max(timing.data.processing_end for timing in group) - data.processing_start
    worked = min(max(0.0, worked), max(0.0, total - delay))
    return Interaction(
        id=data.interaction_id,
        type=data.type,
        start=first.start,
        frame=data.frame,
        node=data.node_id,
        input_delay=delay,
        processing=worked,
        presentation=max(0.0, total - delay - worked),
    )


@dataclass(slots=True)
class _Timing:
    start: float
    end: float
    pid: int
    data: _Data


class _Data(msgspec.Struct, rename="camel"):
    type: str = ""
    duration: float = 0
    interaction_id: int = 0
    node_id: int = 0
    frame: str = ""
    time_stamp: float = 0
    processing_start: float = 0
    processing_end: float = 0


class _Args(msgspec.Struct):
    data: _Data | None = None
