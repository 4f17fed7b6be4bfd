"""Queue progress: a call that waits for a browser is told its place, and its time stands still."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabmux.browsers.attempt_progress import reported_attempt
from tabmux.browsers.browser import Browser
from tabmux.tools.pipeline.call import ToolRun


@asynccontextmanager
async def reported_queue(run: ToolRun, browser: Browser) -> AsyncIterator[None]:
    """Report what a browser waits for, and do not count the wait as time of the call."""
    loop, timeout = asyncio.get_running_loop(), run.timeout
    began, deadline = loop.time(), timeout.when() if timeout is not None else None
    if timeout is not None and deadline is not None:
        timeout.reschedule(deadline + browser.queue_seconds)
    try:
        async with reported_attempt(run.client, browser):
            yield
    finally:
        if timeout is not None and deadline is not None and not timeout.expired():
            timeout.reschedule(deadline + loop.time() - began)
