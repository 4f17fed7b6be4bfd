"""Trace reader: finds the events in a trace file, and passes each to the handler that wants it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from tabmux.analysis.trace.handlers.cpu_profile import CpuProfiles
from tabmux.analysis.trace.handlers.documents_and_scripts import DocumentFacts, TraceScripts
from tabmux.analysis.trace.handlers.interactions import Interactions
from tabmux.analysis.trace.handlers.layout_shifts import LayoutShifts
from tabmux.analysis.trace.handlers.main_thread import MainThreads
from tabmux.analysis.trace.handlers.network_requests import TraceRequests
from tabmux.analysis.trace.handlers.page_frames import PageFrames
from tabmux.analysis.trace.handlers.paints import Paints
from tabmux.analysis.trace.json_stream import (
    BLOCK_BYTES,
    LARGEST_BYTES,
    JsonStream,
    is_truncated,
    open_file,
)
from tabmux.analysis.trace.trace_event import TraceEvent, TraceHandler, TraceListener
from tabmux.errors import Misuse
from tabmux.json_text import BadJson, decoded, decoder

HINT = "Give a trace saved by tabmux, DevTools, Lighthouse or Puppeteer (.json or .json.gz)."

# What stands beside the events in the files of Chrome, DevTools and Perfetto.
TRACE_MEMBERS = frozenset(
    (
        "controllerTraceDataKey",
        "displayTimeUnit",
        "metadata",
        "otherData",
        "powerTraceAsString",
        "samples",
        "stackFrames",
        "systemTraceEvents",
        "traceEvents",
        "userTraceEvents",
    )
)
OTHER_FILE_KINDS = {
    "snapshot": "a heap snapshot",
    "nodes": "a CPU profile",
    "log": "a HAR file",
    "lighthouseVersion": "a Lighthouse report",
}
BATCH_EVENTS = 2000

# The phases whose events take up time; metadata and flows lie outside it.
TIMED_PHASES = frozenset("BEXI")


class TraceReader:
    """An open trace: a stream of events, and what the file says about itself."""

    def __init__(self, stream: JsonStream, name: str) -> None:
        self._stream = stream
        self._name = name
        self._one = decoder(TraceEvent)
        self._many = decoder(list[TraceEvent])
        self.metadata = b"{}"

    def events(self) -> Iterator[list[TraceEvent]]:
        """Give every event once, in batches, as they stand in the file."""
        batches = self._batches()
        first = next(batches, [])
        if not any(event.ph for event in first):
            raise self._not_a_trace("it holds no trace events")
        yield first
        yield from batches

    def _batches(self) -> Iterator[list[TraceEvent]]:
        mark = self._stream.peek()
        if mark in ("[", "{"):
            self._stream.check()
        if mark == "[":
            yield from self._array()
        elif mark == "{":
            yield from self._members()
        else:
            raise self._not_a_trace("it is not JSON" if mark else "it is empty")

    def _members(self) -> Iterator[list[TraceEvent]]:
        self._stream.skip("{")
        while (mark := self._stream.peek()) != "}":
            if mark == ",":
                self._stream.skip(",")
                continue
            name = self._member_name()
            if name == "traceEvents":
                yield from self._array()
            else:
                value = self._stream.take()
                self.metadata = value if name == "metadata" else self.metadata

    def _member_name(self) -> str:
        if self._stream.peek() not in ('"', ""):
            raise self._stream.malformed("a member has no name")
        try:
            name = str(decoded(self._stream.take()))
        except BadJson as error:
            raise self._stream.malformed(f"the name of a member cannot be read, {error}") from None
        if name not in TRACE_MEMBERS:
            raise self._not_a_trace(_describe_other_file(name))
        self._stream.skip(":")
        return name

    def _array(self) -> Iterator[list[TraceEvent]]:
        self._stream.skip("[")
        yield from self._in_batches()
        yield from self._one_by_one()
        self._stream.skip("]")

    def _in_batches(self) -> Iterator[list[TraceEvent]]:
        """Read the usual layouts, an event a line or all in one, until something does not fit."""
        separators = (b"},\n{", b"}," + (self._stream.opening() or b"\n{"))
        while objects := self._stream.take_objects(separators):
            try:
                batch = self._many(b"[" + objects + b"]")
            except msgspec.DecodeError:
                self._stream.put_back(objects)
                return
            yield batch
            if not self._stream.grow():
                return

    def _one_by_one(self) -> Iterator[list[TraceEvent]]:
        """Read any layout, leaving out what does not look like an event."""
        batch: list[TraceEvent] = []
        taken = 0
        while (mark := self._stream.peek()) != "]":
            if mark == ",":
                self._stream.skip(",")
                continue
            batch += self._event(self._stream.take())
            taken += 1
            if taken % BATCH_EVENTS == 0:
                yield batch
                batch = []
        yield batch

    def _event(self, text: bytes) -> list[TraceEvent]:
        try:
            return [self._one(text)]
        except msgspec.DecodeError:
            return []

    def _not_a_trace(self, why: str) -> Misuse:
        return Misuse(f"{self._name} is not a trace: {why}", hint=HINT)


class TraceData:
    """Hands each event to the topic that wants it and forgets the rest."""

    def __init__(self) -> None:
        self.frames = PageFrames()
        self.network = TraceRequests()
        self.paints = Paints()
        self.shifts = LayoutShifts()
        self.interactions = Interactions()
        self.threads = MainThreads()
        self.profiles = CpuProfiles()
        self.scripts = TraceScripts()
        self.documents = DocumentFacts()
        self._first = math.inf
        self._last = 0.0
        self._listeners = self._all_listeners()

    @property
    def start(self) -> float:
        """When the recording began."""
        return self.frames.started or (self._first if self._last else 0)

    @property
    def end(self) -> float:
        """When the last thing recorded was over."""
        return max(self._last, self.start)

    def feed(self, events: Iterable[TraceEvent]) -> None:
        """Take in some events, in any order."""
        for event in events:
            if event.ts + event.dur > self._last or event.ts < self._first:
                self._extend_bounds(event)
            listener = self._listeners.get(event.name)
            if listener is None:
                continue
            try:
                listener(event)
            except msgspec.DecodeError:
                # Another version of Chrome may shape its arguments differently; do without.
                continue

    def _extend_bounds(self, event: TraceEvent) -> None:
        # Histograms are stamped when they are flushed, which may be after the end.
        if event.ts and event.ph in TIMED_PHASES and not event.name.endswith("::UMA"):
            self._first = min(self._first, event.ts)
            self._last = max(self._last, event.ts + event.dur)

    def _all_listeners(self) -> dict[str, TraceListener]:
        handlers: tuple[TraceHandler, ...] = (
            self.frames,
            self.network,
            self.paints,
            self.shifts,
            self.interactions,
            self.threads,
            self.profiles,
            self.scripts,
            self.documents,
        )
        return {
            name: listener for handler in handlers for name, listener in handler.listeners().items()
        }


@contextmanager
def open_trace(
    path: Path, *, block: int = BLOCK_BYTES, largest: int = LARGEST_BYTES
) -> Iterator[TraceReader]:
    """Open a trace file, or say what is wrong with it."""
    try:
        file, truncated = open_file(path), is_truncated(path, block)
    except FileNotFoundError:
        raise Misuse(f"there is no file {path}", hint="Check the path.") from None
    except OSError as error:
        raise Misuse(f"{path} cannot be read: {error.strerror}", hint=HINT) from error
    with file:
        stream = JsonStream(file, path.name, truncated=truncated, block=block, largest=largest)
        yield TraceReader(stream, path.name)


def _describe_other_file(member: str) -> str:
    kind = OTHER_FILE_KINDS.get(member)
    return f"it looks like {kind}" if kind else f"it starts with {member[:40]!r}"
