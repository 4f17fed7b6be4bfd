"""Offer input: chooses what a page offers below a field that nothing calls a combobox."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tabmux.page.act.fill.held_value import held_by, is_same
from tabmux.page.element import Element
from tabmux.page.settling import unless_blocked
from tabmux.page_text import in_quotes

if TYPE_CHECKING:
    from tabmux.page.act.input_events import Input
    from tabmux.page.page import Page

# How long what a page offers for a text may take to unfold, or to go when it was chosen.
OFFER_MILLISECONDS = 600
# How long a field that is called one that suggests may take to do so.
SUGGESTED_MILLISECONDS = 300


class OfferInput:
    """What is offered for one text."""

    def __init__(self, page: Page, given: Input) -> None:
        self._page, self._input = page, given

    async def awaited(self, element: Element) -> dict[str, Any] | None:
        """What a field offers that is called one that does so, once it has."""
        found: dict[str, Any] | None = await self._wait("offered", element, SUGGESTED_MILLISECONDS)
        return found

    async def take(self, element: Element, value: str, offers: dict[str, Any]) -> str:
        """Choose what a page offers for a text, or say what it offers instead."""
        if not offers["label"]:
            known = ", ".join(in_quotes(each, 60) for each in offers["known"])
            return f"It is typed only: the page offers {known} for it."
        offer = replace(element, label=offers["label"])
        await self._wait("rests", offer, OFFER_MILLISECONDS)
        await self._input.click(offer)
        now = await held_by(self._page, element)
        if not is_same(now["value"], value):
            return f"The field now holds {in_quotes(str(now['value']), 200)}."
        if await self._wait("gone", offer, OFFER_MILLISECONDS) is not False:
            return ""
        return "It is typed only: what the page offers for it was clicked, and is still there."

    async def _wait(self, until: str, element: Element, limit: float) -> Any:
        """Wait a while until something is offered to a field, or an offer rests or is gone."""
        self._page.drawing.keep()
        asked = (element.epoch, element.label, until, limit)
        return await unless_blocked(self._page, lambda: element.frame.run("offer_rest", *asked))
