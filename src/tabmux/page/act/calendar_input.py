"""Calendar input: picks a day in the calendar that a field opens."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tabmux.errors import ElementTrouble
from tabmux.page.element import Element
from tabmux.page.settling import unless_blocked
from tabmux.page_text import in_quotes

if TYPE_CHECKING:
    from tabmux.page.act.input_events import Input
    from tabmux.page.page import Page

# How long a calendar may take to open, to turn, or to hand over the day.
STEP_MILLISECONDS = 600
# How often its buttons are pressed on the way.
MOST_TURNS = 60
# How long it may take to go out of sight, and how often it is looked for meanwhile.
CLOSING_SECONDS = 0.4
CLOSING_LOOKS = 10
DAY = re.compile(r"\d{4}-\d\d-\d\d")
HINT = "Take a snapshot: the calendar is open, and its buttons can be clicked."


class CalendarInput:
    """One calendar on its way to a day."""

    def __init__(self, page: Page, given: Input) -> None:
        self._page, self._input = page, given

    async def pick(self, element: Element, value: str) -> str:
        """Open the calendar of a field, turn to the month, and press the day."""
        await self._input.click(element)
        return await self._turn_and_press(element, value)

    async def confirm(self, element: Element, value: str) -> str | None:
        """Pick a day that was typed in the calendar that opened meanwhile; None without one.

        What was typed may go when the field is left, since the calendar did not take it.
        """
        self._page.drawing.keep()
        if not (await self._ask(element, value[:10], "", 0))["shown"]:
            return None
        if DAY.fullmatch(value):
            with suppress(ElementTrouble):
                remark = await self._turn_and_press(element, value)
                # What stays open waits for more, as for the other end of a span of days.
                for _ in range(CLOSING_LOOKS):
                    if not (await self._ask(element, value[:10], "", 0))["shown"]:
                        return remark
                    await asyncio.sleep(CLOSING_SECONDS / CLOSING_LOOKS)
        return "It is typed only: what opened for it may want it chosen there."

    async def _turn_and_press(self, element: Element, value: str) -> str:
        day, shown = value[:10], ""
        for _ in range(MOST_TURNS):
            step = await self._ask(element, day, shown)
            if step["do"] == "pick":
                await self._input.click(replace(element, label=step["label"]))
                return await self._picked(element, value)
            if step["do"] == "turn":
                await self._input.click(replace(element, label=step["label"]))
            elif step["do"] == "year":
                await self._input.fill(replace(element, label=step["label"]), day[:4])
            elif step["do"] != "set":
                raise self._trouble(element, day, step)
            shown = step["shown"]
        raise self._trouble(element, day, {"do": "far", "shown": shown})

    async def _picked(self, element: Element, value: str) -> str:
        step = await self._ask(element, value[:10], "picked")
        if step["do"] == "confirm":
            await self._input.click(replace(element, label=step["label"]))
            step = await self._ask(element, value[:10], "picked")
        if step["do"] == "done" and step.get("open"):
            await self._input.press_often("Escape")
            step = await self._ask(element, value[:10], "picked")
        if step["do"] == "lost":
            raise ElementTrouble(
                f"The day {value[:10]} was clicked in the calendar, but the element "
                f"(uid {element.uid}) shows {in_quotes(step['shown'], 60)}.",
                hint="Take a snapshot to see what the calendar made of it.",
                code="element_not_changed",
            )
        if value[10:].strip():
            return f"The field now holds {in_quotes(step['shown'], 60)}; only the day was picked."
        return ""

    async def _ask(
        self, element: Element, day: str, before: str, limit: float = STEP_MILLISECONDS
    ) -> dict[str, Any]:
        answer = await unless_blocked(
            self._page,
            lambda: element.frame.run(
                "calendar_step", element.epoch, element.label, day, before, limit
            ),
        )
        if not answer or answer.get("trouble"):
            raise element.gone()
        return dict(answer)

    def _trouble(self, element: Element, day: str, step: dict[str, Any]) -> ElementTrouble:
        name = f"The element (uid {element.uid})"
        if step["do"] == "disabled":
            return ElementTrouble(f"{name} has {day} disabled.", hint=HINT, code="element_disabled")
        if step["do"] == "none" and not step["shown"]:
            return ElementTrouble(
                f"{name} is read-only, and a click opened no calendar that could be read.",
                hint="Take a snapshot to see what the click opened.",
                code="element_readonly",
            )
        return ElementTrouble(
            f"{name} opened a calendar that came no farther than {step['shown']} towards {day}.",
            hint=HINT,
            code="element_not_changed",
        )
