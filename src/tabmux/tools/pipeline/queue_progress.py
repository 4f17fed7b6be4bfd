"""Queue progress: a call that waits for a browser is told its place, and its time stands still."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabmux.browsers.browser import Browser
from tabmux.concurrency import Signal, TaskOwner
from tabmux.errors import TabmuxError
from tabmux.tools.pipeline.call import ToolRun


@asynccontextmanager
async def reported_queue(run: ToolRun, browser: Browser) -> AsyncIterator[None]:
    """Report what a browser waits for, and do not count the wait as time of the call."""
    loop, timeout = asyncio.get_running_loop(), run.timeout
    began, deadline = loop.time(), timeout.when() if timeout is not None else None
    if timeout is not None and deadline is not None:
        timeout.reschedule(deadline + browser.queue_seconds)
    changed = Signal()
    stop = browser.on_change(changed.notify)
    failure: TabmuxError | None = None
    try:
        async with TaskOwner() as tasks:
            tasks.start_quietly(_report(run, browser, changed))
            try:
                yield
            except TabmuxError as error:
                failure = error
        if failure is not None:
            # Outside of the task group, which would wrap it.
            raise failure
    finally:
        stop()
        if timeout is not None and deadline is not None and not timeout.expired():
            timeout.reschedule(deadline + loop.time() - began)


async def _report(run: ToolRun, browser: Browser, changed: Signal) -> None:
    told = ""
    for step in itertools.count(1):
        note = browser.attempt_note
        if note and note != told:
            told = note
            await run.client.progress(step, None, note)
        await changed.wait(browser.queue_seconds)
