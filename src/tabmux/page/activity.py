"""Activity: navigations, requests in flight and pages that a tab opened."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from typing import Any

from tabmux.cdp.channel import Channel, Params
from tabmux.concurrency import Signal
from tabmux.page.frame_tree import FrameTree
from tabmux.page.reactions import Reactions

# A page is not done while these are under way; streams, beacons, pictures and media do not count.
_AWAITED = frozenset({"XHR", "Fetch", "Script", "Stylesheet", "Document"})
# An answer of which nothing more comes for so long is a stream, or nobody reads it: Chromium 156
# then never says that it has ended.
BODY_SECONDS = 0.25

# Is told as soon as a script has been sent: where to, and of its answer.
Sent = Callable[[Channel, "asyncio.Future[Params]"], None]


def untold(channel: Channel, script: asyncio.Future[Params]) -> None:
    """Tell nobody that a script was sent."""


@dataclass
class DocumentState:
    """How far the main frame's current document has come."""

    loader: str = ""
    ready: bool = False
    loaded: bool = False
    # Whether it has said its title.
    titled: bool = False
    # Why Chrome shows an error page instead.
    failure: str = ""


@dataclass(eq=False)
class ActionEffects:
    """What happened since an action began."""

    url: str
    loader: str
    navigations: int = 0
    requests: set[str] = field(default_factory=set)
    opened: list[int] = field(default_factory=list)
    # Whether a script has asked for another document or window, of which Chrome tells later.
    asked_to_leave: bool = False
    moved_to: str | None = None
    # What the main frame showed in the end, where nothing has happened since.
    shot: dict[str, Any] | None = None
    # Whether controls are given values, which the page may take away again.
    fills: bool = False
    # The labels of controls that the page has given another value since, and which; None where it
    # is the old one.
    put_back: dict[int, str | None] = field(default_factory=dict)
    # What the page offers for a text that was put into a field: of which field, the label of the
    # same text, and else the texts with it.
    offers: dict[str, Any] | None = None
    # What had not ended when the waiting did, in words.
    unfinished: list[str] = field(default_factory=list)
    # Who reacts to it, where that was looked at.
    reactions: Reactions | None = None
    # By which a script that was sent may have its quiet asked for right behind it.
    sent: Sent = untold


class Activity:
    """Follows the events that tell whether a tab is at rest."""

    def __init__(self, frames: FrameTree, signal: Signal) -> None:
        self._frames, self._signal = frames, signal
        self._observed: list[ActionEffects] = []
        # Since when nothing more has come of the answers to these requests; None before the first.
        self._in_flight: dict[str, float | None] = {}
        self.document = DocumentState()
        self.navigating = False
        self.crashed = False
        self._last_failure = ("", "")
        frames.on_channel(self._listen)

    @contextmanager
    def observe(self) -> Iterator[ActionEffects]:
        """Note everything that happens inside the block."""
        main = self._frames.main
        effects = ActionEffects(main.url if main else "", self.document.loader)
        self._observed.append(effects)
        try:
            yield effects
        finally:
            self._observed.remove(effects)

    def opened(self, page_id: int) -> None:
        """Note a page that this one opened."""
        for effects in self._observed:
            effects.opened.append(page_id)
        self._signal.notify()

    def heard(self, found: Reactions) -> None:
        """Note who reacts to what is done now."""
        for effects in self._observed:
            effects.reactions = found | effects.reactions

    def filling(self) -> None:
        """Note that a control is given a value."""
        for effects in self._observed:
            effects.fills = True

    @property
    def leaving(self) -> bool:
        """Whether the page navigates since the action that is under way, not from before it."""
        begun = self._observed[-1].navigations > 0 if self._observed else True
        return self.navigating and begun

    def pending(self, effects: ActionEffects) -> bool:
        """Whether a request that the action caused is still under way."""
        return self.seconds_pending(effects) > 0

    def seconds_pending(self, effects: ActionEffects) -> float:
        """Return how long requests that the action caused are under way, if nothing more comes."""
        return max(self._seconds_left(effects), default=0.0)

    @contextmanager
    def hearing_bodies(self) -> Iterator[None]:
        """Hear of every piece of an answer, which is too much to be heard all the time."""
        channels = {frame.channel for frame in self._frames}
        stops = [each.on("Network.dataReceived", self._request_answered) for each in channels]
        try:
            yield
        finally:
            for stop in stops:
                stop()

    def unfinished(self, effects: ActionEffects) -> int:
        """Return how many requests that the action caused are still under way."""
        return sum(left > 0 for left in self._seconds_left(effects))

    def _seconds_left(self, effects: ActionEffects) -> Iterator[float]:
        now = time.monotonic()
        for request in effects.requests & self._in_flight.keys():
            since = self._in_flight[request]
            yield inf if since is None else since + BODY_SECONDS - now

    def _listen(self, channel: Channel) -> None:
        for event, handler in (
            ("Page.frameRequestedNavigation", self._leaving),
            ("Page.windowOpen", self._leaving),
            ("Page.frameStartedNavigating", self._starting),
            ("Page.frameStartedLoading", self._loading),
            ("Page.frameStoppedLoading", self._stopped),
            ("Page.frameNavigated", self._committed),
            ("Page.navigatedWithinDocument", self._moved),
            ("Page.lifecycleEvent", self._advanced),
            ("Page.domContentEventFired", lambda _: self._fired(channel, loaded=False)),
            ("Page.loadEventFired", lambda _: self._fired(channel, loaded=True)),
            ("Network.requestWillBeSent", self._request),
            ("Network.responseReceived", self._request_answered),
            ("Network.loadingFinished", self._request_done),
            ("Network.loadingFailed", self._request_failed),
            ("Inspector.targetCrashed", lambda _: self._crash(channel)),
        ):
            channel.on(event, handler)
        channel.send("Network.enable")

    def _is_main(self, params: Params) -> bool:
        main = self._frames.main
        return main is not None and params["frameId"] == main.id

    def _leaving(self, _: Params) -> None:
        for effects in self._observed:
            effects.asked_to_leave = True

    def _starting(self, params: Params) -> None:
        kind = params.get("navigationType", "")
        if not self._is_main(params) or "ameDocument" in kind:
            return
        self.navigating = True
        for effects in self._observed:
            effects.navigations += 1
        self._signal.notify()

    def _loading(self, params: Params) -> None:
        if self._is_main(params):
            self._signal.notify()

    def _stopped(self, params: Params) -> None:
        if self._is_main(params):
            self.navigating = False
            self._signal.notify()

    def _committed(self, params: Params) -> None:
        frame = params["frame"]
        if frame.get("parentId"):
            return
        self.navigating = self.crashed = False
        # A document that comes back from the cache is complete, and says nothing more.
        restored = params.get("type") == "BackForwardCacheRestore"
        failure = self._failure_of(frame) if "unreachableUrl" in frame else ""
        self.document = DocumentState(frame["loaderId"], restored, restored, failure=failure)
        self._in_flight.clear()
        self._note_move()

    def _moved(self, params: Params) -> None:
        if self._is_main(params):
            self._note_move()

    def _note_move(self) -> None:
        main = self._frames.main
        for effects in self._observed:
            effects.moved_to = main.url if main else ""
        self._signal.notify()

    def _advanced(self, params: Params) -> None:
        if not self._is_main(params) or params["loaderId"] != self.document.loader:
            return
        if params["name"] == "DOMContentLoaded":
            self.document.ready = True
        elif params["name"] == "load":
            self.document.ready = self.document.loaded = True
        self._signal.notify()

    def _fired(self, channel: Channel, *, loaded: bool) -> None:
        # The same news as a lifecycle event, but up to ten milliseconds earlier.
        main = self._frames.main
        if main is not None and main.channel is channel:
            self.document.ready = True
            self.document.loaded = self.document.loaded or loaded
            self._signal.notify()

    def _request(self, params: Params) -> None:
        if params.get("type") not in _AWAITED or not self._observed:
            return
        if params["type"] == "Script" and not params.get("loaderId"):
            return  # a worker's own, of whose end the tab is not told
        self._in_flight[params["requestId"]] = None
        for effects in self._observed:
            effects.requests.add(params["requestId"])
        self._signal.notify()

    def _request_answered(self, params: Params) -> None:
        if params["requestId"] in self._in_flight:
            self._in_flight[params["requestId"]] = time.monotonic()
            self._signal.notify()

    def _request_done(self, params: Params) -> None:
        if params["requestId"] in self._in_flight:
            del self._in_flight[params["requestId"]]
            self._signal.notify()

    def _request_failed(self, params: Params) -> None:
        if params.get("type") == "Document":
            self._last_failure = (params["requestId"], params.get("errorText", ""))
        self._request_done(params)

    def _failure_of(self, frame: Params) -> str:
        """Return why a document could not be loaded; its request bears the loader's name."""
        request, error = self._last_failure
        return error if error and request == frame["loaderId"] else "the reason is unknown"

    def _crash(self, channel: Channel) -> None:
        main = self._frames.main
        if main is not None and main.channel is channel:
            self.crashed = True
            self._signal.notify()
