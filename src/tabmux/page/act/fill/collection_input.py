"""Collection input: gives a field that collects values those of a list, and no others."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tabmux.errors import ElementTrouble, StaleUid
from tabmux.page.act.fill.enter_key import press_enter
from tabmux.page.act.fill.list_input import OFFER_MILLISECONDS, ListInput
from tabmux.page.element import Element

if TYPE_CHECKING:
    from tabmux.page.act.input_events import Input
    from tabmux.page.page import Page

# How many values are taken away from those that a field has collected.
MOST_CHIPS = 30

Enter = Callable[[Element, str, dict[str, Any]], Awaitable[str]]


class CollectionInput:
    """One field that collects values."""

    def __init__(self, page: Page, given: Input) -> None:
        self._page, self._input = page, given
        self._lists = ListInput(page, given)

    async def enter(self, element: Element, values: Sequence[str], enter: Enter) -> str:
        """Type and choose several values, as fields that collect them take them."""
        await self._take_away(element, values)
        for value in values:
            try:
                await self._add(element, value, enter)
            except (StaleUid, ElementTrouble):
                # The list of the value before may have closed over this one.
                await self._add(element, value, enter)
        await self._lists.close(element)
        return ""

    async def _add(self, element: Element, value: str, enter: Enter) -> None:
        state = await element.call("fill", value)
        await enter(element, value, state)
        option = await self._lists.ask(element, "find", value, OFFER_MILLISECONDS)
        if option.get("label"):
            await self._lists.press(element, option, value)
        else:
            await self._take_typed(element, value)
        await self._lists.verify(element, value, option)

    async def _take_away(self, element: Element, values: Sequence[str]) -> None:
        """Press what takes away the values that are there and not wanted."""
        for _ in range(MOST_CHIPS):
            labels = (await self._lists.ask(element, "chips", json.dumps(list(values)))).get(
                "labels", ()
            )
            if not labels:
                return
            await self._input.click(replace(element, label=labels[0]))

    async def _take_typed(self, element: Element, value: str) -> None:
        """Have a field take what was typed for one of its values, by one key or another."""
        await press_enter(self._page, self._input, element)
        if (await element.call("held"))["value"] == value:
            await self._input.type(",")
