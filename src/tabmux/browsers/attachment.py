"""Attachment: what exists only while a browser is connected."""

from __future__ import annotations

import asyncio

from tabmux.browsers.url_filter import UrlFilter
from tabmux.cdp.cdp_connection import CdpConnection
from tabmux.cdp.channel import Channel
from tabmux.errors import BrowserTrouble, DeadlineExceeded, TabmuxError
from tabmux.timings import Timings


class Attachment:
    """The CDP connection to a browser, with what was set up over it.

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

    async def attach(self, target: str) -> Channel:
        """Return a channel to a tab, which is held to the policy first."""
        if self._url_filter is not None:
            await self._url_filter.watch(target)
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

    async def until_ended(self, stop: asyncio.Event, timings: Timings) -> str:
        """Wait for the end, whichever side it comes from, and return the reason."""
        closed = self._connection.closed
        async with asyncio.TaskGroup() as group:
            stopping = group.create_task(stop.wait())
            beating = group.create_task(self._send_heartbeats(timings))
            await asyncio.wait({stopping, closed}, return_when=asyncio.FIRST_COMPLETED)
            stopping.cancel()
            beating.cancel()
        return str(closed.result() if closed.done() else "disconnected")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    async def _send_heartbeats(self, timings: Timings) -> None:
        """Ask for a sign of life now and then: a stopped process keeps its socket open."""
        while self.is_open:
            await asyncio.sleep(timings.heartbeat)
            try:
                await self.channel.call("Browser.getVersion", timeout=timings.heartbeat_deadline)
            except DeadlineExceeded:
                self._connection.lose("the browser gave no sign of life")
            except TabmuxError:
                return
