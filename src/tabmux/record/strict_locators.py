"""Strict locators: what finds the element of a run again, and never another one in its stead."""

from __future__ import annotations

import re

from tabmux.record.call_entry import TouchedElement
from tabmux.secrets.origins import origin_of

_NAMED = re.compile(r'([A-Za-z]+) "(.*)"')
_CUT = "…"
# What stands in names in the place of something else.
_TAKEN_OUT = re.compile("<hidden |•••")
_STRICT = re.compile(r"^(?:exact=|frame=\S+ )")
# Longer names may be shown shortened.
_LONGEST_NAME = 80


def strict_locator(element: TouchedElement) -> str:
    """Return the locator of an element as strict as what is known of it.

    Agents are helped where they name an element by a part of its name. A replay is not: without
    "Delete", it must not take "Delete all". And a path that was found in a frame means another
    element in the page around it.
    """
    if element.locator.startswith("css="):
        frame = _frame(element)
        return f"frame={frame} {element.locator}" if frame else element.locator
    found = _NAMED.fullmatch(element.locator)
    name = _whole_name(element, found[2]) if found else ""
    return f'exact={found[1]} "{name}"' if found and name else element.locator


def plain_locator(locator: str) -> str:
    """Return a locator without what makes it strict; the run of a replay has strict ones."""
    return _STRICT.sub("", locator)


def _whole_name(element: TouchedElement, given: str) -> str:
    """Return the whole name of an element, or "" where it is not known."""
    name = element.name
    if name.endswith(_CUT):
        return ""
    if given == name:
        return name
    # The agent's own words: what it had found by them has this name.
    is_part = given.lower() in name.lower() and len(name) <= _LONGEST_NAME
    return name if is_part and not _TAKEN_OUT.search(name) else ""


def _frame(element: TouchedElement) -> str:
    """Return how the addresses of its frame begin, or "" where it is not known in which it was."""
    if not element.frame:
        # What is known to have been shown, and in no frame, was in the page itself.
        return "main" if element.role else ""
    origin = origin_of(element.frame)
    return f"{element.frame.partition(':')[0]}:" if origin == "null" else f"{origin}/"
