"""Live frames: the newest picture of a tab for those who watch it."""

from __future__ import annotations

import asyncio
import base64
import contextvars
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tabmux.cdp.channel import Channel, Params

if TYPE_CHECKING:
    from tabmux.page.page import Page

# Seen in Chromium 156: a third frame that is not acknowledged is the last one, and what is drawn
# from then on is dropped, also the picture that stays. Only a new screencast shows that.
MOST_UNACKNOWLEDGED = 3
REFRESH_SECONDS = 0.25
# While the tab's only screencast belongs to a recording.
CAPTURE_SECONDS = 0.5
CAPTURE_DEADLINE = 5.0
_numbers = itertools.count(1)


@dataclass(frozen=True)
class LiveFrame:
    """A picture of a viewport, and how large that is in CSS pixels."""

    number: int
    jpeg: bytes
    width: float
    height: float


class FrameWatcher(Protocol):
    """Somebody who watches a tab.

    Attributes:
        side: The longest side of the pictures that are wanted.
        pause: The least number of seconds between two of them.
    """

    side: int
    pause: float

    def note(self, frame: LiveFrame) -> None:
        """Take the newest picture; never waits."""


class LiveFrames:
    """Films one tab for as long as somebody watches it; the newest picture counts.

    The tab has one screencast, which a recording may need for itself: then it is photographed.
    """

    def __init__(self, page: Page, channel: Channel) -> None:
        self._page, self._channel = page, channel
        self.newest: LiveFrame | None = None
        self._watchers: list[FrameWatcher] = []
        self._ignore: Callable[[], None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._unacknowledged = 0
        self._has_missed = self._is_suspended = False
        self._acknowledged = 0.0
        self._side = 0
        page.on_closed(self._closed)

    def watch(self, watcher: FrameWatcher) -> Callable[[], None]:
        """Tell a watcher of every new picture, and of the newest at once; returns how to stop."""
        self._watchers.append(watcher)
        self._film()
        if self.newest is not None:
            watcher.note(self.newest)

        def stop() -> None:
            if watcher in self._watchers:
                self._watchers.remove(watcher)
                self._film()

        return stop

    def suspend(self) -> None:
        """Leave the tab's screencast to a recording."""
        self._stop()
        self._is_suspended = True
        self._film()

    def resume(self) -> None:
        """Film again, if somebody watches: the recording is over."""
        self._is_suspended = False
        self._cancel()
        self._film()

    @property
    def is_filming(self) -> bool:
        """Whether the tab's screencast is on for those who watch."""
        return self._ignore is not None

    @property
    def _pause(self) -> float:
        return min((each.pause for each in self._watchers), default=1.0)

    def _film(self) -> None:
        """Film as large as somebody wants it, or not at all."""
        side = max((each.side for each in self._watchers), default=0)
        if self._page.gone:
            return
        if self._is_suspended:
            if side and self._timer is None:
                self._after(0, self._photograph)
        elif side != self._side:
            self._stop()
            if side:
                self._start(side)

    def _start(self, side: int) -> None:
        self._side = side
        self._page.drawing.lend()
        self._ignore = self._channel.on("Page.screencastFrame", self._on_frame)
        quality = 75 if side > 640 else 55
        wanted = {"format": "jpeg", "quality": quality, "maxWidth": side, "maxHeight": side}
        self._channel.send("Page.startScreencast", wanted)

    def _stop(self) -> None:
        self._cancel()
        if self._ignore is not None:
            self._ignore()
            self._ignore = None
            if not self._page.gone:
                self._channel.send("Page.stopScreencast")
            self._page.drawing.take_back()
        self._side = self._unacknowledged = 0
        self._has_missed = False

    def _on_frame(self, params: Params) -> None:
        self._unacknowledged += 1
        self._has_missed = self._unacknowledged >= MOST_UNACKNOWLEDGED
        shown = params["metadata"]
        self._tell(params["data"], shown["deviceWidth"], shown["deviceHeight"])
        left = self._acknowledged + self._pause - time.monotonic()
        if self._unacknowledged == 1:
            self._after(max(0.0, left), self._acknowledge, params["sessionId"])

    def _acknowledge(self, ident: int) -> None:
        self._acknowledged = time.monotonic()
        for _ in range(self._unacknowledged):
            self._channel.send("Page.screencastFrameAck", {"sessionId": ident})
        self._unacknowledged = 0
        if self._has_missed:
            self._after(REFRESH_SECONDS + self._pause, self._refresh)

    def _refresh(self) -> None:
        """Film anew, for the last picture may have been dropped."""
        side = self._side
        self._stop()
        self._start(side)

    def _photograph(self) -> None:
        if not self._watchers or self._page.gone:
            return
        wanted = {"format": "jpeg", "quality": 60}
        asyncio.gather(
            self._channel.call("Page.getLayoutMetrics", timeout=CAPTURE_DEADLINE),
            self._channel.call("Page.captureScreenshot", wanted, timeout=CAPTURE_DEADLINE),
        ).add_done_callback(self._photographed)

    def _photographed(self, taken: asyncio.Future[tuple[Params, Params]]) -> None:
        if not taken.cancelled() and taken.exception() is None:
            metrics, picture = taken.result()
            view = metrics["cssVisualViewport"]
            scale = view["scale"]
            self._tell(picture["data"], view["clientWidth"] * scale, view["clientHeight"] * scale)
        if self._is_suspended and self._watchers:
            self._after(max(CAPTURE_SECONDS, self._pause), self._photograph)

    def _tell(self, data: str, width: float, height: float) -> None:
        jpeg = base64.b64decode(data)
        self.newest = frame = LiveFrame(next(_numbers), jpeg, width, height)
        for watcher in list(self._watchers):
            watcher.note(frame)

    def _after(self, seconds: float, work: Callable[..., None], *arguments: int) -> None:
        self._cancel()
        loop, context = asyncio.get_running_loop(), contextvars.Context()
        self._timer = loop.call_later(seconds, self._due, work, *arguments, context=context)

    def _due(self, work: Callable[..., None], *arguments: int) -> None:
        self._timer = None
        if not self._page.gone:
            work(*arguments)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _closed(self) -> None:
        self._cancel()
        self._watchers.clear()
