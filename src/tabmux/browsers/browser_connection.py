"""Browser connection: attempts to connect, heartbeats, and what is there while connected."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from tabmux.browsers.browser_state import BrowserState, ConnectionEvent, ConnectionHistory
from tabmux.browsers.url_filter import UrlFilter
from tabmux.cdp.cdp_connection import CdpConnection
from tabmux.cdp.channel import Channel
from tabmux.errors import BrowserTrouble, DeadlineExceeded, InternalError, SystemLimit, TabmuxError
from tabmux.timings import Timings

logger = logging.getLogger(__name__)


class Attachment:
    """What exists only while a browser is connected: the connection, and what was set up over it.

    Args:
        connection: The connection.
        url_filter: What holds pages to the policy, where there is one that restricts them.
    """

    def __init__(self, connection: CdpConnection, url_filter: UrlFilter | None) -> None:
        self._connection, self._url_filter = connection, url_filter
        # The ids of isolated contexts, by the names that agents gave them.
        self.contexts: dict[str, str] = {}

    @property
    def is_open(self) -> bool:
        """Whether commands can still be sent."""
        return self._connection.is_open

    @property
    def channel(self) -> Channel:
        """The browser's own CDP channel."""
        return self._connection.browser

    async def start_url_filter(self) -> None:
        """Hold pages to the policy from now on."""
        if self._url_filter is not None:
            await self._url_filter.start()

    async def hold(self, target: str) -> None:
        """Hold a tab to the policy that it has now."""
        if self._url_filter is not None:
            await self._url_filter.watch(target)

    def rules_changed(self, target: str) -> None:
        """Hold a tab that is held already to the policy that it has now."""
        if self._url_filter is not None and self._connection.is_open:
            self._url_filter.update(target)

    def renew_rules(self, target: str) -> None:
        """Hold a tab to the same policy anew, after another client has let go of it."""
        if self._url_filter is not None and self._connection.is_open:
            self._url_filter.renew(target)

    async def attach(self, target: str) -> Channel:
        """Return a channel to a tab, which is held to the policy first."""
        await self.hold(target)
        attached = await self.channel.call(
            "Target.attachToTarget", {"targetId": target, "flatten": True}
        )
        channel = self.channel.child(attached["sessionId"])
        if channel is None:
            raise BrowserTrouble("The tab was closed while tabmux took hold of it.")
        return channel

    async def lost(self) -> str:
        """Wait until the connection ends, and return the reason."""
        return str(await asyncio.shield(self._connection.closed))

    async def until_ended(self, stop: asyncio.Event, pause: float, silence: float) -> str:
        """Wait for the end, whichever side it comes from, and return the reason.

        Args:
            stop: Set when nobody wants it any more.
            pause: Seconds between two looks whether the browser is alive.
            silence: Seconds after which one that does not answer is given up.
        """
        closed = self._connection.closed
        async with asyncio.TaskGroup() as group:
            stopping = group.create_task(stop.wait())
            beating = group.create_task(self._send_heartbeats(pause, silence))
            await asyncio.wait({stopping, closed}, return_when=asyncio.FIRST_COMPLETED)
            stopping.cancel()
            beating.cancel()
        return str(closed.result() if closed.done() else "disconnected")

    async def _send_heartbeats(self, pause: float, silence: float) -> None:
        """Ask for a sign of life now and then: a stopped process keeps its socket open."""
        while self.is_open:
            await asyncio.sleep(pause)
            try:
                await self.channel.call("Browser.getVersion", timeout=silence)
            except DeadlineExceeded:
                self._connection.lose("the browser gave no sign of life")
            except TabmuxError:
                return


class Attach(Protocol):
    """Connects a browser for the length of a block."""

    def __call__(
        self, stop: asyncio.Event, *, run_start_command: bool
    ) -> AbstractAsyncContextManager[Attachment]:
        """Give what exists while it is connected; `stop` is set when nobody wants it any more."""


class Connector:
    """Where the connection to one browser stands, and the task that holds it.

    Args:
        index: The browser's place in the registry.
        label: What errors and the log call the browser.
        attach: Connects it.
        cancels_attempts: Whether an attempt is cancelled when nobody wants the browser any more.
        cools_down: Whether calls wait a while after a failure before they try again.
        silence: Seconds after which a browser that does not answer is given up.
        changed: Told of every change of state.
        lost: Told that a connection ended although nobody asked for it.
        timings: How long to wait for what.
    """

    def __init__(
        self,
        index: int,
        label: str,
        attach: Attach,
        *,
        cancels_attempts: bool,
        cools_down: bool,
        silence: float,
        changed: Callable[[], None],
        lost: Callable[[], None],
        timings: Timings,
    ) -> None:
        self.history = ConnectionHistory()
        # When it is tried again in the background.
        self.retry_at: float | None = None
        self._index, self._label = index, label
        self._attach, self._cancels_attempts, self._cools_down = (
            attach,
            cancels_attempts,
            cools_down,
        )
        self._changed, self._lost, self._timings = changed, lost, timings
        self._silence = silence
        self._lock = asyncio.Lock()
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def state(self) -> BrowserState:
        """Where the connection stands."""
        return self.history.state

    def wait(self) -> float:
        """Return how many seconds must pass before a call may try to connect again."""
        if not self._cools_down:
            return 0.0  # it is started, or comes by itself: nothing is gained by waiting
        return self.history.wait(time.monotonic(), self._timings.cool_down)

    def next_attempt(self) -> str:
        """Say when it is tried again, by itself or by a call; nothing if a call may at once."""
        if self.state is BrowserState.CONNECTED:
            return ""
        if self.retry_at is not None and (planned := self.retry_at - time.monotonic()) > 0:
            return f"in {planned:.0f} s"
        wait = self.wait()
        return f"with the first call after {wait:.0f} s" if wait else ""

    async def connect(
        self, group: asyncio.TaskGroup, *, force: bool, run_start_command: bool
    ) -> None:
        """Connect unless it is done; everyone who asks meanwhile waits for the same attempt."""
        asked = time.monotonic()
        async with self._lock:
            if self.state is BrowserState.CONNECTED:
                return
            if self.history.last_attempt is not None and self.history.last_attempt > asked:
                raise BrowserTrouble(self.history.last_error, hint="Call list_browsers.")
            if not force and self.wait():
                raise BrowserTrouble(
                    f"The browser {self._label} is {self.state}: {self.history.last_error}",
                    hint=f"It is tried again {self.next_attempt()}; "
                    "reconnect_browser tries at once.",
                )
            await self._attempt(group, run_start_command=run_start_command)

    def disconnect(self) -> None:
        """End the connection, or the attempt."""
        self._stop.set()
        if self._task is None or self.state is not BrowserState.CONNECTING:
            return
        # Other attempts come to an end by themselves, or look at `stop`.
        if self._cancels_attempts:
            self._task.cancel()

    async def ended(self) -> None:
        """Wait until the last connection has been cleared up."""
        if self._task is not None:
            # Its browser may still hold the profile.
            await asyncio.wait({self._task})

    async def _attempt(self, group: asyncio.TaskGroup, *, run_start_command: bool) -> None:
        await self.ended()
        self._step(ConnectionEvent.ATTEMPT)
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._stop = asyncio.Event()
        # It outlives the call that asked for it, of which it must not keep anything.
        context = contextvars.Context()
        holding = self._hold(ready, self._stop, run_start_command)
        self._task = group.create_task(holding, context=context)
        self._task.add_done_callback(lambda _: self._call_off(ready), context=context)
        await asyncio.shield(ready)

    def _call_off(self, ready: asyncio.Future[None]) -> None:
        """Tell whoever waits for an attempt that ended without an outcome."""
        if not ready.done():
            self._fail(ready, BrowserTrouble("The attempt to connect was called off."))

    async def _hold(
        self, ready: asyncio.Future[None], stop: asyncio.Event, run_start_command: bool
    ) -> None:
        """Hold the connection until it is lost or no longer wanted."""
        try:
            async with self._attach(stop, run_start_command=run_start_command) as attachment:
                self._step(ConnectionEvent.SUCCESS)
                ready.set_result(None)
                reason = await attachment.until_ended(stop, self._timings.heartbeat, self._silence)
                self._step(ConnectionEvent.LOSS, "" if stop.is_set() else reason)
        except (TabmuxError, OSError, TimeoutError) as error:
            self._fail(ready, error)
        except Exception:  # the rim: what goes wrong with one browser leaves the others alone
            logger.exception("Browser %d (%s) failed", self._index, self._label)
            self._fail(ready, InternalError(f"tabmux failed with the browser {self._label}"))
        if ready.exception() is None and not stop.is_set():
            self._lost()

    def _fail(self, ready: asyncio.Future[None], error: Exception) -> None:
        if isinstance(error, OSError):
            error = SystemLimit.of(error, "The browser could not be reached") or error
        text = error.message if isinstance(error, TabmuxError) else str(error) or "it took too long"
        if self.state is BrowserState.CONNECTING:
            self._step(ConnectionEvent.FAILURE, text)
        elif self.state is BrowserState.CONNECTED:
            self._step(ConnectionEvent.LOSS, text)
        if not ready.done():
            ready.set_exception(error if isinstance(error, TabmuxError) else BrowserTrouble(text))
            ready.exception()  # whoever asked may have gone
        else:
            logger.warning("Browser %d: %s", self._index, text)

    def _step(self, event: ConnectionEvent, error: str = "") -> None:
        self.history = self.history.after(event, time.monotonic(), error)
        logger.info("Browser %d (%s): %s %s", self._index, self._label, self.state, error)
        self._changed()
