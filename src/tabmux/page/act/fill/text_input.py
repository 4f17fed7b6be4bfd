"""Text input: types into fields, and sees that they hold the text."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from tabmux.page.act.fill.held_value import held_by, is_same, remark_on
from tabmux.page.act.keyboard import KEYS
from tabmux.page.element import Element
from tabmux.page_text import in_quotes

if TYPE_CHECKING:
    from tabmux.page.act.input_events import Input
    from tabmux.page.page import Page


class TextInput:
    """One field whose text is replaced."""

    def __init__(self, page: Page, given: Input) -> None:
        self._page, self._input = page, given
        # What the page offered for the text, when the field was looked at last.
        self.offers: dict[str, Any] | None = None

    async def enter(self, element: Element, value: str, state: dict[str, Any]) -> str:
        """Type into a field whose text is selected."""
        if state.get("spread"):
            return await self._spread(element, value, state)
        await self._replace_selection(value)
        held = await self._value_of(element)
        if not is_same(held["value"], value):
            await element.call("fill", value)
            await self._input.press_often("Delete")
            await self._input.type(value)
            held = await self._value_of(element)
        took_nothing = held["value"] == state["value"] or value.startswith(held["value"] or "")
        if not is_same(held["value"], value) and took_nothing and not held.get("spread"):
            # A page that holds keys back may take the text without them.
            await element.call("fill", value)
            await self._input.deliver([self._input.insert(value)])
            held = await self._value_of(element)
        return remark_on(element, held, state, value)

    async def _spread(self, element: Element, value: str, state: dict[str, Any]) -> str:
        """Type a text that is longer than a field, key by key: the page may move the focus on."""
        await self._input.type(value)
        held = await self._value_of(element)
        if held.get("spread") == value or not held.get("left"):
            return remark_on(element, held, state, value)
        holds = (
            "" if held.get("secret") else f"The field now holds {in_quotes(held['value'], 200)}. "
        )
        return f"{holds}The rest was typed where the page moved the focus."

    async def _replace_selection(self, value: str) -> None:
        """Replace the selection. The last character is typed, for pages that listen to keys."""
        if not value:
            await self._input.press_often("Delete")
            return
        self._input.see_who_listens()
        calls: list[Awaitable[Any]] = []
        last = KEYS.get(value[-1]) if value[-1] != "\n" else None
        if len(value) > 1 or last is None:
            calls.append(self._input.insert(value[:-1] if last else value))
        if last is not None:
            calls += [self._input.key(last.event(kind, 0)) for kind in ("down", "up")]
        await self._input.deliver(calls)

    async def _value_of(self, element: Element) -> dict[str, Any]:
        held = await held_by(self._page, element)
        self.offers = held.get("offers")
        return held
