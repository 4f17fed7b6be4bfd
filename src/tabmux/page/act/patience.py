"""Patience: tries again what cannot be done yet, as long as something changes in the page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from tabmux.errors import ElementTrouble
from tabmux.page.element import Element

if TYPE_CHECKING:
    from tabmux.page.page import Page

LOOK_AGAIN_SECONDS = 0.05

Answer = TypeVar("Answer")


async def once_usable(
    page: Page,
    element: Element,
    attempt: Callable[[], Awaitable[Answer]],
    may_pass: Callable[[ElementTrouble], bool],
    seconds: float,
) -> Answer:
    """Do something with an element as soon as that can be done.

    What covers it may be about to go, as a calendar does that was just answered, and a button may
    be about to be enabled. Who is refused takes longer to come back than this waits, which ends
    where nothing in the document changes any more.

    Args:
        page: The page.
        element: What it is about.
        attempt: What is to be done.
        may_pass: Whether a trouble may soon be gone by itself.
        seconds: How long to go on.
    """
    loop = asyncio.get_running_loop()
    end, known = loop.time() + seconds, -1
    while True:
        try:
            return await attempt()
        except ElementTrouble as error:
            if not may_pass(error) or loop.time() >= end:
                raise
            page.drawing.keep()
            still = 1000 * page.timings.usable_still
            before, known = known, await element.frame.call("nextChange", known, [], still)
            if known == before:
                raise
        # A thing that fades changes all the time.
        await asyncio.sleep(LOOK_AGAIN_SECONDS)
