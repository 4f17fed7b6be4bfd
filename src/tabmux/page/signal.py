"""A bell: wakes everyone who waits for something to happen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any


class Signal:
    """Rung by plain event handlers, awaited by tasks."""

    def __init__(self) -> None:
        self._waiters: set[asyncio.Future[None]] = set()

    def ring(self) -> None:
        """Wake everyone who waits now."""
        waiters, self._waiters = self._waiters, set()
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def wait(self, timeout: float) -> bool:
        """Wait for the next ring; tells whether it came in time."""
        waiter = self._waiter()
        try:
            async with asyncio.timeout(timeout):
                await waiter
        except TimeoutError:
            return False
        finally:
            self._waiters.discard(waiter)
        return True

    async def or_done(self, *futures: asyncio.Future[Any], timeout: float | None = None) -> None:
        """Wait for the next ring or for one of the futures."""
        bell = self._waiter()
        await asyncio.wait({bell, *futures}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        bell.cancel()
        self._waiters.discard(bell)

    def _waiter(self) -> asyncio.Future[None]:
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.add(waiter)
        return waiter

    async def until(self, condition: Callable[[], bool], timeout: float) -> bool:
        """Wait until `condition` holds; it is looked at after every ring."""
        deadline = asyncio.get_running_loop().time() + timeout
        while not condition():
            left = deadline - asyncio.get_running_loop().time()
            if left <= 0 or not await self.wait(left):
                return condition()
        return True
