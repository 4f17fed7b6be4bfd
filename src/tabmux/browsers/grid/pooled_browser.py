"""Pooled browser: one browser of a grid, its socket, and the sessions that share it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from pathlib import PurePath

from tabmux.browsers.grid.grid_client import GridClient
from tabmux.browsers.grid.placement import Candidate
from tabmux.cdp.cdp_connection import Fence
from tabmux.cdp.shared_socket import Branch, SharedSocket
from tabmux.errors import BrowserTrouble, NoCapacity, TabmuxError
from tabmux.timings import Timings

logger = logging.getLogger(__name__)

# Pauses before further tries to reach a browser whose socket was lost.
_RETRIES = (0.2, 0.5, 1.0)
_PROBE = (
    "const link = document.createElement('a'); link.download = 'tabmux-probe';"
    "link.href = 'data:application/octet-stream,1'; link.click()"
)


# The browser context of pages for which the agent named none.
OWN = ""


class BrowserLost(BrowserTrouble):
    """A browser of the grid is gone for good, with its pages."""

    code = "browser_gone"


class Lease:
    """A session's part of a browser: the browser contexts that are its own.

    Attributes:
        browser: Which browser.
        contexts: The ids of its browser contexts, by the names that the agent gave them.
        blank: The tab that is there already, if one was made ahead.
        node_told: Whether its agent was told that the node drains.
        lost: Called when the browser is gone for good.
    """

    def __init__(self, browser: PooledBrowser, contexts: dict[str, str] | None = None) -> None:
        self.browser = browser
        self.contexts = dict(contexts or {})
        self.blank = ""
        self.node_told = False
        self.lost: Callable[[], None] = lambda: None


class PooledBrowser:
    """One browser that the Grid runs for us.

    Args:
        ident: The Grid's id of it.
        client: How the Grid is asked.
        timings: How long to wait for what.
        token: Whose sessions it is for; empty while nobody has used it.
        fence: What says that nothing may be sent to it now, because others may have it.
    """

    def __init__(
        self,
        ident: str,
        client: GridClient,
        timings: Timings,
        token: str = "",
        fence: Fence | None = None,
    ) -> None:
        self.id, self.token = ident, token
        self.node = self.node_uri = ""
        self.leases: set[Lease] = set()
        self.since = self.emptied = time.monotonic()
        # It is old, or its node drains: no more sessions.
        self.is_draining = self.is_retired = False
        self.is_lost = False
        # Whether a server before this one had it.
        self.is_inherited = False
        # Where its node keeps what it downloads, if the Grid hands that out.
        self.download_folder = ""
        self._client, self._timings, self._fence = client, timings, fence
        self._socket: SharedSocket | None = None
        self._connecting = asyncio.Lock()
        # A browser context with a blank tab for the next session, by their ids.
        self._ready: tuple[str, str] | None = None
        self._is_making = False
        # Browser contexts of sessions that have ended, which are to be disposed of.
        self._left: list[str] = []
        # Told that the socket is there, and that it is gone.
        self.on_open: Callable[[PooledBrowser], None] = lambda browser: None
        self.on_loss: Callable[[PooledBrowser], None] = lambda browser: None

    @property
    def candidate(self) -> Candidate:
        """What placement looks at."""
        takes_more = not (self.is_draining or self.is_retired or self.is_lost) and self.is_connected
        return Candidate(self.id, self.token, len(self.leases), takes_more)

    @property
    def is_connected(self) -> bool:
        """Whether its socket is open."""
        return self._socket is not None and self._socket.root.is_open

    @property
    def was_reached(self) -> bool:
        """Whether its socket was ever open."""
        return self._socket is not None

    def lease(self, token: str, contexts: dict[str, str] | None = None) -> Lease:
        """Give a session its part."""
        self.token = token
        lease = Lease(self, contexts)
        if contexts is None and self._ready is not None:
            (lease.contexts[OWN], lease.blank), self._ready = self._ready, None
        self.leases.add(lease)
        return lease

    async def make_ready(self) -> None:
        """Have a browser context with a blank tab at hand: Chrome takes 150 ms to make them."""
        if self._ready is not None or self._is_making or not self.candidate.takes_more:
            return
        self._is_making = True
        try:
            self._ready = await self._blank_tab()
        finally:
            self._is_making = False

    async def _blank_tab(self) -> tuple[str, str]:
        channel = (await self.connected()).root.browser
        context = str((await channel.call("Target.createBrowserContext"))["browserContextId"])
        blank = {"url": "about:blank", "background": True, "browserContextId": context}
        made = await channel.call("Target.createTarget", blank)
        return context, str(made["targetId"])

    async def branch(self) -> Branch:
        """Open a connection for one session."""
        return await (await self.connected()).branch()

    async def connected(self) -> SharedSocket:
        """Return the socket, opened anew if it was lost; raises that the browser is."""
        async with self._connecting:
            if self.is_lost:
                raise self._lost_error()
            if self._socket is None or not self._socket.root.is_open:
                self._socket = await self._reach()
                self.on_open(self)
            return self._socket

    async def dispose(self, lease: Lease) -> None:
        """Take back a session's part: its contexts go with their pages."""
        self.leases.discard(lease)
        self.emptied = time.monotonic()
        self._left += lease.contexts.values()
        await self.dispose_left()

    async def dispose_unclaimed(self) -> None:
        """Dispose, once, of what a server before this one had made, and no session came back to.

        That is the context which it had ready, and those of sessions that ended meanwhile.
        """
        if not self.is_inherited or self._is_making:
            return
        if self._socket is None or not self.is_connected:
            return
        self.is_inherited = False
        found = await self._socket.root.browser.call("Target.getBrowserContexts")
        claimed = {ident for lease in self.leases for ident in lease.contexts.values()}
        if self._ready is not None:
            claimed.add(self._ready[0])
        self._left += set(found["browserContextIds"]) - claimed - set(self._left)
        await self.dispose_left()

    async def dispose_left(self) -> None:
        """Dispose of what sessions have left, as soon as the browser can be reached."""
        if self._socket is None or not self.is_connected:
            return
        channel = self._socket.root.browser
        left, self._left = self._left, []
        method = "Target.disposeBrowserContext"
        calls = [channel.call(method, {"browserContextId": context}) for context in left]
        for context, each in zip(left, calls, strict=True):
            try:
                await each
            except TabmuxError as error:
                if not channel.is_open or isinstance(error, NoCapacity):
                    self._left.append(context)

    async def beat(self) -> None:
        """See that it lives, for as long as this socket is open: a frozen node keeps it open.

        Whatever it says is a sign of life, to whomever: a busy browser may answer us late.
        """
        loop, pause, socket = asyncio.get_running_loop(), self._timings.grid_heartbeat, self._socket
        while socket is not None and socket.root.is_open:
            began = loop.time()
            socket.root.browser.send("Browser.getVersion")
            await asyncio.sleep(pause)
            # Where we stood still ourselves, its answers may wait unread.
            stood_still = loop.time() - began > 2 * pause
            if not stood_still and loop.time() - socket.heard > self._timings.grid_silence:
                socket.lose("the browser gave no sign of life")

    async def find_download_folder(self) -> None:
        """Learn where the node keeps downloads: nothing but a first download tells."""
        channel = (await self.connected()).root.browser
        made = await channel.call("Target.createTarget", {"url": "about:blank", "background": True})
        target = {"targetId": made["targetId"]}
        done: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def note(params: dict[str, object]) -> None:
            if params.get("filePath") and not done.done():
                done.set_result(str(params["filePath"]))

        stop = channel.on("Browser.downloadProgress", note)
        try:
            behaviour = {"behavior": "default", "eventsEnabled": True}
            watching = channel.call("Browser.setDownloadBehavior", behaviour)
            attached = await channel.call("Target.attachToTarget", {**target, "flatten": True})
            await watching
            tab = channel.child(attached["sessionId"])
            if tab is not None:
                tab.send("Runtime.evaluate", {"expression": _PROBE, "userGesture": True})
                async with asyncio.timeout(self._timings.grid_answer):
                    self.download_folder = str(PurePath(await done).parent)
        except (TabmuxError, TimeoutError) as error:
            logger.info("Downloads of browser %s stay on its node: %s", self.id, error)
        finally:
            stop()
            channel.send("Target.closeTarget", target)

    def close(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            self._socket.close()

    def lose(self) -> None:
        """Give it up for lost."""
        self.is_lost = True
        self.close()

    async def _reach(self) -> SharedSocket:
        """Open the socket, with a few tries: a node that hangs must not take the time of each."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._timings.grid_answer
        for pause in (*_RETRIES, None):
            try:
                return await self._open()
            except TabmuxError as error:
                # Raises that the hub itself cannot be reached, which says nothing of the browser.
                await self._client.state()
                if pause is None or loop.time() >= end:
                    self.is_lost = True
                    raise self._lost_error() from error
                await asyncio.sleep(pause)
        raise AssertionError("the last try raises or returns")

    async def _open(self) -> SharedSocket:
        socket = SharedSocket(await self._client.connect(self.id), self._fence)
        try:
            await socket.start(self._timings.grid_answer)
        except BaseException:
            socket.close()
            raise
        socket.root.closed.add_done_callback(lambda _: self.on_loss(self))
        return socket

    def _lost_error(self) -> BrowserLost:
        where = f" on {self.node_uri}" if self.node_uri else ""
        return BrowserLost(
            f"The grid's browser{where} is gone, and its pages with it.",
            hint="Call again: another one is found.",
        )
