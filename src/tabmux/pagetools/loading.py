"""Loads a page, and waits for what it draws by itself afterwards."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from tabmux.errors import TabmuxError
from tabmux.page.page import Page
from tabmux.page.settling import unless_blocked

# A page that draws itself begins within this time, and pauses for less than this.
FIRST_MILLISECONDS = 150
QUIET_MILLISECONDS = 100
LONGEST_MILLISECONDS = 1500


async def wait_until_drawn(page: Page) -> None:
    """Wait until a page that draws itself has drawn; one that does not costs little."""
    with suppress(TabmuxError):
        await unless_blocked(page, lambda: page.main.call("watch"))
        first = page.main
        if await unless_blocked(page, lambda: first.call("firstChange", FIRST_MILLISECONDS)):
            await unless_blocked(
                page, lambda: first.call("quiet", QUIET_MILLISECONDS, LONGEST_MILLISECONDS)
            )


def can_be_seen(page: Page) -> bool:
    """Whether there is something to look at: a document, or the dialog in front of it."""
    return page.document.ready or page.dialogs.current is not None


async def load(page: Page, url: str) -> None:
    """Load a URL; a dialog that the page opens meanwhile ends the waiting."""
    async with asyncio.TaskGroup() as group:
        going = group.create_task(_trouble(page, url))
        while not going.done() and page.dialogs.current is None:
            await page.signal.or_done(going)
        if not going.done():
            going.cancel()
    if not going.cancelled() and (trouble := going.result()) is not None:
        raise trouble


async def _trouble(page: Page, url: str) -> TabmuxError | None:
    """Load a URL, and return why it could not be; a task group would wrap it."""
    try:
        await page.navigation.go(url)
    except TabmuxError as error:
        return error
    return None
