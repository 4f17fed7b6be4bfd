"""Scrolling: moves a page, or a part of it, and says where it is then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from tabmux.errors import TabmuxError
from tabmux.page.element import Element
from tabmux.page.settling import settled

if TYPE_CHECKING:
    from tabmux.page.page import Page

Direction = Literal["up", "down", "left", "right"]


@dataclass(frozen=True)
class ScrollPosition:
    """Where something is that can be scrolled, in pixels.

    Args:
        name: What it is.
        at: What is before the part in view.
        view: How much is in view.
        full: How much there is.
        screenful: How far a step goes.
    """

    name: str
    at: int
    view: int
    full: int
    screenful: int

    def is_at_end(self, direction: Direction) -> bool:
        """Whether there is nothing more in a direction."""
        return self.at <= 1 if direction in ("up", "left") else self.at + self.view >= self.full - 1

    @property
    def line(self) -> str:
        """Say it in a sentence."""
        end = min(self.at + self.view, self.full)
        return f"In view: {self.at} to {end} of {self.full} px of {self.name}."


class Scrolling:
    """Scrolls the page, or what an element is in, along one direction.

    Args:
        page: The page.
        direction: Where to.
        element: What is in the part that is to be scrolled; the page itself when absent.
    """

    def __init__(self, page: Page, direction: Direction, element: Element | None = None) -> None:
        self._page, self._direction, self._element = page, direction, element
        self._frame = element.frame if element is not None else page.main
        self._sign = -1 if direction in ("up", "left") else 1

    async def position(self) -> ScrollPosition:
        """Say where it is."""
        return await self._move()

    async def step(self, amount: int | None = None) -> ScrollPosition:
        """Scroll by some pixels, or a screenful, and wait for what that sets in motion.

        Over an element the real wheel is turned, which pages may listen to.
        """
        self._page.drawing.keep()
        async with settled(self._page, self._frame):
            if self._element is not None:
                await self._turn_wheel(amount)
            else:
                await self._move(pixels=amount or 0, pages=0 if amount else 1)
        return await self.position()

    async def to_end(self) -> ScrollPosition:
        """Scroll as far as it goes now, and wait for more to load."""
        self._page.drawing.keep()
        here = await self.position()
        async with settled(self._page, self._frame):
            await self._move(pixels=here.full)
        there = await self.position()
        if there.full == here.full and there.is_at_end(self._direction):
            # What loads more may begin late; nothing else shows that it has.
            await self._frame.call("firstChange", self._page.timings.more_content * 1000)
            there = await self.position()
        return there

    async def _move(self, pixels: int = 0, pages: int = 0) -> ScrollPosition:
        element = self._element
        request: dict[str, Any] = {
            "epoch": element.epoch if element is not None else 0,
            "label": element.label if element is not None else 0,
            "axis": "y" if self._direction in ("up", "down") else "x",
            "by": pixels * self._sign,
            "pages": pages * self._sign,
        }
        found = await self._frame.run("scroll", request)
        if found is None and element is not None:
            raise element.gone()
        return ScrollPosition(**found)

    async def _turn_wheel(self, amount: int | None) -> None:
        distance = (amount or (await self.position()).screenful) * self._sign
        across = self._direction in ("left", "right")
        if self._element is not None:
            await self._page.input.wheel(
                self._element, distance if across else 0, 0 if across else distance
            )


async def reveal(element: Element) -> None:
    """Scroll an element into view."""
    what = {"epoch": element.epoch, "label": element.label, "text": ""}
    if not await element.frame.run("reveal", what):
        raise element.gone()


async def reveal_text(page: Page, text: str) -> bool:
    """Scroll to a text, if a frame has it; tells whether one does."""
    for frame in page.frames:
        try:
            if await frame.call("shownTexts", [text]):
                await frame.run("reveal", {"epoch": 0, "label": 0, "text": text})
                return True
        except TabmuxError:
            if frame is page.frames.main:
                raise
    return False
