"""Everything the insights need from a trace, picked from its events as they pass."""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec

from tabmux.analysis.trace.document import Documents
from tabmux.analysis.trace.event import Event, Handler, Topic
from tabmux.analysis.trace.frames import Frames
from tabmux.analysis.trace.interactions import Interactions
from tabmux.analysis.trace.mainthread import MainThreads
from tabmux.analysis.trace.network import Network
from tabmux.analysis.trace.paints import Paints
from tabmux.analysis.trace.profile import Profiles
from tabmux.analysis.trace.scripts import Scripts
from tabmux.analysis.trace.shifts import Shifts

# The phases whose events take up time; metadata and flows lie outside it.
TIMED = frozenset("BEXI")


class Recording:
    """Hands each event to the topic that wants it and forgets the rest."""

    def __init__(self) -> None:
        self.frames = Frames()
        self.network = Network()
        self.paints = Paints()
        self.shifts = Shifts()
        self.interactions = Interactions()
        self.threads = MainThreads()
        self.profiles = Profiles()
        self.scripts = Scripts()
        self.documents = Documents()
        self._first = math.inf
        self._last = 0.0
        self._handlers = self._all_handlers()

    @property
    def start(self) -> float:
        """When the recording began."""
        return self.frames.started or (self._first if self._last else 0)

    @property
    def end(self) -> float:
        """When the last thing recorded was over."""
        return max(self._last, self.start)

    def feed(self, events: Iterable[Event]) -> None:
        """Take in some events, in any order."""
        for event in events:
            if event.ts + event.dur > self._last or event.ts < self._first:
                self._stretch(event)
            handler = self._handlers.get(event.name)
            if handler is None:
                continue
            try:
                handler(event)
            except msgspec.DecodeError:
                # Another version of Chrome may shape its arguments differently; do without.
                continue

    def _stretch(self, event: Event) -> None:
        # Histograms are stamped when they are flushed, which may be after the end.
        if event.ts and event.ph in TIMED and not event.name.endswith("::UMA"):
            self._first = min(self._first, event.ts)
            self._last = max(self._last, event.ts + event.dur)

    def _all_handlers(self) -> dict[str, Handler]:
        topics: tuple[Topic, ...] = (
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
        return {name: handler for topic in topics for name, handler in topic.handlers().items()}
