"""Editor input: replaces the text of editors, and believes only what they show."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from tabmux.errors import ElementTrouble
from tabmux.page.act.keyboard import KEYS, MODIFIERS, parse
from tabmux.page.element import Element
from tabmux.page.settling import unless_blocked
from tabmux.page_text import in_quotes

if TYPE_CHECKING:
    from tabmux.page.act.input_events import Input
    from tabmux.page.page import Page

SHOWN_MILLISECONDS = 300
# What an error says of a text that became another.
QUOTED = 200


class EditorInput:
    """Puts a text in the place of all that an editor holds."""

    def __init__(self, page: Page, given: Input) -> None:
        self._page, self._input = page, given

    async def set(self, element: Element, value: str, state: dict[str, Any]) -> str:
        """Try the ways in which a user could, until the editor shows the text and nothing else."""
        ways = [self._insert, self._paste] + ([self._type_lines] if "\n" in value else [])
        shown: dict[str, Any] = {}
        for number, way in enumerate(ways):
            if number:
                await element.call("fill", value)
            await way(element, value)
            answer = await self._shown(element, value)
            if answer is None or answer.get("trouble"):
                return ""  # a dialog, a navigation, or the editor is put away
            if answer["is"] == "whole" or await self._is_at_both_ends(element, value, answer):
                return ""
            shown = answer
        raise ElementTrouble(
            f"The editor (uid {element.uid}) shows {in_quotes(shown['shown'], QUOTED)} "
            "instead of the text; it was inserted, pasted and typed.",
            hint="Press Control+Z to undo it; click into the editor and use type_text.",
            code="element_not_changed",
        )

    async def _shown(self, element: Element, value: str, part: str = "") -> dict[str, Any] | None:
        answer: dict[str, Any] | None = await unless_blocked(
            self._page,
            lambda: element.frame.run(
                "editor_text", element.epoch, element.label, value, SHOWN_MILLISECONDS, part
            ),
        )
        return answer

    async def _is_at_both_ends(self, element: Element, value: str, shown: dict[str, Any]) -> bool:
        """Look at the start and the end of a text of which only a part is drawn."""
        if shown["is"] == "other":
            return False
        for key, end in (("Home", "start"), ("End", "end")):
            await self._input.press(parse(f"Control+{key}"))
            answer = await self._shown(element, value, end)
            if answer is None or answer.get("is") not in ("whole", end):
                return False
        return True

    async def _insert(self, _: Element, value: str) -> None:
        calls = self._emptying()
        if value:
            calls.append(self._input.insert(value))
        await self._input.deliver(calls)

    async def _paste(self, element: Element, value: str) -> None:
        await self._input.deliver(self._emptying())
        await unless_blocked(self._page, lambda: element.frame.run("paste_text", value))

    async def _type_lines(self, _: Element, value: str) -> None:
        calls = self._emptying()
        enter = KEYS["Enter"]
        for number, line in enumerate(value.split("\n")):
            if number:
                calls += [self._input.key(enter.event(kind, 0)) for kind in ("down", "up")]
            if line:
                calls.append(self._input.insert(line))
        await self._input.deliver(calls)

    def _emptying(self) -> list[Awaitable[Any]]:
        """Select everything by key, as editors have their own idea of it, and delete it."""
        held = MODIFIERS["Control"]
        select = [KEYS["a"].event(kind, held) for kind in ("down", "up")]
        # Where the platform's key is another, Chrome is told what it means.
        select[0]["commands"] = ["selectAll"]
        delete = [KEYS["Delete"].event(kind, 0) for kind in ("down", "up")]
        return [self._input.key(event) for event in (*select, *delete)]
