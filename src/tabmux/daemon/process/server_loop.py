"""Server loop: runs a server until a signal comes, and says what ended it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import resource
import signal
from collections.abc import Callable, Coroutine
from typing import Any

import uvloop

from tabmux.errors import TabmuxError
from tabmux.observability import watchdog

# A collection of everything takes tens of milliseconds, in which no call is answered. By default
# it would come every seventy thousand objects, which is every few snapshots.
GC_THRESHOLDS = (20_000, 10, 10)
# macOS lets a process open no more, whatever it says.
MOST_FILES = 10_240
# Those that ask a server to leave.
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run a server in a loop of its own; raises the error that a person should read."""
    try:
        uvloop.run(until_stopped(work))
    except BaseExceptionGroup as group:
        raise cause(group) from None


async def until_stopped(
    work: Coroutine[Any, Any, None], leaving: Callable[[], None] | None = None
) -> None:
    """Run the server, and take it down in order when a signal asks for it.

    Args:
        work: The server.
        leaving: Called when the signal comes, before anything is taken down.
    """
    tune_gc()
    raise_file_limit()
    loop = asyncio.get_running_loop()

    def stop() -> None:
        # Whoever asks again must not break off what is being taken down in order.
        if task.cancelling():
            return
        if leaving is not None:
            leaving()
        task.cancel()

    with watchdog():
        async with asyncio.TaskGroup() as group:
            task = group.create_task(work)
            for number in SIGNALS:
                with contextlib.suppress(NotImplementedError):
                    loop.add_signal_handler(number, stop)
            with contextlib.suppress(asyncio.CancelledError):
                await task


def tune_gc() -> None:
    """Leave alone what was made while starting up, and collect the rest less often."""
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    gc.enable()


def raise_file_limit() -> None:
    """Let every session have its connections: many systems give a process 256 or 1,024 files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def cause(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the error that a person should read; the groups around it are our own business."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        known = error.subgroup(TabmuxError)
        error = (known or error).exceptions[0]
    return error
