"""Time input: picks hour, minute and half of the day in what a field opens for them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tabmux.errors import ElementTrouble
from tabmux.page.act.fill.enter_key import press_enter
from tabmux.page.act.fill.moments import NOON
from tabmux.page.element import Element
from tabmux.page.settling import unless_blocked
from tabmux.page_text import in_quotes

if TYPE_CHECKING:
    from tabmux.page.act.input_events import Input
    from tabmux.page.page import Page

COMING_MILLISECONDS = 400
SHOWN_MILLISECONDS = 400
NAMES = ("hour", "minute", "second")

Time = tuple[int, int, int | None]


class TimeInput:
    """One time, in columns beside each other or on the face of a clock."""

    def __init__(self, page: Page, given: Input) -> None:
        self._page, self._input = page, given

    async def is_offered(self, element: Element) -> bool:
        """Whether there is something to pick a time in."""
        return bool((await self._ask(element, "columns", "", [], COMING_MILLISECONDS)).get("holds"))

    async def add(self, element: Element, time: Time) -> bool:
        """Set the time beside a day, in fields or columns, if there are any; tells whether."""
        labels = (await self._ask(element, "fields", "", [])).get("labels") or [0, 0]
        if labels[0] and labels[1]:
            for label, number in zip(labels, time, strict=False):
                if label and number is not None:
                    await self._input.fill(replace(element, label=label), f"{number:02}")
            await press_enter(self._page, self._input, element)
            return True
        if not await self.is_offered(element):
            return False
        for place, number in enumerate(each for each in time if each is not None):
            await self._press(element, place, [each for each in time if each is not None], number)
        return True

    async def pick(self, element: Element, time: Time) -> str:
        """Press each part of the time, and what ends it."""
        numbers = [each for each in time if each is not None]
        # On the face of a clock it may go with the hours.
        is_half_set = await self._press_half(element, numbers)
        for place, number in enumerate(numbers):
            await self._press(element, place, numbers, number)
        if not is_half_set:
            await self._press_half(element, numbers)
        confirm = await self._ask(element, "confirm", "", numbers)
        if confirm.get("label"):
            await self._input.click(replace(element, label=confirm["label"]))
        texts = json.dumps(_spellings(time))
        if (await self._ask(element, "shown", texts, numbers, SHOWN_MILLISECONDS)).get("holds"):
            return ""
        raise ElementTrouble(
            f"The time was picked, but the element (uid {element.uid}) does not show it.",
            hint="Take a snapshot to see what became of it.",
            code="element_not_changed",
        )

    async def _press_half(self, element: Element, numbers: list[int]) -> bool:
        half = await self._ask(element, "part", "half", numbers)
        if half.get("label"):
            await self._input.click(replace(element, label=half["label"]))
        return bool(half.get("label"))

    async def _press(self, element: Element, place: int, numbers: list[int], number: int) -> None:
        part = await self._ask(element, "part", place, numbers)
        if part.get("label"):
            await self._input.click(replace(element, label=part["label"]))
            return
        known = ", ".join(in_quotes(each, 10) for each in part.get("known", ())[:12])
        raise ElementTrouble(
            f"The element (uid {element.uid}) offers no {NAMES[place]} {number:02}.",
            hint=f"It offers {known}." if known else "Take a snapshot to see what it opened.",
            code="element_no_such_option",
        )

    async def _ask(
        self, element: Element, task: str, wanted: int | str, time: list[int], limit: float = 0
    ) -> dict[str, Any]:
        answer = await unless_blocked(
            self._page,
            lambda: element.frame.run(
                "time_columns", element.epoch, element.label, task, wanted, time, limit
            ),
        )
        return dict(answer or {})


def _spellings(time: Time) -> list[str]:
    """How a time may be written, with blanks around it as around words."""
    hour, minute, second = time
    end = "" if second is None else f":{second:02}"
    half, noon = ("am" if hour < NOON else "pm"), hour % NOON or NOON
    full = {f"{hour}:{minute:02}{end}", f"{hour:02}:{minute:02}{end}"}
    halves = {
        f"{each}:{minute:02}{end}{blank}{half}"
        for each in (str(noon), f"{noon:02}")
        for blank in ("", " ")
    }
    return [f" {each} " for each in sorted(full | halves)] + [
        f" {each}:00 " for each in sorted(full)
    ]


def has_time(shown: str, time: Time) -> bool:
    """Whether a text has a time in it, however that is written."""
    text = f" {' '.join(shown.lower().split())} "
    return any(each in text for each in _spellings(time))
