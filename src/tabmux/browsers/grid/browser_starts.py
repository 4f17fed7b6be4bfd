"""Browser starts: browsers that a grid was asked for and that are not there yet."""

from __future__ import annotations

import asyncio
import itertools
import logging
import secrets
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from tabmux.browsers.grid.grid_client import OWNER, REQUEST, GridClient
from tabmux.browsers.grid.pooled_browser import PooledBrowser
from tabmux.cdp.cdp_connection import Fence
from tabmux.concurrency import TaskOwner
from tabmux.errors import BrowserTrouble
from tabmux.timings import Timings

logger = logging.getLogger(__name__)

# How many are asked for at a time: a node starts them one after the other anyway.
MOST_AT_A_TIME = 8


class BrowserStarts:
    """Requests under way; one that is cancelled hangs up, and so leaves the queue of the Grid.

    Args:
        client: How the Grid is asked.
        owner: What the Grid knows this daemon by.
        timings: How long to wait for what.
        hands_out_files: Tells whether nodes hand out what is downloaded.
        arrived: Given every browser that has come.
        failed: Told why one has not.
        ended: Told that a request is over, whatever came of it.
        fence: What says that nothing may be sent to browsers now.
    """

    def __init__(
        self,
        client: GridClient,
        owner: str,
        timings: Timings,
        hands_out_files: Callable[[], Awaitable[bool]],
        arrived: Callable[[PooledBrowser], None],
        failed: Callable[[BrowserTrouble], None],
        ended: Callable[[], None],
        fence: Fence | None = None,
    ) -> None:
        self._client, self._owner, self._timings = client, owner, timings
        self._fence = fence
        self._hands_out_files = hands_out_files
        self._arrived, self._failed, self._ended = arrived, failed, ended
        self._prefix, self._numbers = f"{secrets.token_hex(8)}-", itertools.count(1)
        # By the mark that the request carries as a capability.
        self._under_way: dict[str, asyncio.Task[Any]] = {}

    def __len__(self) -> int:
        return len(self._under_way)

    def knows(self, mark: object) -> bool:
        """Whether a request with this mark is under way."""
        return mark in self._under_way

    def made(self, mark: object) -> bool:
        """Whether a request with this mark was ours, and no earlier server's."""
        return str(mark).startswith(self._prefix)

    def keep(self, wanted: int, tasks: TaskOwner) -> None:
        """Have so many under way: more are begun, and the latest given up.

        Args:
            wanted: How many.
            tasks: What owns them.
        """
        for task in list(self._under_way.values())[wanted:]:
            task.cancel()
        for _ in range(min(wanted, MOST_AT_A_TIME) - len(self._under_way)):
            mark = f"{self._prefix}{next(self._numbers)}"
            task = self._under_way[mark] = tasks.start_quietly(self._start(mark))
            task.add_done_callback(partial(self._end, mark))

    def _end(self, mark: str, task: asyncio.Task[None]) -> None:
        self._under_way.pop(mark, None)
        self._ended()

    async def _start(self, mark: str) -> None:
        marks = {OWNER: self._owner, REQUEST: mark, "se:name": "tabmux"}
        try:
            downloads = await self._hands_out_files()
            ident = await self._client.new_session(
                marks, downloads=downloads, seconds=self._timings.grid_start
            )
            browser = await self._connected(ident, downloads)
        except BrowserTrouble as error:
            logger.warning("The grid started no browser: %s", error.message)
            self._failed(error)
        else:
            self._arrived(browser)

    async def _connected(self, ident: str, downloads: bool) -> PooledBrowser:
        """Reach a browser that has just come; one that is given up now is a stray to be ended."""
        browser = PooledBrowser(ident, self._client, self._timings, fence=self._fence)
        try:
            await browser.connected()
            if downloads:
                await browser.find_download_folder()
        except BaseException:
            browser.close()
            raise
        return browser
