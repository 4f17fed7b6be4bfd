"""tabmux with a bridge, and an everyday browser that was paired with it."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tabmux.bridge.bridge_server import Bridge, BridgeCredentials, digest_of
from tabmux.bridge.pairing import PairedKeys, PairingFile
from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.lent import LentBrowser
from tabmux.concurrency import Signal
from tabmux.daemon.app import App
from tabmux.daemon.bridge.extension_browsers import ExtensionBrowsers
from tabmux.daemon.http.http_server import serve_http
from tabmux.settings import Settings
from tests.extension.everyday_browser import EverydayBrowser, everyday
from tests.ports import free_port
from tests.serving import running

SECONDS = 30.0


class LendingServer:
    """The server side. It can be stopped and started again on the same port."""

    def __init__(self, app: App, folder: Path, group: asyncio.TaskGroup) -> None:
        self.app = app
        self.pairing = PairingFile(folder / "pairing.json")
        self._credentials = BridgeCredentials(PairedKeys(folder / "keys"), self.pairing)
        self._extension_browsers = ExtensionBrowsers(app.browsers, app.extensions.claim, app.point)
        self._group = group
        self._serving: asyncio.Task[None] | None = None
        self._signal = Signal()
        app.browsers.on_changed(self._watch)
        self.port = free_port()
        self.bridge: Bridge

    @property
    def browser(self) -> Browser:
        """The browser that was lent."""
        return next(b for b in self.app.browsers.all() if isinstance(b, LentBrowser))

    async def start(self) -> None:
        extensions = self.app.extensions
        self.bridge = Bridge(
            self.port,
            self._credentials,
            on_link=self._extension_browsers,
            forward=extensions.forward,
            name_of=lambda session: extensions.name_of(session) or digest_of(session),
        )
        self.bridge.on_changed(extensions.look_again)
        assert self.app.bridge is not None
        self.app.bridge.current = self.bridge
        ready = asyncio.Event()
        serving = serve_http(self.bridge.app, "127.0.0.1", self.port, ready.set, grace=1)
        self._serving = self._group.create_task(serving)
        await ready.wait()

    async def stop(self) -> None:
        if self._serving is not None:
            self._serving.cancel()
            await asyncio.wait({self._serving})

    async def pair(self, user: EverydayBrowser, name: str = "everyday") -> None:
        """Do what a user does once: make a code, and type it into the popup."""
        await user.act("port", port=self.port)
        await user.act("pair", code=self.pairing.offer(name).code)
        await self.connected()

    async def connected(self, times: int = 1) -> None:
        """Wait until the browser has been connected so many times, and is now."""

        def is_it() -> bool:
            return (
                any(isinstance(browser, LentBrowser) for browser in self.app.browsers.all())
                and self.browser.state is BrowserState.CONNECTED
                and self.browser.history.connections >= times
            )

        assert await self._signal.until(is_it, SECONDS)

    async def lost(self, connection: int) -> None:
        """Wait until a connection is over; by then there may be the next."""

        def is_it() -> bool:
            life = self.browser.history
            return life.connections > connection or life.state is not BrowserState.CONNECTED

        assert await self._signal.until(is_it, SECONDS)

    def _watch(self) -> None:
        for browser in self.app.browsers.all():
            browser.on_change(self._signal.notify)
        self._signal.notify()


@asynccontextmanager
async def lending() -> AsyncIterator[LendingServer]:
    """Run a server without a browser of its own, with a bridge."""
    with tempfile.TemporaryDirectory(prefix="tabmux-bridge-") as folder:
        async with (
            running(Settings(), bridged=False) as app,
            asyncio.TaskGroup() as group,
        ):
            lent = LendingServer(app, Path(folder), group)
            await lent.start()
            try:
                yield lent
            finally:
                await lent.stop()


@asynccontextmanager
async def lent_browser(*arguments: str) -> AsyncIterator[tuple[LendingServer, EverydayBrowser]]:
    """Run both sides, paired."""
    async with lending() as lent, everyday(*arguments) as user:
        await lent.pair(user)
        yield lent, user
