"""Moments: which days, months or times a value names, however it is written."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

DAY = r"\d{4}-\d\d-\d\d"
_DAY = re.compile(rf"\s*({DAY})(?:[T ].*)?\s*$")
_DAYS = re.compile(rf"\s*({DAY})\s*(?:–|—|-|/|to|until|,|;|~|→)\s*({DAY})\s*$")
_MONTH = re.compile(r"\s*(\d{4})-(\d\d)\s*$")
_NAMED_MONTH = re.compile(r"\s*([A-Za-z]{3,9})\.?,?\s+(\d{4})\s*$")
_YEAR = re.compile(r"\s*((?:19|20|21)\d\d)\s*$")
_TIME = re.compile(r"\s*(\d\d?):(\d\d)(?::(\d\d))?\s*([ap])?\.?(?:m\.?)?\s*$", re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
NOON = 12
MONTHS = 12
YEAR_DIGITS = 4


@dataclass(frozen=True)
class Moment:
    """What can be picked in a calendar: days, a month or a year, as 2027-01-20, 2027-01, 2027."""

    days: tuple[str, ...]


def moment_of(value: str) -> Moment | None:
    """The days, the month or the year that a value names, if it names nothing else."""
    if days := _listed_days(value):
        return Moment(days)
    if found := _DAY.match(value):
        return Moment((found[1],))
    if found := _MONTH.match(value):
        return Moment((f"{found[1]}-{found[2]}",))
    if (found := _NAMED_MONTH.match(value)) and found[1].lower()[:3] in _MONTHS:
        return Moment((f"{found[2]}-{_MONTHS.index(found[1].lower()[:3]) + 1:02}",))
    return Moment((found[1],)) if (found := _YEAR.match(value)) else None


def day_of(value: str) -> str:
    """The day that a value names, as 2027-01-20; nothing where month and day may be the other."""
    if found := re.fullmatch(rf"\s*({DAY})\s*", value):
        return found[1]
    numbers = re.fullmatch(r"\s*(\d{1,4})([./-])(\d\d?)\2(\d{4}|\d\d?)\s*", value)
    if numbers is None:
        return ""
    first, second, third = int(numbers[1]), int(numbers[3]), int(numbers[4])
    if len(numbers[1]) == YEAR_DIGITS:
        year, month, day = first, second, third
    elif len(numbers[4]) == YEAR_DIGITS and numbers[2] == ".":
        year, month, day = third, second, first
    elif len(numbers[4]) == YEAR_DIGITS and first != second and min(first, second) <= MONTHS:
        year, month, day = third, *((first, second) if second > MONTHS else (second, first))
        if max(first, second) <= MONTHS:
            return ""
    else:
        return ""
    return f"{year}-{month:02}-{day:02}" if month <= MONTHS else ""


def _listed_days(value: str) -> tuple[str, ...]:
    if found := _DAYS.match(value):
        return (found[1], found[2])
    if not value.strip().startswith("["):
        return ()
    try:
        days = json.loads(value)
    except ValueError:
        return ()
    are_days = isinstance(days, list) and all(
        isinstance(each, str) and re.fullmatch(DAY, each) for each in days
    )
    return tuple(days) if are_days else ()


def time_of(value: str) -> tuple[int, int, int | None] | None:
    """Hour, minute and, if it is named, second of a time of day."""
    found = _TIME.match(value)
    if found is None:
        return None
    hour, half = int(found[1]), (found[4] or "").lower()
    if half:
        hour = hour % NOON + (NOON if half == "p" else 0)
    minute, second = int(found[2]), int(found[3]) if found[3] else None
    return (hour, minute, second) if hour < 24 and minute < 60 and (second or 0) < 60 else None
