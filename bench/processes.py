"""Ends child processes and weighs them."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import psutil

END_SECONDS = 5.0


def stop_on(number: signal.Signals) -> None:
    """Let a signal cancel the running task, so that everything is cleaned up."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    loop.add_signal_handler(number, task.cancel)


async def end_group(pid: int, ended: Callable[[], Awaitable[object]]) -> None:
    """End a process that leads a group of its own, with everything it started.

    Args:
        pid: The process, which is also the id of its group.
        ended: Returns when the process was seen to end.
    """
    _signal_group(pid, signal.SIGTERM)
    with suppress(TimeoutError):
        async with asyncio.timeout(END_SECONDS):
            await ended()
    _signal_group(pid, signal.SIGKILL)
    await ended()


def resident_bytes(pid: int) -> int:
    """Resident memory of a process and everything below it."""
    root = psutil.Process(pid)
    return sum(_resident(process) for process in [root, *root.children(recursive=True)])


def used_milliseconds(pid: int) -> float:
    """Time that a process has had on a processor; exact to the microsecond on Linux."""
    try:
        threads = list(Path(f"/proc/{pid}/task").iterdir())
        return sum(int((each / "schedstat").read_text().split()[0]) for each in threads) / 1e6
    except OSError:
        times = psutil.Process(pid).cpu_times()
        return float(times.user + times.system) * 1000


def _signal_group(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.NoSuchProcess:
        return 0
