"""Other frames: hold back a press that Chrome hands to a frame at which it was not aimed."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from tabmux.cdp.channel import Params
from tabmux.errors import TabmuxError
from tabmux.page.frame_tree import Frame

if TYPE_CHECKING:
    from tabmux.page.element import Element
    from tabmux.page.page import Page

# Each is told before every press; a page with more of them is rare.
MOST_FRAMES = 64


class OtherFrames:
    """The frames that live in other processes than the one in which an element is pressed.

    Chromium 156 decides which process gets a press by what it has drawn last: after a scroll, on a
    busy machine, that may be a neighbour. Within a process the document itself decides.

    Args:
        page: The page.
        element: What is pressed. The frames around it are asked when they are aimed through.
    """

    def __init__(self, page: Page, element: Element) -> None:
        own, around = element.frame.channel, set(_around(element.frame))
        apart = (each for each in page.frames if each.channel is not own and each not in around)
        self._frames = list(islice(apart, MOST_FRAMES))
        self._told: list[asyncio.Future[Params]] = []
        self._seconds = page.timings.press

    def guard(self, presses: int) -> None:
        """Have them hold back the press that is aimed now."""
        self._tell("guard_all", presses)

    async def told(self) -> None:
        """Wait until they know, which mostly was while the press was aimed."""
        if self._told:
            await asyncio.wait(self._told, timeout=self._seconds)

    async def caught(self) -> str:
        """Say what in them the press was kept from; empty where none of them has had it."""
        covers = await asyncio.gather(*map(_cover, self._frames))
        return next((each for each in covers if each), "")

    def lift(self) -> None:
        """Have them hold nothing back any more."""
        self._tell("lift_guard")

    def _tell(self, script: str, *args: int) -> None:
        self._told = []
        for each in self._frames:
            with suppress(TabmuxError):
                if (answer := each.begin(script, *args)) is not None:
                    self._told.append(answer)


def _around(frame: Frame) -> list[Frame]:
    found = []
    while (parent := frame.parent) is not None:
        found.append(parent)
        frame = parent
    return found


async def _cover(frame: Frame) -> str:
    with suppress(TabmuxError):
        return str((await frame.call("landed", True))["cover"])
    return ""
