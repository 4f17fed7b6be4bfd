"""One browser: its connection and its tabs."""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from tabmux.browsers.launch import launched
from tabmux.browsers.spec import BrowserSpec
from tabmux.browsers.state import Event, Life, State, delays
from tabmux.cdp.connection import Channel, Connection, Params
from tabmux.cdp.discovery import find_endpoint
from tabmux.cdp.transport import Transport
from tabmux.cdp.websocket import connect_websocket
from tabmux.errors import BrowserTrouble, TabmuxError
from tabmux.page.page import Page

logger = logging.getLogger(__name__)

CONNECT_SECONDS = 30.0
CLOSE_SECONDS = 5.0
_HIDDEN = ("devtools://", "chrome-extension://", "chrome-untrusted://", "chrome://")
_SHOWN = ("chrome://newtab", "chrome://new-tab-page")

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
    """

    def __init__(
        self,
        index: int,
        spec: BrowserSpec,
        page_ids: itertools.count[int],
        opened: Opened,
        closed: Closed,
    ) -> None:
        self.index, self.spec = index, spec
        self.life = Life()
        self.pages: dict[str, Page] = {}
        self._page_ids, self._opened, self._closed = page_ids, opened, closed
        self._contexts: dict[str, str] = {}
        self._connection: Connection | None = None
        self._connecting = asyncio.Lock()
        self._stop: asyncio.Event | None = None
        self._living: asyncio.Task[None] | None = None
        # The tab that a browser starts with; the first session that needs one takes it.
        self.spare: Page | None = None

    @property
    def name(self) -> str:
        """What the user calls it."""
        return self.spec.name

    @property
    def state(self) -> State:
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

    def visible_pages(self) -> list[Page]:
        """Return the tabs that an agent may know of, oldest first."""
        return [page for page in self.pages.values() if _is_shown(page.url)]

    async def ensure_connected(self, group: asyncio.TaskGroup) -> None:
        """Connect unless it is done; everyone who asks meanwhile waits for the same attempt."""
        async with self._connecting:
            if self.state is State.CONNECTED:
                return
            await self._connect(group)

    async def refresh(self) -> None:
        """Ask for the titles anew: Chrome does not tell when they change."""
        found = await self.channel.call("Target.getTargets", {"filter": [{"type": "page"}]})
        for info in found["targetInfos"]:
            if page := self.pages.get(info["targetId"]):
                page.target = info

    async def new_page(self, *, background: bool = True, context: str | None = None) -> Page:
        """Open a blank tab."""
        command: Params = {"url": "about:blank", "background": background}
        if context is not None:
            command["browserContextId"] = await self._context(context)
        target = (await self.channel.call("Target.createTarget", command))["targetId"]
        page = self.pages.get(target) or self._add({"targetId": target, "url": "about:blank"})
        page.isolated_context = context
        return page

    async def close_page(self, page: Page) -> None:
        """Close a tab, and wait until Chrome says that it is closed."""
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

    def disconnect(self) -> None:
        """End the connection; a browser that we launched ends with it."""
        if self._stop is not None:
            self._stop.set()

    async def _connect(self, group: asyncio.TaskGroup) -> None:
        self._step(Event.ATTEMPT)
        if self._living is not None:
            # The last connection may still be clearing up, and its browser hold the profile.
            await asyncio.wait({self._living})
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._stop = asyncio.Event()
        self._living = group.create_task(self._live(ready, self._stop))
        await asyncio.shield(ready)

    async def _live(self, ready: asyncio.Future[None], stop: asyncio.Event) -> None:
        """Hold the connection until it is lost or no longer wanted."""
        try:
            async with self._link() as transport:
                self._connection = Connection(transport)
                await self._discover(self._connection)
                self._step(Event.SUCCESS)
                ready.set_result(None)
                await self._end(self._connection, stop)
        except (TabmuxError, OSError, TimeoutError) as error:
            self._failed(ready, error)
        finally:
            self._forget_pages()

    async def _end(self, connection: Connection, stop: asyncio.Event) -> None:
        """Wait for the end, whichever side it comes from."""
        async with asyncio.TaskGroup() as group:
            stopping = group.create_task(stop.wait())
            await asyncio.wait({stopping, connection.closed}, return_when=asyncio.FIRST_COMPLETED)
            stopping.cancel()
        reason = connection.closed.result() if connection.closed.done() else "disconnected"
        self._step(Event.LOSS, "" if stop.is_set() else str(reason))
        self._forget_pages()
        connection.close()

    def _failed(self, ready: asyncio.Future[None], error: Exception) -> None:
        text = error.message if isinstance(error, TabmuxError) else str(error) or "it took too long"
        if self.state is State.CONNECTING:
            self._step(Event.FAILURE, text)
        if not ready.done():
            ready.set_exception(error if isinstance(error, TabmuxError) else BrowserTrouble(text))
        else:
            logger.warning("Browser %d: %s", self.index, text)

    def _step(self, event: Event, error: str = "") -> None:
        self.life = self.life.after(event, time.monotonic(), error)
        logger.info("Browser %d (%s): %s %s", self.index, self.spec.label, self.state, error)

    @asynccontextmanager
    async def _link(self) -> AsyncIterator[Transport]:
        if self.spec.kind == "launch":
            async with launched(self.spec.launch) as pipe:
                yield pipe
            return
        transport = await self._dial()
        try:
            yield transport
        finally:
            transport.close()

    async def _dial(self) -> Transport:
        """Try a few times: a browser that is just starting does not answer at once."""
        for delay in [*delays(), None]:
            try:
                endpoint = await find_endpoint(self.spec.address, self.spec.headers)
                return await connect_websocket(endpoint, self.spec.headers)
            except BrowserTrouble:
                if delay is None:
                    raise
                await asyncio.sleep(delay)
        raise AssertionError("the last try raises or returns")

    async def _discover(self, connection: Connection) -> None:
        channel = connection.browser
        channel.on("Target.targetCreated", lambda p: self._created(p["targetInfo"]))
        channel.on("Target.targetInfoChanged", lambda p: self._changed(p["targetInfo"]))
        channel.on("Target.targetDestroyed", lambda p: self._destroyed(p["targetId"]))
        async with asyncio.timeout(CONNECT_SECONDS):
            await channel.call(
                "Target.setDiscoverTargets", {"discover": True, "filter": [{"type": "page"}]}
            )
            if self.spec.kind == "launch":
                self.spare = next(iter(self.pages.values()), None)

    def _created(self, info: Params) -> None:
        if info["type"] != "page" or info["targetId"] in self.pages:
            return
        page = self._add(info)
        opener = self.pages.get(info.get("openerId", ""))
        if opener is not None:
            page.isolated_context = opener.isolated_context
            self._opened(opener, page)

    def _add(self, info: Params) -> Page:
        page = self.pages[info["targetId"]] = Page(next(self._page_ids), info, self._attach)
        return page

    def _changed(self, info: Params) -> None:
        if page := self.pages.get(info["targetId"]):
            page.target = info

    def _destroyed(self, target: str) -> None:
        if page := self.pages.pop(target, None):
            self._closed(page)
            page.close()
            if self.spare is page:
                self.spare = None

    async def _attach(self, target: str) -> Channel:
        attached = await self.channel.call(
            "Target.attachToTarget", {"targetId": target, "flatten": True}
        )
        channel = self.channel.child(attached["sessionId"])
        if channel is None:
            raise BrowserTrouble("The tab was closed while tabmux took hold of it.")
        return channel

    async def _context(self, name: str) -> str:
        if name not in self._contexts:
            made = await self.channel.call("Target.createBrowserContext")
            self._contexts[name] = made["browserContextId"]
        return self._contexts[name]

    def _forget_pages(self) -> None:
        self._connection = None
        self._contexts.clear()
        for target in list(self.pages):
            self._destroyed(target)


def _is_shown(url: str) -> bool:
    return url.startswith(_SHOWN) or not url.startswith(_HIDDEN)
