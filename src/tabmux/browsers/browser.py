"""One browser: its connection and its tabs."""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from tabmux.browsers import startup
from tabmux.browsers.browser_state import (
    BrowserState,
    ConnectionEvent,
    ConnectionHistory,
    retry_delays,
)
from tabmux.browsers.chrome_process import chrome_process
from tabmux.browsers.downloads import Downloads
from tabmux.browsers.gate import Gate
from tabmux.browsers.health import Health
from tabmux.browsers.spec import BrowserSpec
from tabmux.browsers.url_filter import UrlFilter
from tabmux.cdp.channel import CdpConnection, Channel, Params
from tabmux.cdp.discovery import find_endpoint, read_active_port
from tabmux.cdp.transport import Transport
from tabmux.cdp.websocket import connect_websocket
from tabmux.errors import BrowserTrouble, DeadlineExceeded, Misuse, TabmuxError
from tabmux.page.page import Page
from tabmux.page.profiling.tracing import TraceConfig
from tabmux.page.workers import WorkerNames
from tabmux.policy import UrlPolicy
from tabmux.timings import Timings

logger = logging.getLogger(__name__)

CONNECT_SECONDS = 30.0
CLOSE_SECONDS = 5.0
_HIDDEN = ("devtools://", "chrome-extension://", "chrome-untrusted://", "chrome://")
_SHOWN = ("chrome://newtab", "chrome://new-tab-page")

# A browser that a command has just started gets longer to come up.
START_ATTEMPTS = 6

Opened = Callable[[Page, Page], None]
Closed = Callable[[Page], None]


class Browser:
    """A browser that is connected when somebody needs it.

    Args:
        index: Its place in the registry, from 1.
        spec: How to reach it.
        page_ids: Where page ids come from; they are unique in the process.
        opened: Told of a page that another page opened.
        closed: Told of a page that is gone.
        lost: Told that a connection ended although nobody asked for it.
        timings: How long to wait for what.
        urls: Where its pages may go.
        worker_names: What service workers are called; unique in the process too.
    """

    def __init__(
        self,
        index: int,
        spec: BrowserSpec,
        page_ids: itertools.count[int],
        opened: Opened,
        closed: Closed,
        lost: Callable[[Browser], None],
        timings: Timings,
        urls: UrlPolicy | None = None,
        worker_names: WorkerNames | None = None,
    ) -> None:
        self.index, self.spec = index, spec
        self.worker_names = worker_names or WorkerNames()
        self._plans: set[TraceConfig] = set()
        self.health = Health()
        self.gate = Gate()
        self.downloads = Downloads(self._pages_of_frame)
        self.urls = urls or UrlPolicy()
        self._guard: UrlFilter | None = None
        self._report_loss, self._timings = lost, timings
        self.life = ConnectionHistory()
        self.pages: dict[str, Page] = {}
        self._page_ids, self._opened, self._closed = page_ids, opened, closed
        self._contexts: dict[str, str] = {}
        self._connection: CdpConnection | None = None
        self._connecting = asyncio.Lock()
        self._stop: asyncio.Event | None = None
        self._living: asyncio.Task[None] | None = None
        # The tab that a browser starts with; the first session that needs one takes it.
        self.spare: Page | None = None
        self._watchers: list[Callable[[], None]] = []

    @property
    def name(self) -> str:
        """What the user calls it."""
        return self.spec.name

    @property
    def state(self) -> BrowserState:
        """Where the connection stands."""
        return self.life.state

    @property
    def channel(self) -> Channel:
        """The browser's own CDP channel."""
        if self._connection is None or not self._connection.is_open:
            raise BrowserTrouble(
                f"The browser {self.spec.label} is not connected.", hint="Call list_browsers."
            )
        return self._connection.browser

    @property
    def keeps_pages(self) -> bool:
        """Whether tabs are known again after a lost connection: an extension names them itself."""
        return self.spec.kind == "extension"

    @property
    def is_down_to_one_tab(self) -> bool:
        """Whether closing one more tab would close the browser."""
        # Through an extension we see only some of the tabs, and it sees to the last one.
        return self.spec.kind != "extension" and len(self.pages) <= 1

    def on_change(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Call `watcher` when tabs or the connection change; returns how to stop."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    @property
    def _calls_out(self) -> bool:
        """Whether it is reached at an address."""
        return self.spec.kind not in ("launch", "extension")

    @property
    def _is_unseen(self) -> bool:
        """Whether we started it without a window, so that nobody else uses it."""
        return self.spec.kind == "launch" and self.spec.launch.headless

    def visible_pages(self) -> list[Page]:
        """Return the tabs that an agent may know of, oldest first."""
        return [page for page in self.pages.values() if _is_shown(page.url)]

    def wait(self) -> float:
        """Return how many seconds must pass before a call may try to connect again."""
        if not self._calls_out:
            return 0.0  # it is started, or comes by itself: nothing is gained by waiting
        return self.life.wait(time.monotonic(), self._timings.cool_down)

    async def connect(
        self, group: asyncio.TaskGroup, *, force: bool = False, run_start_command: bool = False
    ) -> None:
        """Connect unless it is done; everyone who asks meanwhile waits for the same attempt.

        Args:
            group: What owns the task that holds the connection.
            force: Try even while the browser cools down after a failure.
            run_start_command: Start the browser by the user's command when it is unreachable.
        """
        asked = time.monotonic()
        async with self._connecting:
            if self.state is BrowserState.CONNECTED:
                return
            if self.life.last_attempt is not None and self.life.last_attempt > asked:
                raise BrowserTrouble(self.life.last_error, hint="Call list_browsers.")
            if not force and (seconds := self.wait()):
                raise BrowserTrouble(
                    f"The browser {self.spec.label} is {self.state}: {self.life.last_error}",
                    hint=f"tabmux may try again in {seconds:.0f} s; "
                    "reconnect_browser tries at once.",
                )
            await self._connect(group, run_start_command=run_start_command)

    def count(self, seconds: float, *, failed: bool) -> None:
        """Note one more call."""
        self.health = self.health.after(seconds, failed=failed)

    async def refresh(self) -> None:
        """Ask for the titles anew: Chrome does not tell when they change."""
        found = await self.channel.call("Target.getTargets", {"filter": [{"type": "page"}]})
        for info in found["targetInfos"]:
            if page := self.pages.get(info["targetId"]):
                page.target = info

    async def new_page(
        self, *, background: bool = True, context: str | None = None, session: str = ""
    ) -> Page:
        """Open a blank tab; an extension puts it into the tab group of the session."""
        command: Params = {"url": "about:blank", "background": background}
        if self.spec.kind == "extension":
            command["session"] = session
        if context is not None:
            command["browserContextId"] = await self._context(context)
        target = (await self.channel.call("Target.createTarget", command))["targetId"]
        page = self.pages.get(target) or self._add({"targetId": target, "url": "about:blank"})
        page.isolated_context = context
        return page

    async def close_page(self, page: Page) -> None:
        """Close a tab, and wait until Chrome says that it is closed."""
        if page.attached:
            # Seen in Chromium 156: a renderer crashes when a tab is closed while it is recorded
            # and another recording starts within the second.
            await page.tracing.give_up()
        await self.channel.call("Target.closeTarget", {"targetId": page.target_id})
        await page.signal.until(lambda: page.target_id not in self.pages, CLOSE_SECONDS)

    async def activate(self, page: Page) -> None:
        """Bring a tab to the front."""
        await self.channel.call("Target.activateTarget", {"targetId": page.target_id})

    async def resize(self, page: Page, width: int, height: int) -> None:
        """Give a tab's window the size at which its content has this one."""
        found = await self.channel.call("Browser.getWindowForTarget", {"targetId": page.target_id})
        window = found["windowId"]
        if found["bounds"].get("windowState", "normal") != "normal":
            await self.channel.call(
                "Browser.setWindowBounds",
                {"windowId": window, "bounds": {"windowState": "normal"}},
            )
        await self.channel.call(
            "Browser.setContentsSize", {"windowId": window, "width": width, "height": height}
        )

    async def lost(self) -> str:
        """Wait until the connection ends, and return the reason."""
        if self._connection is None:
            return self.life.last_error
        return str(await asyncio.shield(self._connection.closed))

    def disconnect(self) -> None:
        """End the connection, or the attempt; a browser that we launched ends with it."""
        if self._stop is not None:
            self._stop.set()
        # A launch comes to an end, and an extension looks at `_stop`; an address may be silent.
        if self._living is not None and self.state is BrowserState.CONNECTING and self._calls_out:
            self._living.cancel()

    async def ended(self) -> None:
        """Wait until the last connection has been cleared up."""
        if self._living is not None:
            # Its browser may still hold the profile.
            await asyncio.wait({self._living})

    async def _connect(self, group: asyncio.TaskGroup, *, run_start_command: bool) -> None:
        await self.ended()
        self._step(ConnectionEvent.ATTEMPT)
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._stop = asyncio.Event()
        self._living = group.create_task(self._live(ready, self._stop, run_start_command))
        self._living.add_done_callback(lambda _: self._called_off(ready))
        await asyncio.shield(ready)

    def _called_off(self, ready: asyncio.Future[None]) -> None:
        """Tell whoever waits for an attempt that ended without an outcome."""
        if not ready.done():
            self._failed(ready, BrowserTrouble("The attempt to connect was called off."))

    async def _live(
        self, ready: asyncio.Future[None], stop: asyncio.Event, run_start_command: bool
    ) -> None:
        """Hold the connection until it is lost or no longer wanted."""
        try:
            async with (
                self._link(run_start_command) as transport,
                self.downloads.received(in_own_folder=self._is_unseen),
            ):
                self._connection = CdpConnection(transport)
                await self._discover(self._connection)
                self._step(ConnectionEvent.SUCCESS)
                ready.set_result(None)
                await self._end(self._connection, stop)
        except (TabmuxError, OSError, TimeoutError) as error:
            self._failed(ready, error)
        finally:
            self._forget_pages(keep=self.keeps_pages and not stop.is_set())
        if ready.exception() is None and not stop.is_set():
            self._report_loss(self)

    async def _end(self, connection: CdpConnection, stop: asyncio.Event) -> None:
        """Wait for the end, whichever side it comes from."""
        async with asyncio.TaskGroup() as group:
            stopping = group.create_task(stop.wait())
            beating = group.create_task(self._beat(connection))
            await asyncio.wait({stopping, connection.closed}, return_when=asyncio.FIRST_COMPLETED)
            stopping.cancel()
            beating.cancel()
        reason = connection.closed.result() if connection.closed.done() else "disconnected"
        self._step(ConnectionEvent.LOSS, "" if stop.is_set() else str(reason))
        self._forget_pages(keep=self.keeps_pages and not stop.is_set())
        connection.close()

    async def _beat(self, connection: CdpConnection) -> None:
        """Ask for a sign of life now and then: a stopped process keeps its socket open."""
        while connection.is_open:
            await asyncio.sleep(self._timings.heartbeat)
            try:
                await connection.browser.call(
                    "Browser.getVersion", timeout=self._timings.heartbeat_deadline
                )
            except DeadlineExceeded:
                connection.lose("the browser gave no sign of life")
            except TabmuxError:
                return

    def _failed(self, ready: asyncio.Future[None], error: Exception) -> None:
        text = error.message if isinstance(error, TabmuxError) else str(error) or "it took too long"
        if self.state is BrowserState.CONNECTING:
            self._step(ConnectionEvent.FAILURE, text)
        if not ready.done():
            ready.set_exception(error if isinstance(error, TabmuxError) else BrowserTrouble(text))
            ready.exception()  # whoever asked may have gone
        else:
            logger.warning("Browser %d: %s", self.index, text)

    def _step(self, event: ConnectionEvent, error: str = "") -> None:
        self.life = self.life.after(event, time.monotonic(), error)
        logger.info("Browser %d (%s): %s %s", self.index, self.spec.label, self.state, error)
        self._tell()

    def _tell(self) -> None:
        for watcher in list(self._watchers):
            watcher()

    @asynccontextmanager
    async def _link(self, run_start_command: bool) -> AsyncIterator[Transport]:
        if self.spec.kind == "launch":
            walls = self.urls.launch_arguments(has_proxy=self.spec.launch.proxy is not None)
            options = replace(self.spec.launch, arguments=(*walls, *self.spec.launch.arguments))
            async with chrome_process(options) as pipe:
                yield pipe
            return
        transport = await self._reach(run_start_command)
        try:
            yield transport
        finally:
            transport.close()

    async def _reach(self, run_start_command: bool) -> Transport:
        if self.spec.dial is not None and self._stop is not None:
            return await self.spec.dial(self._stop.is_set)
        try:
            return await self._dial(retry_delays())
        except BrowserTrouble:
            if not (run_start_command and self.spec.start_command):
                raise
        await startup.run_start_command(self.spec.start_command)
        return await self._dial(retry_delays(START_ATTEMPTS))

    async def _dial(self, pauses: list[float]) -> Transport:
        """Try a few times: a browser that is just starting does not answer at once."""
        for pause in [*pauses, None]:
            try:
                endpoint = await self._endpoint()
                return await connect_websocket(endpoint, self.spec.headers)
            except BrowserTrouble:
                if pause is None:
                    raise
                await asyncio.sleep(pause)
        raise AssertionError("the last try raises or returns")

    async def _endpoint(self) -> str:
        if self.spec.kind == "auto":
            return await asyncio.to_thread(read_active_port, Path(self.spec.address))
        return await find_endpoint(self.spec.address, self.spec.headers)

    async def _discover(self, connection: CdpConnection) -> None:
        channel = connection.browser
        channel.on("Target.targetCreated", lambda p: self._created(p["targetInfo"]))
        channel.on("Target.targetInfoChanged", lambda p: self._changed(p["targetInfo"]))
        channel.on("Target.targetDestroyed", lambda p: self._destroyed(p["targetId"]))
        self.downloads.listen(channel)
        async with asyncio.timeout(CONNECT_SECONDS):
            if self.urls.is_restricted:
                if self.spec.kind == "extension":
                    raise BrowserTrouble(
                        "A browser that is reached through the extension cannot be held to "
                        "--allow-url and --deny-url."
                    )
                self._guard = UrlFilter(channel, self.urls, whole=self.spec.kind == "launch")
                await self._guard.start()
            await channel.call(
                "Target.setDiscoverTargets", {"discover": True, "filter": [{"type": "page"}]}
            )
            if self.spec.kind == "launch":
                self.spare = next(iter(self.pages.values()), None)
            if self.keeps_pages:
                await self._drop_missing(channel)

    async def _drop_missing(self, channel: Channel) -> None:
        """Forget the tabs that were closed or taken back while nobody could tell us."""
        found = await channel.call("Target.getTargets", {"filter": [{"type": "page"}]})
        for target in set(self.pages) - {info["targetId"] for info in found["targetInfos"]}:
            self._destroyed(target)

    def _created(self, info: Params) -> None:
        if info["type"] != "page" or info["targetId"] in self.pages:
            self._changed(info)
            return
        page = self._add(info)
        opener = self.pages.get(info.get("openerId", ""))
        if opener is not None:
            page.isolated_context = opener.isolated_context
            page.opener = opener.id
            self._opened(opener, page)
            self.downloads.claim(page.target_id, (page.id, opener.id))

    def _pages_of_frame(self, frame: str) -> tuple[int, ...]:
        """Return the tab that a frame is in, and the tab that opened it."""
        for page in self.pages.values():
            inside = page.attached and page.frames.get(frame) is not None
            if inside or page.target_id == frame:
                return (page.id,) if page.opener is None else (page.id, page.opener)
        return ()

    def _add(self, info: Params) -> Page:
        page = self.pages[info["targetId"]] = Page(
            next(self._page_ids),
            info,
            self._attach,
            self.urls,
            self.worker_names,
            self._plans,
            self._timings,
        )
        self._tell()
        return page

    def _changed(self, info: Params) -> None:
        if page := self.pages.get(info["targetId"]):
            page.target = info
            page.signal.ring()
            self._tell()

    def _destroyed(self, target: str) -> None:
        if page := self.pages.pop(target, None):
            self._closed(page)
            page.close()
            if self.spare is page:
                self.spare = None
            self._tell()

    async def _attach(self, target: str) -> Channel:
        if self._guard is not None:
            await self._guard.watch(target)
        attached = await self.channel.call(
            "Target.attachToTarget", {"targetId": target, "flatten": True}
        )
        channel = self.channel.child(attached["sessionId"])
        if channel is None:
            raise BrowserTrouble("The tab was closed while tabmux took hold of it.")
        return channel

    async def _context(self, name: str) -> str:
        if self.spec.kind == "extension":
            raise Misuse(
                "Chrome gives an extension no isolated contexts.",
                hint="Open the page without isolatedContext, or in a browser that tabmux starts.",
                code="not_in_this_browser",
            )
        if name not in self._contexts:
            made = await self.channel.call("Target.createBrowserContext")
            self._contexts[name] = made["browserContextId"]
            self.downloads.include(made["browserContextId"])
        return self._contexts[name]

    def _forget_pages(self, *, keep: bool = False) -> None:
        self._connection = None
        self._contexts.clear()
        if keep:
            return
        for target in list(self.pages):
            self._destroyed(target)


def _is_shown(url: str) -> bool:
    return url.startswith(_SHOWN) or not url.startswith(_HIDDEN)
