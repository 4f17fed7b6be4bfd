"""Held value: what a control holds after it was given a value, and what is said of that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabmux.errors import ElementTrouble, PageCrashed, PageGone, TabmuxError
from tabmux.page.element import Element
from tabmux.page.frame_tree import FrameGone
from tabmux.page.settling import unless_blocked
from tabmux.page_text import in_quotes

if TYPE_CHECKING:
    from tabmux.page.page import Page

# What is said of a value that cannot be read afterwards.
REMARKS = {
    "gone": "The page put another element in its place; look whether that has the value.",
    "unanswered": "The page did not answer whether it has the value; take a snapshot to see.",
}


async def looked_at(page: Page, element: Element, name: str, *args: Any) -> dict[str, Any] | None:
    """Look at a control; None when a dialog or a navigation comes first."""

    async def answer() -> dict[str, Any] | None:
        try:
            return dict(await element.frame.call(name, element.epoch, element.label, *args))
        except (FrameGone, PageGone, PageCrashed):
            return None
        except TabmuxError:
            return {"trouble": "unanswered"}

    found: dict[str, Any] | None = await unless_blocked(page, answer)
    return found


async def held_by(page: Page, element: Element) -> dict[str, Any]:
    """What a field holds, and what is offered for it; no value where it cannot be read."""
    held = await looked_at(page, element, "held")
    # A field that is replaced or navigated away by its own input handler took the value.
    if held is None or held.get("trouble"):
        return {"value": None, "remark": REMARKS.get(held["trouble"] if held else "", "")}
    return dict(held)


def is_same(held: str | None, value: str) -> bool:
    """Whether a field holds a value, whatever its lines end with."""
    if held is None:
        return True
    return held.replace("\r\n", "\n").rstrip("\n") == value.replace("\r\n", "\n").rstrip("\n")


def remark_on(element: Element, held: dict[str, Any], before: dict[str, Any], value: str) -> str:
    """What is to be said of a field that holds something else; refuses what it did not take."""
    now = held["value"]
    if now is None:
        return str(held["remark"])
    if is_same(now, value) or held.get("spread") == value:
        return ""
    if now == before["value"] and now != value:
        raise ElementTrouble(
            f"The element (uid {element.uid}) did not take the value.",
            hint="It may reject it; try type_text after a click.",
            code="element_not_changed",
        )
    if held.get("secret"):
        return "The field now holds something else than what was typed."
    return f"The field now holds {in_quotes(now, 200)}."
