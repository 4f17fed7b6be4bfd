"""Calendar input: picks a day in the calendar that a field opens."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tabmux.errors import ElementTrouble
from tabmux.page.act.fill.enter_key import press_enter
from tabmux.page.act.fill.moments import day_of, time_of
from tabmux.page.act.fill.time_input import TimeInput, has_time
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
# How long a calendar may take to come that opens by the focus, or for what is typed.
COMING_MILLISECONDS = 120
# How long a day that was pressed may take to be marked.
MARKED_MILLISECONDS = 200
# Any month will do to see whether a calendar is open.
ANY_DAY = "2026-01-01"
DAY = re.compile(r"\d{4}-\d\d-\d\d")
HINT = "Take a snapshot: the calendar is open, and its buttons can be clicked."


class CalendarInput:
    """One calendar on its way to a day."""

    def __init__(self, page: Page, given: Input) -> None:
        self._page, self._input = page, given

    async def pick(self, element: Element, days: Sequence[str], value: str) -> str:
        """Open the calendar of a field, turn to each day, month or year, and press it."""
        await self._input.click(element)
        try:
            return await self.pick_opened(element, days, value)
        except ElementTrouble as error:
            opener = await self._opener(element) if error.code == "element_readonly" else None
            if opener is None:
                raise
        await self._input.click(opener)
        return await self.pick_opened(element, days, value)

    async def pick_opened(self, element: Element, days: Sequence[str], value: str) -> str:
        """Pick in a calendar that is open: one day, or the first and the last of several."""
        for day in days:
            await self._turn_and_press(element, day)
        time = time_of(value[10:].lstrip("T ")) if len(days) == 1 else None
        if time is not None:
            await TimeInput(self._page, self._input).add(element, time)
        return await self._picked(element, days, value)

    async def mark(self, element: Element, days: Sequence[str]) -> str:
        """Press days in a calendar that stands in the page, and see that they are marked."""
        for day in days:
            await self._turn_and_press(element, day)
        unseen = [
            day
            for day in days
            if not (await self._ask(element, day, "", MARKED_MILLISECONDS)).get("marked")
        ]
        told = f"{', '.join(unseen)} was clicked; whether it is chosen cannot be read."
        return told if unseen else ""

    async def confirm(self, element: Element, value: str) -> str | None:
        """Pick a day that was typed in the calendar that opened meanwhile; None without one.

        What was typed may go when the field is left, since the calendar did not take it.
        """
        self._page.drawing.keep()
        if not await self._is_open(element, COMING_MILLISECONDS):
            return None
        if day := day_of(value):
            with suppress(ElementTrouble):
                remark = await self.pick_opened(element, [day], day)
                # What stays open waits for more, as for the other end of a span of days.
                if await self._closes(element):
                    return remark
        else:
            # This key takes what is typed, in nearly all of them.
            await press_enter(self._page, self._input, element)
            if await self._closes(element):
                return ""
        return "It is typed only: what opened for it may want it chosen there."

    async def _closes(self, element: Element) -> bool:
        for _ in range(CLOSING_LOOKS):
            if not await self._is_open(element, 0):
                return True
            await asyncio.sleep(CLOSING_SECONDS / CLOSING_LOOKS)
        return False

    async def _is_open(self, element: Element, limit: float) -> bool:
        return bool((await self._ask(element, ANY_DAY, "", limit))["shown"])

    async def _opener(self, element: Element) -> Element | None:
        """The button beside a field that cannot be typed into, if it has one."""
        answer = await unless_blocked(
            self._page,
            lambda: element.frame.run(
                "list_options", element.epoch, element.label, "opener", "", 0
            ),
        )
        label = (answer or {}).get("label")
        return replace(element, label=label) if label else None

    async def _turn_and_press(self, element: Element, day: str) -> None:
        shown = ""
        for _ in range(MOST_TURNS):
            step = await self._ask(element, day, shown)
            if step["do"] == "pick":
                if not (step["inside"] and step["marked"]):
                    await self._input.click(replace(element, label=step["label"]))
                return
            if step["do"] == "turn":
                await self._input.click(replace(element, label=step["label"]))
            elif step["do"] == "year":
                await self._input.fill(replace(element, label=step["label"]), day[:4])
            elif step["do"] != "set":
                raise self._trouble(element, day, step)
            shown = step["shown"]
        raise self._trouble(element, day, {"do": "far", "shown": shown})

    async def _picked(self, element: Element, days: Sequence[str], value: str) -> str:
        step: dict[str, Any] = {}
        for day in reversed(days):
            step = await self._taken(element, day, several=len(days) > 1)
            if step["do"] == "lost":
                raise ElementTrouble(
                    f"{day} was clicked in the calendar, but the element "
                    f"(uid {element.uid}) shows {in_quotes(step['shown'], 60)}.",
                    hint="Take a snapshot to see what the calendar made of it.",
                    code="element_not_changed",
                )
        if len(days) == 1 and value[10:].strip() and DAY.fullmatch(days[0]):
            time = time_of(value[10:].lstrip("T "))
            if time is None or not has_time(step["shown"], time):
                return (
                    f"The field now holds {in_quotes(step['shown'], 60)}; only the day was picked."
                )
        return ""

    async def _taken(self, element: Element, day: str, *, several: bool) -> dict[str, Any]:
        """What the control shows of a day that was pressed, once the calendar is put away."""

        async def look() -> dict[str, Any]:
            return await self._ask(element, day, "picked", STEP_MILLISECONDS, several)

        step = await look()
        if step["do"] == "confirm":
            await self._input.click(replace(element, label=step["label"]))
            step = await look()
        if step["do"] == "done" and step.get("open"):
            await self._input.press_often("Escape")
            step = await look()
        return step

    async def _ask(
        self,
        element: Element,
        day: str,
        before: str,
        limit: float = STEP_MILLISECONDS,
        several: bool = False,
    ) -> dict[str, Any]:
        answer = await unless_blocked(
            self._page,
            lambda: element.frame.run(
                "calendar_step", element.epoch, element.label, day, before, limit, several
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
