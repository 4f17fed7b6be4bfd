"""Work that nobody waits for, and that ends with the block that owns it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, Self

from tabmux.errors import TabmuxError

logger = logging.getLogger(__name__)


class Background:
    """An `async with` that owns tasks; those that still run at its end are cancelled."""

    def __init__(self) -> None:
        self._group = asyncio.TaskGroup()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await self._group.__aexit__(kind, error, traceback)

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something in a task; trouble with a page or a browser is only logged."""
        task = self._group.create_task(_quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def idle(self) -> None:
        """Wait until nothing is being done."""
        while self._tasks:
            await asyncio.wait(self._tasks)


async def _quietly(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except (TabmuxError, TimeoutError) as error:
        logger.info("Background work was given up: %s", error)
