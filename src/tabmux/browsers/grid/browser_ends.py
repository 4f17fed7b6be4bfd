"""Browser ends: browsers of a grid that are ended, also those that came for nobody."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterable

from tabmux.browsers.grid.grid_client import OWNER, GridClient, GridSessionInfo, GridState
from tabmux.cdp.cdp_connection import Fence
from tabmux.concurrency import contained
from tabmux.errors import TabmuxError
from tabmux.timings import Timings

logger = logging.getLogger(__name__)


class BrowserEnds:
    """Ends browsers that carry our mark.

    Args:
        client: How the Grid is asked.
        owner: What the Grid knows this daemon by.
        timings: How long to wait for what.
        fence: What says that nothing may be ended now, because others may use it.
    """

    def __init__(
        self, client: GridClient, owner: str, timings: Timings, fence: Fence | None = None
    ) -> None:
        self._client, self._timings, self._fence = client, timings, fence
        # Ourselves, and daemons whose browsers are ours since they ended.
        self.owners = {owner}
        self._under_way: set[str] = set()

    @property
    def is_fenced(self) -> bool:
        """Whether nothing may be ended now."""
        return self._fence is not None and self._fence() is not None

    async def end(self, ident: str) -> None:
        """End a browser, once; what may not be ended now is a stray later."""
        if ident in self._under_way or self.is_fenced:
            return
        self._under_way.add(ident)
        try:
            await self._client.end_session(ident)
        finally:
            self._under_way.discard(ident)

    async def end_lost(self, ident: str, node_uri: str) -> None:
        """End a browser that cannot be reached: its node may have it still, if the hub is new."""
        with contextlib.suppress(TabmuxError):
            await self.end(ident)
        if not self.is_fenced:
            await self._client.end_at_node(ident, node_uri)

    def strays(self, state: GridState, is_known: Callable[[GridSessionInfo], bool]) -> list[str]:
        """Return the browsers that are ours by their mark, and that nobody knows."""
        found = (info for info in state.sessions if self._is_ours(info) and not is_known(info))
        return [info.id for info in found if info.id not in self._under_way]

    async def end_all(
        self,
        known: Iterable[str],
        seconds: float,
        is_kept: Callable[[GridSessionInfo], bool] = lambda info: False,
    ) -> None:
        """End all that is ours, also what the Grid was about to start when we hung up.

        Args:
            known: What is ours for sure.
            seconds: How long to look for what comes late.
            is_kept: Tells what is left to whoever comes after us.
        """
        await self._end_these(known)
        end = time.monotonic() + seconds
        while True:
            found = await self._client.state()
            await self._end_these(self.strays(found, is_kept))
            if time.monotonic() >= end:
                return
            await asyncio.sleep(self._timings.grid_heartbeat / 4)

    async def _end_these(self, idents: Iterable[str]) -> None:
        ends = (contained(self.end(each), f"Ending browser {each}") for each in idents)
        await asyncio.gather(*ends)

    def _is_ours(self, info: GridSessionInfo) -> bool:
        return info.capabilities.get(OWNER) in self.owners
