"""Enter key: pressed in a field to take what was typed, and not to send its form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabmux.page.element import Element
from tabmux.page.settling import unless_blocked

if TYPE_CHECKING:
    from tabmux.page.act.input_events import Input
    from tabmux.page.page import Page

HELD_MILLISECONDS = 300


async def press_enter(page: Page, given: Input, element: Element) -> None:
    """Press Enter in the field that has the focus; its form is not sent by that."""
    await unless_blocked(page, lambda: element.frame.run("hold_submit", HELD_MILLISECONDS))
    await given.press_often("Enter")
