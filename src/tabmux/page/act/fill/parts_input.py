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
# What the parts of a date or a time are called, and else how they are written while empty.
_NAMES = {
    "year": r"year",
    "month": r"month",
    "day": r"\bday\b(?! ?period)",
    "hour": r"hour",
    "minute": r"minute|\bmin\b",
    "second": r"second|\bsec\b",
    "half": r"\b[ap]\.?m\b|day ?period|meridiem",
}
_LETTERS = {"year": r"\byyyy\b", "month": r"\bMM\b", "day": r"\b[Dd]{2}\b", "hour": r"\b[Hh]{2}\b"}
_LETTERS_BESIDE = {"day": r"\bdd\b", "month": r"\bmm\b", "minute": r"\bmm\b", "second": r"\bss\b"}


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
        places = [_place_of(name, known) for name in names]
        if not known or (known.keys() - {"second"}) - set(places):
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


def _place_of(name: str, known: dict[str, int]) -> str:
    """Which part of a date or a time something is, by its name or by the letters in it."""
    for place, words in _NAMES.items():
        if re.search(words, name, re.IGNORECASE):
            return place
    # What stands for months in a date stands for minutes in a time.
    beside = {each: words for each, words in _LETTERS_BESIDE.items() if each in known}
    for place, letters in {**_LETTERS, **beside}.items():
        if re.search(letters, name):
            return place
    return ""
