"""Page idleness: waits until a page that was loading has come to rest."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING

from tabmux.cdp.channel import Channel, Params
from tabmux.errors import TabmuxError
from tabmux.page.library import source

if TYPE_CHECKING:
    from tabmux.page.page import Page

# Nothing for this long means that the page is done with it.
QUIET_SECONDS = 1.0
# The duration of an event is known some time after its effect is on the screen.
PAINT_MARGIN_MILLISECONDS = 100
PAINT_SECONDS = 1.0
# These stay open for as long as they like.
_ENDLESS = frozenset({"EventSource", "WebSocket", "Ping", "Media", "Preflight"})


class PageIdle:
    """Follows a page's requests, and asks its main thread about long tasks."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._in_flight: set[str] = set()
        self._last = 0.0
        page.frames.on_channel(self._listen)

    async def wait(self, limit: float) -> None:
        """Wait until neither the network nor the main thread is busy, or until `limit`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limit):
                while True:
                    await asyncio.gather(self._network_idle(limit), self._main_thread_idle(limit))
                    if self._seconds_left <= 0 and not self._in_flight:
                        return

    @property
    def _seconds_left(self) -> float:
        return self._last + QUIET_SECONDS - time.monotonic()

    async def _network_idle(self, limit: float) -> None:
        """Wait until no request has been under way for a while."""
        await self._page.signal.until(lambda: not self._in_flight, limit)
        await asyncio.sleep(max(0, self._seconds_left))

    async def painted(self) -> None:
        """Wait until the effect of the last event is on the screen, but not for long."""
        with contextlib.suppress(TabmuxError):
            await self._ask("painted", PAINT_SECONDS, PAINT_MARGIN_MILLISECONDS)

    async def _main_thread_idle(self, limit: float) -> None:
        """Wait until the main thread has had no long task for a while."""
        try:
            await self._ask("main_thread_idle", limit + 1, QUIET_SECONDS * 1000, limit * 1000)
        except TabmuxError:
            # The document went away meanwhile; the next one is asked.
            await self._page.signal.wait(QUIET_SECONDS / 2)

    async def _ask(self, script: str, timeout: float, *args: float) -> None:
        frame = self._page.main
        command = {
            "functionDeclaration": source(script),
            "executionContextId": frame.world,
            "arguments": [{"value": value} for value in args],
            "awaitPromise": True,
        }
        await frame.channel.call("Runtime.callFunctionOn", command, timeout=timeout)

    def _listen(self, channel: Channel) -> None:
        channel.on("Network.requestWillBeSent", self._sent)
        channel.on("Network.responseReceived", self._answered)
        channel.on("Network.loadingFinished", self._done)
        channel.on("Network.loadingFailed", self._done)
        channel.on("Page.frameNavigated", self._navigated)

    def _sent(self, params: Params) -> None:
        if params.get("type") not in _ENDLESS:
            self._in_flight.add(params["requestId"])
            self._last = time.monotonic()

    def _answered(self, params: Params) -> None:
        # A script that does not read the body of an answer never finishes the request.
        if params.get("type") == "Fetch":
            self._done(params)

    def _done(self, params: Params) -> None:
        if params["requestId"] in self._in_flight:
            self._in_flight.discard(params["requestId"])
            self._last = time.monotonic()
            self._page.signal.notify()

    def _navigated(self, params: Params) -> None:
        if not params["frame"].get("parentId"):
            self._in_flight.clear()
            self._page.signal.notify()
