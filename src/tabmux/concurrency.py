"""Concurrency: listeners, signals, owners of background tasks, a shared lock, long loops."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Generic, ParamSpec, Self, TypeVar

from tabmux.errors import TabmuxError

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")
# How long a loop over what may be very much keeps the others waiting, at each step of a call of
# theirs: a click takes ten or so.
_TURN_SECONDS = 0.002
# What takes some milliseconds to go through once.
_LONG_TEXT = 1_000_000


class Listeners(Generic[P]):
    """Functions to call when something happens, in the order they were added."""

    def __init__(self) -> None:
        self._listeners: list[Callable[P, object]] = []

    def __len__(self) -> int:
        return len(self._listeners)

    def add(self, listener: Callable[P, object]) -> Callable[[], None]:
        """Call `listener` from now on; returns how to stop, which may be done more than once."""
        self._listeners.append(listener)

        def stop() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return stop

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call every listener; one that is added or removed meanwhile changes nothing.

        One that fails harms neither the others nor whoever tells of what happened.
        """
        for listener in list(self._listeners):
            try:
                listener(*args, **kwargs)
            except Exception:  # the rim between those who tell and those who listen
                logger.exception("A listener failed")


class Signal:
    """Wakes tasks that wait for something to happen; set off by plain event handlers."""

    def __init__(self) -> None:
        self._waiters: set[asyncio.Future[None]] = set()

    def notify(self) -> None:
        """Wake everyone who waits now."""
        waiters, self._waiters = self._waiters, set()
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def wait(self, timeout: float) -> bool:
        """Wait for the next notice; tells whether it came in time."""
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
        """Wait for the next notice or for one of the futures."""
        notice = self._waiter()
        await asyncio.wait({notice, *futures}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        notice.cancel()
        self._waiters.discard(notice)

    def _waiter(self) -> asyncio.Future[None]:
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.add(waiter)
        return waiter

    async def until(self, condition: Callable[[], bool], timeout: float) -> bool:
        """Wait until `condition` holds; it is looked at after every notice."""
        deadline = asyncio.get_running_loop().time() + timeout
        while not condition():
            left = deadline - asyncio.get_running_loop().time()
            if left <= 0 or not await self.wait(left):
                return condition()
        return True


class TaskOwner:
    """An `async with` that owns tasks; those that still run at its end are cancelled."""

    def __init__(self) -> None:
        self._group = asyncio.TaskGroup()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.cancel()
        await self._group.__aexit__(kind, error, traceback)

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run a task; an error that leaves it ends the whole block."""
        task = self._group.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def start_quietly(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[Any]:
        """Run a task that nobody waits for; whatever goes wrong in it is only logged."""
        task = self.start(contained(work, "Background work"))
        # One that is cancelled before its first step would leave the work behind, never begun.
        task.add_done_callback(lambda _: work.close())
        return task

    def cancel(self) -> None:
        """Cancel every task that still runs."""
        for task in self._tasks:
            task.cancel()

    async def idle(self) -> None:
        """Wait until no task runs."""
        while self._tasks:
            await asyncio.wait(self._tasks)


class SharedLock:
    """A lock that many may share, or one may have alone; who came first goes first."""

    def __init__(self) -> None:
        self._entry = asyncio.Lock()
        self._free = asyncio.Event()
        self._free.set()
        self._holders = 0

    @asynccontextmanager
    async def shared(self) -> AsyncIterator[None]:
        """Hold it beside others; waits for one who has it, or wants it, alone."""
        async with self._entry:
            self._holders += 1
            self._free.clear()
        try:
            yield
        finally:
            self._holders -= 1
            if not self._holders:
                self._free.set()

    @asynccontextmanager
    async def exclusive(self) -> AsyncIterator[None]:
        """Wait until nobody holds it; nobody else gets it before the block ends."""
        async with self._entry:
            await self._free.wait()
            yield


async def contained(work: Awaitable[object], what: str) -> None:
    """Await work whose failure must not reach the tasks beside it; it is logged instead.

    Args:
        work: The work.
        what: What the log calls it.
    """
    try:
        await work
    except (TabmuxError, TimeoutError) as error:
        logger.info("%s was given up: %s", what, error)
    except Exception:  # the rim of a task that stands for itself
        logger.exception("%s failed", what)


async def with_turns(items: Iterable[T]) -> AsyncIterator[T]:
    """Go through what may be very much, and let everybody else have a turn now and then."""
    end = time.monotonic() + _TURN_SECONDS
    for item in items:
        yield item
        if time.monotonic() > end:
            await asyncio.sleep(0)
            end = time.monotonic() + _TURN_SECONDS


async def turn_amid(text: str) -> None:
    """Let everybody else have a turn between two steps, each of which goes through a long text."""
    if len(text) > _LONG_TEXT:
        await asyncio.sleep(0)
