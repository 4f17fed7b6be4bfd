"""Control input: gives a control its value with real events, by what kind of control it is."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from tabmux.page.act.fill.cell_input import CellInput
from tabmux.page.act.fill.combobox_input import ComboboxInput
from tabmux.page.act.fill.editor_input import EditorInput
from tabmux.page.act.fill.opened_input import OpenedInput
from tabmux.page.act.fill.parts_input import PartsInput
from tabmux.page.act.fill.row_input import RowInput
from tabmux.page.act.fill.select_input import SelectInput
from tabmux.page.act.fill.step_input import StepInput
from tabmux.page.act.fill.toggle_input import ToggleInput
from tabmux.page.act.patience import once_usable
from tabmux.page.element import Element

if TYPE_CHECKING:
    from tabmux.page.act.input_events import Input
    from tabmux.page.page import Page

# What is wrong with a control, and may soon be right by itself.
_PASSING = frozenset({"element_disabled", "element_no_such_option"})


class Way(Protocol):
    """A way to set a kind of control."""

    async def set(self, element: Element, value: str, state: dict[str, Any]) -> str:
        """Set it; returns a remark when it did not take the value literally."""
        ...


# What is worked in a way of its own, by its kind.
_WAYS: dict[str, Callable[[Page, Input], Way]] = {
    "calendar": OpenedInput,
    "cell": CellInput,
    "day": OpenedInput,
    "editor": EditorInput,
    "list": OpenedInput,
    "opens": OpenedInput,
    "parts": PartsInput,
    "row": RowInput,
    "select": SelectInput,
    "steps": StepInput,
    "toggle": ToggleInput,
}


class ControlInput:
    """Fills one control."""

    def __init__(self, page: Page, given: Input) -> None:
        self._page, self._input = page, given

    async def fill(self, element: Element, value: str, *, choose: bool = True) -> str:
        """Give a control a value; returns a remark when it did not take it literally."""
        state = await self._begin(element, value)
        if state.get("secret"):
            self._page.hidden_input.values.append(value)
        if state.get("done"):
            return str(state.get("remark", ""))
        if (way := _WAYS.get(state["kind"])) is not None:
            return await way(self._page, self._input).set(element, value, state)
        field = ComboboxInput(self._page, self._input)
        if choose and state["kind"] in ("combobox", "tags"):
            return await field.set(element, value, state)
        return await field.enter(element, value, state, choose=choose)

    async def _begin(self, element: Element, value: str) -> dict[str, Any]:
        """Do what one step does; a field may be about to be enabled, or to get its options."""
        attempt = functools.partial(element.call, "fill", value)
        seconds = self._page.timings.usable
        state: dict[str, Any] = await once_usable(
            self._page, element, attempt, lambda error: error.code in _PASSING, seconds
        )
        return state
