"""Attempt progress: a client is told what an attempt to connect a browser waits for."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabmux.browsers.browser import Browser
from tabmux.concurrency import Signal, TaskOwner
from tabmux.content import CallingClient
from tabmux.errors import TabmuxError


@asynccontextmanager
async def reported_attempt(client: CallingClient | None, browser: Browser) -> AsyncIterator[None]:
    """Tell a client, if there is one, what a browser waits for, for the length of the block."""
    if client is None or not browser.queue_seconds:
        yield
        return
    changed = Signal()
    stop = browser.on_change(changed.notify)
    failure: TabmuxError | None = None
    try:
        async with TaskOwner() as tasks:
            tasks.start_quietly(_report(client, browser, changed))
            try:
                yield
            except TabmuxError as error:
                failure = error
        if failure is not None:
            # Outside of the task group, which would wrap it.
            raise failure
    finally:
        stop()


async def _report(client: CallingClient, browser: Browser, changed: Signal) -> None:
    told = ""
    for step in itertools.count(1):
        note = browser.attempt_note
        if note and note != told:
            told = note
            await client.progress(step, None, note)
        await changed.wait(browser.queue_seconds)
