"""Drawing: keeps a tab drawing while an agent works in it, wherever the tab is."""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial

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

# The first frame costs more than a small script takes.
SLOW_SECONDS = 0.03


class Drawing:
    """A lease on the drawing of one tab; one that nobody works in draws as Chrome likes.

    Args:
        channel: The tab.
        seconds: How long it goes on after it was last needed: starting costs more than keeping.
    """

    def __init__(self, channel: Channel, seconds: float) -> None:
        self._channel, self._seconds = channel, seconds
        self.is_on = self._is_lent = False
        self._needed = 0.0
        self._holders = 0
        self._timer: asyncio.TimerHandle | None = None
        channel.on_close(self._closed)

    def keep(self) -> None:
        """Have the tab draw from now until a while after the last such call."""
        self._needed = time.monotonic()
        if self.is_on or self._is_lent:
            return
        self.is_on = True
        self._channel.send("Page.startScreencast", SMALLEST_SCREENCAST)
        self._look_in(self._seconds)

    @contextmanager
    def keep_during(self) -> Iterator[None]:
        """Have the tab draw during the block, however long that takes, and a while after it."""
        self._holders += 1
        self.keep()
        try:
            yield
        finally:
            self._holders -= 1
            self._needed = time.monotonic()

    @contextmanager
    def keep_if_slow(self) -> Iterator[None]:
        """Have the tab draw once the block takes a while; what is quick hardly waits for frames."""
        loop, context = asyncio.get_running_loop(), contextvars.Context()
        with ExitStack() as slow:
            begin = partial(slow.enter_context, self.keep_during())
            timer = loop.call_later(SLOW_SECONDS, begin, context=context)
            try:
                yield
            finally:
                timer.cancel()

    def lend(self) -> None:
        """Leave the tab's only screencast to a recording, which keeps the tab drawing as well."""
        self._is_lent = True
        self._stop()

    def take_back(self) -> None:
        """Note that the recording is over."""
        self._is_lent = False

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
        if self._timer is not None:
            self._timer.cancel()

    def _stop(self) -> None:
        if self.is_on:
            self.is_on = False
            self._channel.send("Page.stopScreencast")
