"""Toggle input: clicks what is on or off, and sees that it then is as wanted."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tabmux.errors import ElementTrouble
from tabmux.page.act.fill.held_value import REMARKS, looked_at
from tabmux.page.element import Element
from tabmux.page.see import custom_elements

if TYPE_CHECKING:
    from tabmux.page.act.input_events import Input
    from tabmux.page.page import Page

# How long a toggle may take to show that it was clicked.
TOGGLE_MILLISECONDS = 300


class ToggleInput:
    """One toggle."""

    def __init__(self, page: Page, given: Input) -> None:
        self._page, self._input = page, given

    async def set(self, element: Element, value: str, state: dict[str, Any]) -> str:
        """Click it unless it is as wanted; returns a remark when something else took the click."""
        component = state.get("component", 0)
        before = await self._switched(element, value, component, 0) if component else state
        if before is None or (before.get("value") == value and not before.get("mute")):
            return ""
        remark = await self._input.click(element)
        now = await self._switched(element, value, component, TOGGLE_MILLISECONDS)
        if now is None:
            return remark
        if now.get("trouble"):
            return REMARKS[now["trouble"]]
        if now["value"] != value and before["value"] == "mixed" and now["value"] != "mixed":
            return await self.set(element, value, {**state, "value": now["value"]})
        if before.get("mute") and value == "false" and now["value"] == "true":
            # Only what is on says so here: it was off.
            return await self.set(element, value, {**state, "mute": False, "value": "true"})
        if now.get("mute") and (before.get("mute") or now["value"] != value):
            raise ElementTrouble(
                f"The element (uid {element.uid}) was clicked, but does not say whether it is on.",
                hint="Take a screenshot to see what the click did.",
                code="element_not_changed",
            )
        if now["value"] != value:
            raise ElementTrouble(
                f"The element (uid {element.uid}) was clicked but is still {now['value']}.",
                hint="A radio button is turned off by choosing another one; "
                "otherwise take a snapshot to see what the click did.",
                code="element_not_changed",
            )
        return remark

    async def _switched(
        self, element: Element, value: str, component: int, milliseconds: float
    ) -> dict[str, Any] | None:
        """Say whether a toggle is on, once it is as wanted or the time is over."""
        if not component:
            return await looked_at(self._page, element, "toggled", value, milliseconds)
        end = time.monotonic() + milliseconds / 1000
        while True:
            # What a component says of itself is only known as it was when Chrome was asked.
            await custom_elements.learn(element.frame, [component])
            now = await looked_at(self._page, element, "toggled", value, 0)
            if now is None or now.get("value", value) == value or time.monotonic() > end:
                return now
