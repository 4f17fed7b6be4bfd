"""Cell input: writes into a cell that becomes a field when it is opened."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tabmux.errors import ElementTrouble, StaleUid
from tabmux.page.act.fill.enter_key import press_enter
from tabmux.page.act.fill.opened_input import OpenedInput
from tabmux.page.act.keyboard import parse
from tabmux.page.element import Element
from tabmux.page.settling import unless_blocked
from tabmux.page_text import in_quotes

if TYPE_CHECKING:
    from tabmux.page.act.input_events import Input
    from tabmux.page.page import Page

FIELD_MILLISECONDS = 200
SHOWN_MILLISECONDS = 400


class CellInput:
    """One cell."""

    def __init__(self, page: Page, given: Input) -> None:
        self._page, self._input = page, given

    async def set(self, element: Element, value: str, state: dict[str, Any]) -> str:
        """Open the cell as a user would, write, and see that it shows the text."""
        ways: list[Callable[[], Awaitable[Any]]] = [
            lambda: self._input.click(element),
            lambda: self._input.click(element, 2),
            lambda: self._input.press(parse("F2")),
            lambda: self._input.press(parse("Enter")),
        ]
        await self._ask(element, "look", "", 0)
        for way in ways:
            await way()
            field = await self._ask(element, "field", "", FIELD_MILLISECONDS)
            if field.get("label"):
                return await self._write(element, replace(element, label=field["label"]), value)
        raise ElementTrouble(
            f"The element (uid {element.uid}) did not become a field by a click, a double click, "
            "F2 or Enter.",
            hint="Click what opens it for editing, and fill the field that comes.",
            code="element_not_fillable",
        )

    async def _write(self, element: Element, field: Element, value: str) -> str:
        remark = await self._fill(field, value)
        if (await self._ask(element, "field", "", 0)).get("label"):
            await press_enter(self._page, self._input, element)
        answer = await self._ask(element, "shown", value, SHOWN_MILLISECONDS)
        if not answer or answer.get("trouble") or answer["shows"]:
            return (
                ""
                if answer and not answer.get("trouble")
                else remark or "The cell is another element now; look whether it shows the value."
            )
        return f"The cell now shows {in_quotes(answer['text'], 100)}."

    async def _fill(self, field: Element, value: str) -> str:
        """Type into the field, or choose in what has come with it."""
        if not (await self._ask(field, "locked", "", 0)).get("locked"):
            return await self._input.fill(field, value)
        with suppress(StaleUid):
            return await OpenedInput(self._page, self._input).set_opened(field, value, [value])
        return ""  # the cell has taken it, and is no field any more

    async def _ask(self, element: Element, task: str, text: str, limit: float) -> dict[str, Any]:
        answer = await unless_blocked(
            self._page,
            lambda: element.frame.run(
                "cell_field", element.epoch, element.label, task, text, limit
            ),
        )
        return dict(answer or {})
