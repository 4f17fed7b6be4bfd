"""Calendar input: picks a day in the calendar that a field opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabmux.errors import ElementTrouble
from tabmux.page.element import Element

if TYPE_CHECKING:
    from tabmux.page.act.input_events import Input
    from tabmux.page.page import Page


class CalendarInput:
    """One calendar."""

    def __init__(self, page: Page, given: Input) -> None:
        self._page, self._input = page, given

    async def pick(self, element: Element, value: str) -> str:
        raise ElementTrouble(f"The element (uid {element.uid}) is read-only.", code="element_readonly")
