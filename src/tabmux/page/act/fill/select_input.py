"""Select input: sees that what is drawn in place of a hidden select follows it, or works that."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tabmux.errors import ElementTrouble
from tabmux.page.act.fill.list_input import CHOSEN_MILLISECONDS, ListInput
from tabmux.page.element import Element
from tabmux.page_text import in_quotes

if TYPE_CHECKING:
    from tabmux.page.act.input_events import Input
    from tabmux.page.page import Page


class SelectInput:
    """One select that nobody sees."""

    def __init__(self, page: Page, given: Input) -> None:
        self._input = given
        self._lists = ListInput(page, given)

    async def set(self, element: Element, value: str, state: dict[str, Any]) -> str:
        """See that the component in front of it shows its value, or choose in that."""
        wanted = state["wanted"]
        shown = await self._lists.run("widget_of", element, wanted, CHOSEN_MILLISECONDS)
        if shown.get("shows", True):
            return ""
        await element.call("reselect", state["before"])
        held = await self._work(element, replace(element, label=shown["widget"]), wanted)
        if sorted(held) != sorted(wanted):
            raise ElementTrouble(
                f"The element (uid {element.uid}) stands behind a component that does not follow "
                f"it; that was worked instead, and now it holds {in_quotes(', '.join(held), 200)}.",
                hint="Take a snapshot, and choose in the component by click.",
                code="element_not_changed",
            )
        return ""

    async def _work(self, element: Element, widget: Element, wanted: list[str]) -> list[str]:
        """Choose in the component, one by one or all at once; returns what the select holds."""
        for value in wanted if widget.label else ():
            await self._input.fill(widget, value)
            if value != wanted[-1]:
                # What stays open would be taken for what was there before.
                await self._lists.close(widget)
        held: list[str] = (await element.call("held"))["chosen"]
        if sorted(held) != sorted(wanted) and len(wanted) > 1 and widget.label:
            # To choose the next one may have put off the one before.
            await self._input.fill(widget, json.dumps(wanted))
            held = (await element.call("held"))["chosen"]
        return held
