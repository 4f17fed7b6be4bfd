"""Opened input: sets controls by what they open: a list, a calendar, columns or a field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tabmux.errors import ElementTrouble
from tabmux.page.act.fill.calendar_input import CalendarInput
from tabmux.page.act.fill.enter_key import press_enter
from tabmux.page.act.fill.list_input import ListInput
from tabmux.page.act.fill.moments import moment_of, time_of
from tabmux.page.act.fill.time_input import TimeInput
from tabmux.page.element import Element
from tabmux.page.settling import unless_blocked

if TYPE_CHECKING:
    from tabmux.page.act.input_events import Input
    from tabmux.page.page import Page

FIELD_MILLISECONDS = 300
# What is wrong where another kind of thing may have opened.
_OTHER = frozenset({"element_not_fillable", "element_no_such_option"})


class OpenedInput:
    """One control that is opened to be set."""

    def __init__(self, page: Page, given: Input) -> None:
        self._page, self._input = page, given
        self._lists = ListInput(page, given)

    async def set(self, element: Element, value: str, state: dict[str, Any]) -> str:
        """Open it, see what that is, and set it there."""
        calendar, moment = CalendarInput(self._page, self._input), moment_of(value)
        if state["kind"] == "calendar" and moment is not None:
            return await calendar.mark(element, moment.days)
        if state["kind"] == "day" and moment is not None:
            return await calendar.pick(element, moment.days, value)
        if state.get("group"):
            return await self._lists.choose(element, state["wanted"])
        if moment is not None or time_of(value) is not None:
            return await self._set_moment(element, value, state["wanted"])
        try:
            return await self._lists.choose(element, state["wanted"])
        except ElementTrouble as error:
            if error.code != "element_not_fillable" or len(state["wanted"]) > 1:
                raise
            remark = await self._fill_opened(element, value)
            if remark is None:
                raise
            return remark

    async def _set_moment(self, element: Element, value: str, wanted: Sequence[str]) -> str:
        """Pick a day or a time; where there is nothing to pick it in, it is an option of a list."""
        self._page.drawing.keep()
        if not await self._lists.is_open(element):
            await self._lists.open(element)
        return await self.set_opened(element, value, wanted)

    async def set_opened(self, element: Element, value: str, wanted: Sequence[str]) -> str:
        """Set a control in what it has opened already."""
        time, moment = time_of(value), moment_of(value)
        times = TimeInput(self._page, self._input)
        if time is not None and await times.is_offered(element):
            return await times.pick(element, time)
        if moment is not None:
            try:
                return await CalendarInput(self._page, self._input).pick_opened(
                    element, moment.days, value
                )
            except ElementTrouble as error:
                if error.code != "element_readonly":
                    raise
        return await self._lists.choose(element, wanted, is_open=True)

    async def _fill_opened(self, element: Element, value: str) -> str | None:
        """Fill the only field that a control has inside, or has opened; None without one."""
        if field := await self._lists.field_in(element):
            return await self._input.fill(field, value)
        answer = await unless_blocked(
            self._page,
            lambda: element.frame.run("opened_field", element.epoch, FIELD_MILLISECONDS),
        )
        if not answer or not answer["label"]:
            return None
        field = replace(element, label=answer["label"])
        remark = await self._input.fill(field, value)
        await press_enter(self._page, self._input, element)
        return remark or "It was filled into the field that it opened."
