"""Parts input: sets what is made of several numbers, as two thumbs or the parts of a date."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tabmux.errors import ElementTrouble
from tabmux.page.act.fill.moments import DAY, NOON, time_of
from tabmux.page.element import Element

if TYPE_CHECKING:
    from tabmux.page.act.input_events import Input
    from tabmux.page.page import Page

_DAY = re.compile(rf"({DAY})")
# What the parts of a date or a time are called, or show while they are empty; in this order.
_NAMES = (
    ("year", re.compile(r"year|\byyyy\b", re.IGNORECASE)),
    ("month", re.compile(r"month|\bmm\b(?!.*min)", re.IGNORECASE)),
    ("day", re.compile(r"\bday|\bdd\b", re.IGNORECASE)),
    ("hour", re.compile(r"hour|\bhh\b", re.IGNORECASE)),
    ("minute", re.compile(r"minute|\bmin\b", re.IGNORECASE)),
    ("second", re.compile(r"second|\bss\b", re.IGNORECASE)),
    ("half", re.compile(r"\b[ap]\.?m\b|day ?period", re.IGNORECASE)),
)


class PartsInput:
    """Several numbers that belong together."""

    def __init__(self, page: Page, given: Input) -> None:
        self._page, self._input = page, given

    async def set(self, element: Element, value: str, state: dict[str, Any]) -> str:
        """Set each part to its number."""
        parts = [replace(element, label=label) for label in state["parts"]]
        if value.lstrip().startswith("["):
            return await self._set_numbers(parts, [f"{each:g}" for each in json.loads(value)])
        return await self._set_moment(element, parts, state["names"], value)

    async def _set_numbers(self, parts: Sequence[Element], numbers: Sequence[str]) -> str:
        """Set them in order; one that another one stands in the way of is set after that."""
        waiting = []
        for part, number in zip(parts, numbers, strict=True):
            try:
                remark = await self._input.fill(part, number)
            except ElementTrouble:
                remark = "not yet"
            if remark:
                waiting.append((part, number))
        remarks = [await self._input.fill(part, number) for part, number in waiting]
        return " ".join(each for each in remarks if each)

    async def _set_moment(
        self, element: Element, parts: Sequence[Element], names: Sequence[str], value: str
    ) -> str:
        known = _numbers_of(value)
        places = [_place_of(name) for name in names]
        missing = {"year", "month", "day"} & known.keys() - set(places)
        if missing or not known.keys() & set(places):
            raise ElementTrouble(
                f"The parts of the element (uid {element.uid}) do not tell which of them is what.",
                hint="Fill each part by itself.",
                code="element_not_fillable",
            )
        has_half = "half" in places
        for part, place in zip(parts, places, strict=True):
            number = known.get(place)
            if place == "half" and "hour" in known:
                await self._set_half(part, known["hour"])
            elif number is not None:
                shown = number % NOON or NOON if place == "hour" and has_half else number
                await self._input.fill(part, str(shown))
        return ""

    async def _set_half(self, part: Element, hour: int) -> None:
        await self._input.click(part)
        await self._input.type("p" if hour >= NOON else "a")


def _numbers_of(value: str) -> dict[str, int]:
    """The numbers of a day as 2027-01-20 and of a time, by what they are called."""
    known: dict[str, int] = {}
    if found := _DAY.search(value):
        year, month, day = map(int, found[1].split("-"))
        known = {"year": year, "month": month, "day": day}
    if time := time_of(_DAY.sub("", value).lstrip(" T")):
        hour, minute, second = time
        known |= {"hour": hour, "minute": minute, "second": second or 0}
    return known


def _place_of(name: str) -> str:
    return next((place for place, words in _NAMES if words.search(name)), "")
