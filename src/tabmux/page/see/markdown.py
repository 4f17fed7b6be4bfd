"""Markdown: the content of a page as text to read, over all its frames."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tabmux.errors import TabmuxError
from tabmux.page.element import Element
from tabmux.page.frame_tree import Frame, FrameGone

if TYPE_CHECKING:
    from tabmux.page.page import Page

# Frames in frames in frames: nobody reads deeper.
DEEPEST = 5

Parts = list[str | dict[str, str]]


@dataclass(frozen=True)
class Reading:
    """Reads one page.

    `look` makes the page known that is to be read: which frame is where, and what is in closed
    shadow roots, which no script sees by itself. It takes time, and few pages need it.
    """

    page: Page
    look: Callable[[], Awaitable[Any]]

    @property
    def origin(self) -> str:
        """What links of the page are written without."""
        parts = urlsplit(self.page.url)
        return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""

    async def text(self, element: Element | None = None) -> str:
        """Return the main content of the page, or all that is in an element."""
        frame = self.page.main if element is None else element.frame
        others = [each for each in self.page.frames if each is not self.page.main]
        known = not all(each.adopted for each in others)
        if known:
            await self.look()
        found = await self._read(frame, element, known=known)
        if found["opaque"] and not known:
            await self.look()
            found = await self._read(frame, element)
        return await self._spliced(found["parts"], DEEPEST)

    async def _read(
        self, frame: Frame, element: Element | None = None, *, known: bool = True
    ) -> dict[str, Any]:
        epoch, label = (element.epoch, element.label) if element is not None else (0, 0)
        request = {"epoch": epoch, "label": label, "origin": self.origin, "known": known}
        try:
            found = await frame.run("read_page", request)
        except FrameGone as error:
            raise (error if element is None else element.gone()) from error
        if found is None and element is not None:
            raise element.gone()
        return dict(found)

    async def _spliced(self, parts: Parts, depth: int) -> str:
        """Put the text of frames where they are."""
        texts = await asyncio.gather(*(self._part(part, depth) for part in parts))
        return "\n\n".join(text for text in texts if text)

    async def _part(self, part: str | dict[str, str], depth: int) -> str:
        if isinstance(part, str):
            return part
        frame = self.page.frames.get(part["frame"])
        if frame is None or not depth:
            return ""
        try:
            async with asyncio.timeout(self.page.timings.frame_snapshot):
                found = await self._read(frame)
        except (TabmuxError, TimeoutError):
            return ""  # it has gone or does not answer; the rest can be read without it
        return await self._spliced(found["parts"], depth - 1)


def portion(text: str, offset: int, budget: int) -> str:
    """Return a part of a text from an offset on, up to the last end of a line within a budget."""
    rest = text[offset:]
    if len(rest) <= budget:
        return rest
    head = rest[:budget]
    end = head.rfind("\n", budget // 2)
    return head if end < 0 else head[: end + 1]
