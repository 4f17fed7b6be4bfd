"""Trace data: passes each event to the handler that collects it."""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec

from tabmux.analysis.trace.handlers.cpu_profile import CpuProfiles
from tabmux.analysis.trace.handlers.document_facts import DocumentFacts
from tabmux.analysis.trace.handlers.interactions import Interactions
from tabmux.analysis.trace.handlers.layout_shifts import LayoutShifts
from tabmux.analysis.trace.handlers.main_thread import MainThreads
from tabmux.analysis.trace.handlers.network_requests import TraceRequests
from tabmux.analysis.trace.handlers.page_frames import PageFrames
from tabmux.analysis.trace.handlers.paints import Paints
from tabmux.analysis.trace.handlers.script_sources import TraceScripts
from tabmux.analysis.trace.trace_event import TraceEvent, TraceHandler, TraceListener

# The phases whose events take up time; metadata and flows lie outside it.
TIMED_PHASES = frozenset("BEXI")


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
