"""Lease thread: renews a daemon's lease, also while its event loop has much to do.

A daemon that imports its tools, or decodes something large, has not ended. One whose event loop
stands still for long has, and is given up.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from types import TracebackType
from typing import Self

from tabmux.cluster.membership import Membership, Renewal
from tabmux.cluster.redis_link import RedisLink, RedisUnreachable
from tabmux.errors import Misuse

logger = logging.getLogger(__name__)

JOIN_SECONDS = 5.0


class LeaseThread:
    """An `async with` for whose length the lease is renewed.

    Args:
        membership: Whose lease it is.
        url: The Redis, to which the thread has a connection of its own.
    """

    def __init__(self, membership: Membership, url: str) -> None:
        self._membership, self._url = membership, url
        self._stop = threading.Event()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="lease", daemon=True)

    async def __aenter__(self) -> Self:
        self._thread.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stop.set()
        await asyncio.to_thread(self._thread.join, JOIN_SECONDS)

    def _run(self) -> None:
        asyncio.run(self._renew())

    async def _renew(self) -> None:
        """Renew the lease until told to stop; Redis may go and come back meanwhile."""
        while not self._stop.is_set():
            try:
                async with RedisLink(self._url) as link:
                    await self._keep(link)
            except (RedisUnreachable, Misuse) as error:
                logger.warning("The lease was not renewed: %s", error.message)
                self._pause()

    async def _keep(self, link: RedisLink) -> None:
        member = self._membership
        while not self._stop.is_set():
            if member.lease.now() - member.seen < member.timings.standstill:
                answer = await member.renew(link)
                if answer is not Renewal.GRANTED and not self._stop.is_set():
                    self._loop.call_soon_threadsafe(member.note, answer)
                if answer is Renewal.LOST:
                    self._stop.set()
            self._pause()

    def _pause(self) -> None:
        # Nothing else runs in the loop of this thread.
        self._stop.wait(self._membership.timings.renewal)
