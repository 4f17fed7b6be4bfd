"""Page frames: which frame is the page, its navigations and its threads."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from tabmux.analysis.trace.trace_event import TraceEvent, TraceListener, args_decoder, data_decoder


class TraceThread(NamedTuple):
    """A thread of a process; a tuple, because it is a key for every task."""

    pid: int
    tid: int


@dataclass(frozen=True, slots=True)
class TraceNavigation:
    """The main frame set off for a new document."""

    id: str
    frame: str
    url: str
    start: float
    thread: TraceThread


@dataclass(frozen=True, slots=True)
class ChildFrame:
    """A frame inside the page received a document."""

    url: str
    committed: float


class PageFrames:
    """Which frame is the page, where it went, and in which process."""

    def __init__(self) -> None:
        self.started = 0.0
        self.url = ""
        self.process = 0
        self.main: set[str] = set()
        self.known: set[str] = set()
        self.children: list[ChildFrame] = []
        self._navigations: dict[str, TraceNavigation] = {}
        self._commits: list[float] = []
        self._arrived = 0
        self._threads: dict[TraceThread, str] = {}
        self._frame_list = data_decoder(_FrameList)
        self._frame = data_decoder(_Frame)
        self._navigation_start = args_decoder(_NavigationStart)
        self._thread_name = args_decoder(_ThreadName)

    def listeners(self) -> Mapping[str, TraceListener]:
        """Say which events say where the page is."""
        return {
            "TracingStartedInBrowser": self._handle_start,
            "FrameCommittedInBrowser": self._handle_commit,
            "navigationStart": self._handle_navigation,
            "thread_name": self._handle_thread,
        }

    def navigations(self) -> list[TraceNavigation]:
        """List the main frame's navigations, oldest first."""
        found = (n for n in self._navigations.values() if not self.main or n.frame in self.main)
        ordered = sorted(found, key=lambda navigation: navigation.start)
        ends = [*(navigation.start for navigation in ordered[1:]), math.inf]
        return [n for n, end in zip(ordered, ends, strict=False) if self._is_recorded(n, end)]

    def _is_recorded(self, navigation: TraceNavigation, end: float) -> bool:
        """Tell whether a navigation, or at least its arrival, is part of the recording.

        A renderer that Chrome made ready during an earlier recording adds all that it did
        since to the next one (seen in Chromium 156); only the browser's own events do not lie.
        """
        began = navigation.start >= self.started
        return began or any(self.started <= commit < end for commit in self._commits)

    def renderer(self) -> TraceThread:
        """Guess the page's main thread when no navigation names it."""
        mains = [thread for thread, name in self._threads.items() if name == "CrRendererMain"]
        ours = [thread for thread in mains if thread.pid == self.process]
        return next(iter(ours or mains), TraceThread(self.process, 0))

    def main_thread_missing(self) -> bool:
        """Tell whether the page's own thread is missing from the recording altogether."""
        mains = {thread.pid for thread, name in self._threads.items() if name == "CrRendererMain"}
        return self._arrived != 0 and self._arrived not in mains

    def holds(self, frame: str) -> bool:
        """Tell whether a frame is the page's; true when the trace does not list frames."""
        return not self.known or not frame or frame in self.known

    def _handle_start(self, event: TraceEvent) -> None:
        self.started = event.ts
        for frame in self._frame_list(event).frames:
            self.known.add(frame.frame)
            if frame.is_page():
                self.main.add(frame.frame)
                self.url, self.process = self.url or frame.url, self.process or frame.process_id
                self._arrived = self.process

    def _handle_commit(self, event: TraceEvent) -> None:
        frame = self._frame(event)
        self.known.add(frame.frame)
        if frame.is_page():
            self.main.add(frame.frame)
            self._commits.append(event.ts)
            self._arrived = frame.process_id
        elif frame.parent:
            self.children.append(ChildFrame(frame.url, event.ts))

    def _handle_navigation(self, event: TraceEvent) -> None:
        start = self._navigation_start(event)
        data, thread = start.data, TraceThread(event.pid, event.tid)
        # The empty document every frame begins with also reports a start, without a URL.
        if data.url and data.is_outermost_main_frame and data.is_loading_main_frame:
            found = TraceNavigation(data.navigation_id, start.frame, data.url, event.ts, thread)
            self._navigations.setdefault(found.id, found)

    def _handle_thread(self, event: TraceEvent) -> None:
        self._threads[TraceThread(event.pid, event.tid)] = self._thread_name(event).name


class _Frame(msgspec.Struct, rename="camel"):
    frame: str = ""
    parent: str = ""
    url: str = ""
    process_id: int = 0
    is_outermost_main_frame: bool | None = None
    is_in_primary_main_frame: bool | None = None

    def is_page(self) -> bool:
        # Before Chrome 112 the flags were absent and a frame without a parent was the page.
        if self.is_outermost_main_frame is None:
            return not self.parent
        return self.is_outermost_main_frame and self.is_in_primary_main_frame is not False


class _FrameList(msgspec.Struct):
    frames: list[_Frame] = []


class _NavigationData(msgspec.Struct, rename="camel"):
    url: str = msgspec.field(default="", name="documentLoaderURL")
    navigation_id: str = ""
    is_outermost_main_frame: bool = True
    is_loading_main_frame: bool = True


class _NavigationStart(msgspec.Struct):
    frame: str = ""
    data: _NavigationData = msgspec.field(default_factory=_NavigationData)


class _ThreadName(msgspec.Struct):
    name: str = ""
