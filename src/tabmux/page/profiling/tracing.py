"""Tracing: records what Chrome does for a page as a performance trace, until the page is idle."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tabmux.cdp.channel import Channel, Params, Sink, read_stream
from tabmux.errors import Busy, DeadlineExceeded, Misuse, ProtocolFault, TabmuxError
from tabmux.page.library import source

if TYPE_CHECKING:
    from tabmux.page.page import Page

# What the insights are drawn from.
_CATEGORIES = (
    "blink.user_timing",
    "devtools.timeline",
    "disabled-by-default-devtools.screenshot",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.stack",
    "disabled-by-default-devtools.v8-source-rundown",
    "disabled-by-default-devtools.v8-source-rundown-sources",
    # Without this one a LayoutShift names its nodes by number only (Chromium 156).
    "disabled-by-default-layout_shift.debug",
    "disabled-by-default-v8.cpu_profiler",
    "loading",
    "v8.execute",
)
# Says which node changed and why.
_INVALIDATION_CATEGORIES = ("disabled-by-default-devtools.timeline.invalidationTracking",)
START_SECONDS = 15.0
# Chrome collects the buffers of all its processes before it says that it is done.
END_SECONDS = 150.0
GIVE_UP_SECONDS = 3.0
# Chrome waits five seconds for a process that does not say that it has stopped.
ADOPT_SECONDS = 15.0
CHUNK = 1 << 19
# Nothing for this long means that the page is done with it.
QUIET_SECONDS = 1.0
# The duration of an event is known some time after its effect is on the screen.
PAINT_MARGIN_MILLISECONDS = 100
PAINT_SECONDS = 1.0
# These stay open for as long as they like.
_ENDLESS = frozenset({"EventSource", "WebSocket", "Ping", "Media", "Preflight"})


@dataclass(frozen=True)
class TraceConfig:
    """What to record.

    Attributes:
        changes: Also why nodes changed; large on long recordings, so for page loads.
        buffer_kilobytes: How much Chrome may keep before it drops events.
    """

    changes: bool = False
    buffer_kilobytes: int = 800_000

    @property
    def other(self) -> TraceConfig:
        """The config of the other kind of recording."""
        return replace(self, changes=not self.changes)

    @property
    def categories(self) -> Sequence[str]:
        """The names by which Chrome knows what to record."""
        return [*_CATEGORIES, *(_INVALIDATION_CATEGORIES if self.changes else ())]


class Tracing:
    """The recordings of one page.

    Chrome records for one page at a time in the whole browser (seen in Chromium 156).
    """

    def __init__(self, page: Page, channel: Channel, used: set[TraceConfig]) -> None:
        self._page, self._channel = page, channel
        # The configs that pages of the browser have been recorded with.
        self._used = used
        self._idle = PageIdle(page)
        self._began = 0.0
        self._complete: asyncio.Future[Params] | None = None
        self._wanted = True
        self._adopting = False
        self._timer: asyncio.TimerHandle | None = None
        # Where the last recording was written to.
        self.file: Path | None = None
        # Where the one that goes on is to be written to, unless whoever stops it says otherwise.
        self.planned_file: Path | None = None
        # Whether somebody must stop it, rather than it stopping by itself.
        self.manual = False
        channel.on("Tracing.tracingComplete", self._completed)

    @property
    def recording(self) -> bool:
        """Whether Chrome records for this page now, or is about to."""
        return self._adopting or self._is_under_way

    @property
    def _is_under_way(self) -> bool:
        return self._complete is not None and not self._complete.done() and self._channel.is_open

    @property
    def seconds(self) -> float:
        """How long the recording has been going on."""
        return time.monotonic() - self._began

    async def start(self, config: TraceConfig, *, manual: bool, adopt: bool = False) -> None:
        """Begin to record.

        Args:
            config: What to record.
            manual: Whether it goes on until somebody stops it.
            adopt: Whether the page may have a process that began during another recording,
                even if none of ours was another.
        """
        if self.recording:
            raise Busy(
                f"Page {self._page.id} is already being recorded.",
                hint="Call performance_stop_trace first.",
            )
        if adopt or config.other in self._used:
            await self._adopt(config.other)
        await self._begin(config, manual=manual)
        self._used.add(config)

    async def _adopt(self, config: TraceConfig) -> None:
        """Take over what the page's process may have begun to record by itself, and drop it.

        Chrome tells a process that starts during a recording to record the same, even for a
        page that comes later. Until a recording with the very same config takes that over, others
        lack the main thread of the process now and then (seen in Chromium 156).
        """
        self._adopting = True
        try:
            await self._begin(config, manual=False)
            self.discard()
            if not await self._page.signal.until(lambda: not self._is_under_way, ADOPT_SECONDS):
                raise DeadlineExceeded("Chrome did not get ready to record.", hint="Try again.")
        finally:
            self._adopting = False

    async def _begin(self, config: TraceConfig, *, manual: bool) -> None:
        self._forget()
        loop = asyncio.get_running_loop()
        self._complete, self._wanted, self.manual = loop.create_future(), True, manual
        self._began = time.monotonic()
        starting = self._channel.call("Tracing.start", _command(config), timeout=START_SECONDS)
        try:
            await asyncio.shield(starting)
        except ProtocolFault as error:
            self._forget()
            raise _refusal(error) from error
        except BaseException:
            # Chrome does not end what it has not yet started.
            starting.add_done_callback(lambda _: self.discard())
            raise
        # A recording that nobody stops would keep every other page of the browser from recording.
        limit = self._page.timings.trace_limit
        self._timer = loop.call_later(limit, self._channel.send, "Tracing.end")

    async def quiet(self, limit: float) -> None:
        """Wait until the page is at rest, or for `limit` seconds."""
        await self._idle.wait(limit)

    def check(self) -> None:
        """Refuse to stop what has not been started."""
        if self._complete is None or not self._wanted:
            raise Misuse(
                f"Page {self._page.id} is not being recorded.",
                hint="Call performance_start_trace first.",
            )

    async def stop(self, sink: Sink) -> bool:
        """End the recording and hand it over as JSON; tells whether Chrome lost events.

        Args:
            sink: Takes the bytes, piece by piece, in another thread.
        """
        self.check()
        await self._idle.painted()
        try:
            outcome = await self._end()
            await read_stream(self._channel, outcome["stream"], sink, CHUNK)
        finally:
            self.discard()
        return bool(outcome.get("dataLossOccurred"))

    def discard(self) -> None:
        """End the recording, if it still goes on, and forget it."""
        if not self._is_under_way:
            self._forget()
            return
        # It is over when Chrome says so; until then no other page can be recorded.
        self._wanted = self.manual = False
        self._channel.send("Tracing.end")

    async def give_up(self) -> None:
        """End the recording, if there is one, and wait until Chrome has ended it."""
        self.discard()
        await self._page.signal.until(lambda: not self.recording, GIVE_UP_SECONDS)

    async def _end(self) -> Params:
        assert self._complete is not None
        try:
            async with asyncio.timeout(END_SECONDS):
                if not self._complete.done():
                    await self._channel.call("Tracing.end", timeout=END_SECONDS)
                return await asyncio.shield(self._complete)
        except TimeoutError as error:
            raise DeadlineExceeded("Chrome did not hand over the recording.") from error

    def _completed(self, params: Params) -> None:
        if self._complete is not None and self._wanted:
            self._complete.set_result(params)
        else:
            self._channel.send("IO.close", {"handle": params.get("stream", "")})
            self._forget()
        self._page.signal.notify()

    def _forget(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._complete = self._timer = None
        self._page.signal.notify()


def _command(config: TraceConfig) -> Params:
    return {
        # Not gzipped: Chromium 156 compresses when it has nothing better to do, which while
        # its first tab is busy means a minute after its start.
        "transferMode": "ReturnAsStream",
        "traceConfig": {
            "recordMode": "recordUntilFull",
            "traceBufferSizeInKb": config.buffer_kilobytes,
            "includedCategories": config.categories,
            "excludedCategories": ["*"],
        },
    }


def _refusal(error: ProtocolFault) -> Busy | ProtocolFault:
    if "already been started" not in error.message:
        return error
    return Busy(
        "Somebody outside tabmux records a trace in this browser; Chrome records one at a time.",
        hint="Stop it there (perhaps in an open DevTools window), then try again.",
    )


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
