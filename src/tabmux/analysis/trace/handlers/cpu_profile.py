"""CPU profile: which function was running, sample by sample."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise

import msgspec

from tabmux.analysis.trace.call_frames import CallFrame, CallFrameTable
from tabmux.analysis.trace.handlers.page_frames import TraceThread
from tabmux.analysis.trace.trace_event import TraceEvent, TraceListener, data_decoder

IDLE = "(idle)"


@dataclass(frozen=True, slots=True)
class CpuProfile:
    """Samples of one thread: `call_frames[numbers[i]]` ran from `times[i]` on."""

    times: array[float]
    numbers: array[int]
    call_frames: CallFrameTable

    def self_times(self, start: float, end: float) -> list[tuple[CallFrame, float]]:
        """Rank what ran in a period by its own milliseconds, longest first."""
        first = max(0, bisect_right(self.times, start) - 1)
        last = bisect_left(self.times, end, first)
        edges = [max(start, ts) for ts in self.times[first:last]]
        # The last sample of all has no successor and so no length.
        edges.append(end if last < len(self.times) else edges[-1] if edges else end)
        spent: defaultdict[int, float] = defaultdict(float)
        for number, (begun, over) in zip(self.numbers[first:last], pairwise(edges), strict=True):
            spent[number] += over - begun
        ranked = sorted(spent.items(), key=lambda item: -item[1])
        found = ((self.call_frames[number], us / 1000) for number, us in ranked if us)
        return [(call_frame, ms) for call_frame, ms in found if call_frame.function != IDLE]

    def at(self, ts: float) -> CallFrame | None:
        """Say which script was running at a moment, if one was."""
        i = bisect_right(self.times, ts) - 1
        call_frame = self.call_frames[self.numbers[i]] if i >= 0 else CallFrame()
        return call_frame if call_frame.url else None


class CpuProfiles:
    """Collects the chunks in which Chrome delivers its profiles."""

    def __init__(self) -> None:
        self._chunks_by_profile: dict[tuple[int, str | int], _ProfileChunks] = {}
        self._start = data_decoder(_Start)
        self._chunk = data_decoder(_Chunk)

    def listeners(self) -> Mapping[str, TraceListener]:
        """Say which events carry samples."""
        return {"Profile": self._handle_start, "ProfileChunk": self._handle_chunk}

    def profile(self, thread: TraceThread) -> CpuProfile | None:
        """Return all samples of a thread, if it was profiled."""
        found = [
            chunks
            for (pid, _), chunks in self._chunks_by_profile.items()
            if (pid, chunks.tid) == (thread.pid, thread.tid)
        ]
        profile = CpuProfile(array("d"), array("l"), CallFrameTable())
        for chunks in sorted(found, key=lambda chunks: chunks.start):
            chunks.add_to(profile)
        return profile if profile.times else None

    def _handle_start(self, event: TraceEvent) -> None:
        chunks = self._chunks_of(event)
        chunks.tid = event.tid
        chunks.start = self._start(event).start_time or event.ts

    def _handle_chunk(self, event: TraceEvent) -> None:
        chunk, chunks = self._chunk(event), self._chunks_of(event)
        count = min(len(chunk.cpu_profile.samples), len(chunk.time_deltas))
        chunks.samples.extend(chunk.cpu_profile.samples[:count])
        chunks.deltas.extend(chunk.time_deltas[:count])
        for node in chunk.cpu_profile.nodes:
            chunks.nodes[node.id] = node

    def _chunks_of(self, event: TraceEvent) -> _ProfileChunks:
        return self._chunks_by_profile.setdefault((event.pid, event.id), _ProfileChunks())


class _ProfileChunks:
    def __init__(self) -> None:
        self.tid = 0
        self.start = 0.0
        self.samples = array("l")
        self.deltas = array("d")
        self.nodes: dict[int, _Node] = {}

    def add_to(self, profile: CpuProfile) -> None:
        numbers = {node: profile.call_frames.number(self._call_frame(node)) for node in self.nodes}
        unknown = profile.call_frames.number(CallFrame("(unknown)"))
        profile.numbers.extend(array("l", [numbers.get(node, unknown) for node in self.samples]))
        # Clocks of different cores disagree a little; time must not run backwards.
        forward = (delta if delta > 0 else 0.0 for delta in self.deltas)
        start = max(self.start, profile.times[-1] if profile.times else 0)
        times = accumulate(forward, initial=start)
        next(times)
        profile.times.extend(times)

    def _call_frame(self, number: int) -> CallFrame:
        """Charge a built-in function to the script that called it."""
        node = self.nodes[number]
        while not node.call_frame.url:
            parent = self.nodes.get(node.parent)
            if parent is None or not parent.parent:
                return CallFrame(self.nodes[number].call_frame.function_name)
            node = parent
        return node.call_frame.converted()


class _ProfileFrame(msgspec.Struct, rename="camel", gc=False):
    function_name: str = ""
    url: str = ""
    line_number: int = -1
    column_number: int = -1

    def converted(self) -> CallFrame:
        # Profiles count lines from 0, timeline events from 1.
        return CallFrame(self.function_name, self.url, self.line_number + 1, self.column_number + 1)


class _Node(msgspec.Struct, rename="camel"):
    id: int = 0
    parent: int = 0
    call_frame: _ProfileFrame = msgspec.field(default_factory=_ProfileFrame)


class _CpuProfile(msgspec.Struct, rename="camel"):
    samples: list[int] = []
    nodes: list[_Node] = []


class _Chunk(msgspec.Struct, rename="camel"):
    cpu_profile: _CpuProfile = msgspec.field(default_factory=_CpuProfile)
    time_deltas: list[float] = []


class _Start(msgspec.Struct, rename="camel"):
    start_time: float = 0
