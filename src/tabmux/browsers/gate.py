"""Lets calls on a browser pass together, and those that concern its whole profile alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Gate:
    """A lock that many may share, or one may have alone; who came first goes first."""

    def __init__(self) -> None:
        self._entry = asyncio.Lock()
        self._empty = asyncio.Event()
        self._empty.set()
        self._inside = 0

    @asynccontextmanager
    async def shared(self) -> AsyncIterator[None]:
        """Pass beside others; waits for one who is, or wants to be, alone."""
        async with self._entry:
            self._inside += 1
            self._empty.clear()
        try:
            yield
        finally:
            self._inside -= 1
            if not self._inside:
                self._empty.set()

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """Wait until everybody inside has left; nobody enters before the block ends."""
        async with self._entry:
            await self._empty.wait()
            yield
