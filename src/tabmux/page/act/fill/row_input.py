"""Row input: presses one of several like things, as the stars of a rating."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tabmux.errors import ElementTrouble
from tabmux.page.element import Element
from tabmux.page.settling import unless_blocked

if TYPE_CHECKING:
    from tabmux.page.act.input_events import Input
    from tabmux.page.page import Page

MARKED_MILLISECONDS = 400


class RowInput:
    """A row of which the first few are marked."""

    def __init__(self, page: Page, given: Input) -> None:
        self._page, self._input = page, given

    async def set(self, element: Element, value: str, state: dict[str, Any]) -> str:
        """Press the one that is counted to, and see that it is the last that is marked."""
        labels, count = state["parts"], int(value)
        if count < 1:
            raise ElementTrouble(
                f"The element (uid {element.uid}) is a row of {len(labels)}; it takes 1 to "
                f"{len(labels)}, not {count}.",
                code="element_not_fillable",
            )
        await self._input.click(replace(element, label=labels[count - 1]))
        answer = await unless_blocked(
            self._page,
            lambda: element.frame.run(
                "row_state", element.epoch, labels, count, MARKED_MILLISECONDS
            ),
        )
        if answer is None or answer["marked"]:
            return ""
        return (
            f"Of its {len(labels)} parts the one at {count} was clicked; whether it counts cannot "
            "be read. Take a screenshot to see."
        )
