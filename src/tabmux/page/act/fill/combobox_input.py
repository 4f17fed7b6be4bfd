"""Combobox input: types into fields, and sees to what comes of that: a list, a calendar, offers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabmux.errors import ElementTrouble
from tabmux.page.act.fill.calendar_input import CalendarInput
from tabmux.page.act.fill.collection_input import CollectionInput
from tabmux.page.act.fill.held_value import held_by, is_same
from tabmux.page.act.fill.list_input import ListInput
from tabmux.page.act.fill.moments import time_of
from tabmux.page.act.fill.offer_input import OfferInput
from tabmux.page.act.fill.text_input import TextInput
from tabmux.page.element import Element
from tabmux.page_text import in_quotes

if TYPE_CHECKING:
    from tabmux.page.act.input_events import Input
    from tabmux.page.page import Page


class ComboboxInput:
    """One field that may suggest something for its text."""

    def __init__(self, page: Page, given: Input) -> None:
        self._page, self._input = page, given
        self._text, self._lists = TextInput(page, given), ListInput(page, given)

    async def set(self, element: Element, value: str, state: dict[str, Any]) -> str:
        """Type into a combobox, and choose what it then offers under that name."""
        if state["kind"] == "tags" or state["wanted"] != [value]:
            collection = CollectionInput(self._page, self._input)
            return await collection.enter(element, state["wanted"], self._text.enter)
        try:
            remark = await self._text.enter(element, value, state)
        except ElementTrouble as error:
            if error.code != "element_not_changed" or not value:
                raise
            # The field is there to be clicked: its page takes no typing.
            return await self._lists.choose(element, [value])
        confirmed = await self._confirm(element, value, state)
        if confirmed is not None or not value:
            return remark if confirmed is None else confirmed
        opens = not state.get("dated") or time_of(value) is not None
        offered = await self._lists.choose_offered(element, value, remark, opens=opens)
        # A calendar may come late, or have been opened to look for an offer.
        confirmed = await self._confirm(element, value, state)
        return offered if confirmed is None else confirmed

    async def enter(
        self, element: Element, value: str, state: dict[str, Any], *, choose: bool
    ) -> str:
        """Type into a field that nothing calls a combobox, and choose what it offers even so."""
        try:
            remark = await self._text.enter(element, value, state)
        except ElementTrouble as error:
            if error.code != "element_not_changed" or not (value and choose and state.get("opens")):
                raise
            return await self._choose_behind(element, value, error)
        if choose and (offers := await self._offers(element, value, state)):
            return await OfferInput(self._page, self._input).take(element, value, offers) or remark
        confirmed = await self._confirm(element, value, state)
        return remark if confirmed is None else confirmed

    async def _offers(
        self, element: Element, value: str, state: dict[str, Any]
    ) -> dict[str, Any] | None:
        if self._text.offers or not (value and state.get("suggests")):
            return self._text.offers
        return await OfferInput(self._page, self._input).awaited(element)

    async def _choose_behind(self, element: Element, value: str, refusal: ElementTrouble) -> str:
        """Choose what a field opens that takes no text, if it opens anything."""
        await self._input.press_often("Escape")
        await self._lists.look(element)
        try:
            return await self._lists.choose(element, [value])
        except ElementTrouble as error:
            raise refusal if error.code == "element_not_fillable" else error from refusal

    async def _confirm(self, element: Element, value: str, state: dict[str, Any]) -> str | None:
        """See that a calendar which opened for a day takes it, or tell of it; None without one."""
        if not state.get("dated"):
            return None
        remark = await CalendarInput(self._page, self._input).confirm(element, value)
        if remark != "":
            return remark
        now = (await held_by(self._page, element))["value"]
        return "" if is_same(now, value) else f"The field now holds {in_quotes(str(now), 200)}."
