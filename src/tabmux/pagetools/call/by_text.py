"""By text: presses, opens and fills what has no tool of its own, by the words that stand on it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic
from typing import Any

from tabmux.errors import Misuse, TabmuxError
from tabmux.page.frame_tree import Frame
from tabmux.page.page import Page
from tabmux.page.settling import unless_blocked
from tabmux.page_text import in_quotes
from tabmux.pagetools.call.filling import Filling
from tabmux.pagetools.collect.collector_scripts import run_script, wait_until_loaded
from tabmux.pagetools.collect.document_tree import Ref
from tabmux.pagetools.model import ToolControl, ToolKind

# How often something is opened on the way to what is hidden, and how long that may take to show.
MOST_FOLDS = 6
MOST_FRAMES = 12
FOLD_QUIET = (100, 600)
HOVER_SECONDS, HOVER_PAUSE = 0.6, 0.05
# How long something that is not there is waited for in a page that changes or fetches, and how
# soon it must do so.
COMING_SECONDS, CHANGE_MILLISECONDS = 2.0, 200


class ByText:
    """The elements of a page, by their words.

    Attributes:
        frame: The frame that was acted in; those of the frame that it begins with come first.
    """

    def __init__(self, page: Page, frame: Frame, filling: Filling) -> None:
        self._page, self.frame, self._filling = page, frame, filling

    async def act(self, kind: ToolKind, given: Mapping[str, Any]) -> None:
        """Click, open or fill what is called so."""
        if kind != "fill":
            text = str(given["text"])
            purpose = "press" if kind == "click" else "open"
            await self._come_to(text, purpose)
            await self._unfold(text, purpose)
            ref = await self._find_by_text(text, purpose, given.get("number"))
            await self._filling.click(ref, text)
            return
        name = str(given["field"])
        await self._come_to(name, "fill")
        ref = await self._find_by_text(name, "fill", given.get("number"))
        await self._filling.set(ToolControl("value", ref, "text", name), given["value"])

    async def _come_to(self, words: str, purpose: str) -> None:
        """Go on in the frame that has what is meant, or is about to show it."""
        end = monotonic() + COMING_SECONDS
        while not await self._enter_frame(words, purpose):
            is_hidden = bool(await run_script(self.frame, "toolAround", words))
            if is_hidden or monotonic() > end:
                return
            if not await wait_until_loaded(self._page, CHANGE_MILLISECONDS):
                return

    async def _enter_frame(self, words: str, purpose: str) -> bool:
        """Go on in the frame that has what is meant, if this one has not."""
        others = [each for each in self._page.frames if each is not self.frame]
        for frame in [self.frame, *others[: MOST_FRAMES - 1]]:
            with suppress(TabmuxError):
                if await run_script(frame, "toolNamed", words, purpose):
                    self.frame, self._filling = frame, self._filling.in_frame(frame)
                    return True
        return False

    async def _unfold(self, words: str, purpose: str) -> None:
        """Point at what hides something, and press it where that is not enough."""
        before = 0
        for _ in range(MOST_FOLDS):
            if await run_script(self.frame, "toolNamed", words, purpose):
                return
            around = int(await run_script(self.frame, "toolAround", words))
            if not around:
                return
            if around == before:
                await self._filling.click(around, words)
                before = 0
            else:
                await self._filling.hover(around, words)
                before = around
                await self._wait_until_unfolded(words, purpose, around)
            await unless_blocked(self._page, lambda: self.frame.call("quiet", *FOLD_QUIET))

    async def _wait_until_unfolded(self, words: str, purpose: str, around: int) -> None:
        """Give what is pointed at a moment to show more of itself: menus wait on purpose."""
        deadline = monotonic() + HOVER_SECONDS
        while monotonic() < deadline:
            if await run_script(self.frame, "toolNamed", words, purpose):
                return
            if int(await run_script(self.frame, "toolAround", words)) != around:
                return
            await asyncio.sleep(HOVER_PAUSE)

    async def _find_by_text(self, words: str, purpose: str, number: int | None) -> Ref:
        found = await run_script(self.frame, "toolNamed", words, purpose)
        if number is not None and 1 <= number <= len(found):
            return int(found[number - 1][0])
        if len(found) == 1 and number is None:
            return int(found[0][0])
        names = ", ".join(in_quotes(name, 60) for _, name in found[:10])
        too_high = f"; there is no number {number}" if found and number is not None else ""
        raise Misuse(
            f"{len(found) or 'No'} element{'s are' if len(found) != 1 else ' is'} called "
            f"{in_quotes(words, 60)}{too_high}.",
            hint=f"Be more precise, or say which by number: {names}."
            if found
            else "See get_page_content.",
            code="no_such_element",
        )
