"""Drawing: keeps a tab drawing while an agent waits for what is drawn, wherever the tab is."""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from tabmux.cdp.channel import Channel

# Seen in Chromium 156: a tab in the background that has rested for 100 ms draws one frame a second,
# so that a movement of the mouse is acknowledged after a second, and a picture never ends.
# A screencast, however small, keeps the frames coming.
SMALLEST_SCREENCAST = {
    "format": "jpeg",
    "quality": 1,
    "maxWidth": 16,
    "maxHeight": 16,
    "everyNthFrame": 1000,
}

# A script or a wait that takes longer may be waiting for a frame.
SLOW_SECONDS = 0.1
# Other actions say themselves when they wait for one. With many agents everything takes a while,
# and frames that nobody waits for take Chrome's time from all of them: sixteen agents did a
# quarter less, and a start costs Chrome as much as two clicks.
SLOW_ACTION_SECONDS = 1.0
# What a script does late, it mostly does without a frame.
FRAMELESS_SECONDS = 0.1
# Chromium 156 lets a page do nothing after a press until it has drawn, or for 50 ms. A page whose
# first timer comes so late, while Chrome itself answers in time, waits for a frame; where both are
# late the machine is busy, and frames would make it busier. How long that is taken for known, when
# drawing begins then, and how many tabs of a browser may draw for that at once.
HELD_SECONDS = 0.025
IN_TIME_SECONDS = 0.01
HELD_KNOWN_SECONDS = 60.0
HELD_PATIENCE_SECONDS = 0.003
MOST_HELD = 3
# Who has taken a picture goes on by pictures: the next one comes soon after another call.
BY_PICTURES_SECONDS = 60.0


class Drawing:
    """A lease on the drawing of one tab; one that nobody works in draws as Chrome likes.

    Args:
        channel: The tab.
        seconds: How long it goes on after it was last needed: starting costs more than keeping.
        tabs: Those of the same browser that draw now, kept up to date by them.
    """

    def __init__(self, channel: Channel, seconds: float, tabs: set[Drawing] | None = None) -> None:
        self._channel, self._seconds = channel, seconds
        self._tabs = set[Drawing]() if tabs is None else tabs
        self.is_on = False
        self._held = float("-inf")
        self._lent = 0
        self._needed = 0.0
        self._pictured = float("-inf")
        self._holders = 0
        self._timer: asyncio.TimerHandle | None = None
        channel.on_close(self._closed)

    def keep(self) -> None:
        """Have the tab draw from now until a while after the last such call."""
        self._needed = time.monotonic()
        if self.is_on or self._lent:
            return
        self.is_on = True
        self._tabs.add(self)
        self._channel.send("Page.startScreencast", SMALLEST_SCREENCAST)
        self._look_in(self._seconds)

    def keep_for_picture(self) -> None:
        """Have the tab draw for a picture, and again with each call that may precede another.

        The first frame of a tab that has rested takes twice as long as all that follow.
        """
        self._pictured = time.monotonic()
        self.keep()

    def note_call(self) -> None:
        """Note that an agent does something in the tab."""
        if time.monotonic() - self._pictured < BY_PICTURES_SECONDS:
            self.keep()

    @contextmanager
    def keep_if_slow(self, seconds: float = SLOW_SECONDS) -> Iterator[None]:
        """Have the tab draw in the block once that takes so long.

        Most actions wait for no frame, and are through before the first one would be drawn.
        """
        loop, context = asyncio.get_running_loop(), contextvars.Context()
        timer = loop.call_later(seconds, self.keep, context=context)
        self._holders += 1
        try:
            yield
        finally:
            timer.cancel()
            self._holders -= 1

    @contextmanager
    def keep_if_held(self) -> Iterator[None]:
        """Have the tab draw while its page comes to rest, if that was seen to wait for frames."""
        is_known = time.monotonic() - self._held < HELD_KNOWN_SECONDS
        draws = is_known and len(self._tabs) < MOST_HELD
        with self.keep_if_slow(HELD_PATIENCE_SECONDS) if draws else nullcontext():
            yield

    def note_lateness(self, page: float, way: float) -> None:
        """Note how late a page came to its turn after an action.

        Args:
            page: Seconds by which its first timer was late.
            way: Seconds that question and answer took beside what the page itself took.
        """
        if page > HELD_SECONDS and way < IN_TIME_SECONDS:
            self._held = time.monotonic()

    def lend(self) -> None:
        """Leave the tab's only screencast to whoever films, which keeps the tab drawing as well."""
        self._lent += 1
        self._stop()

    def take_back(self) -> None:
        """Note that the film is over."""
        self._lent -= 1

    def _end_if_idle(self) -> None:
        left = self._needed + self._seconds - time.monotonic()
        if not self.is_on:
            return
        if self._holders:
            self._look_in(self._seconds)
        elif left > 0:
            self._look_in(left)
        else:
            self._stop()

    def _look_in(self, seconds: float) -> None:
        # It outlives the call that asked for it, of which it must not keep anything.
        context = contextvars.Context()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(seconds, self._end_if_idle, context=context)

    def _closed(self, reason: object) -> None:
        """Let go of a tab that is gone."""
        self._tabs.discard(self)
        if self._timer is not None:
            self._timer.cancel()

    def _stop(self) -> None:
        if self.is_on:
            self.is_on = False
            self._tabs.discard(self)
            self._channel.send("Page.stopScreencast")
