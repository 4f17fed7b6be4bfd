"""Control input: gives a control its value with real events, by what kind of control it is."""

from __future__ import annotations

import functools
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from tabmux.errors import ElementTrouble, PageCrashed, PageGone, TabmuxError
from tabmux.page.act.calendar_input import CalendarInput
from tabmux.page.act.cell_input import CellInput
from tabmux.page.act.editor_input import EditorInput
from tabmux.page.act.keyboard import KEYS
from tabmux.page.act.list_input import ListInput
from tabmux.page.act.moments import time_of
from tabmux.page.act.opened_input import OpenedInput
from tabmux.page.act.parts_input import PartsInput
from tabmux.page.act.patience import once_usable
from tabmux.page.act.row_input import RowInput
from tabmux.page.act.select_input import SelectInput
from tabmux.page.act.step_input import StepInput
from tabmux.page.element import Element
from tabmux.page.frame_tree import FrameGone
from tabmux.page.see import custom_elements
from tabmux.page.settling import unless_blocked
from tabmux.page_text import in_quotes

if TYPE_CHECKING:
    from tabmux.page.act.input_events import Input
    from tabmux.page.page import Page

# How long a toggle may take to show that it was clicked.
TOGGLE_MILLISECONDS = 300
# How long what a page offers for a text may take to unfold, or to go when it was chosen.
OFFER_MILLISECONDS = 600
# How long a field that is called one that suggests may take to do so.
SUGGESTED_MILLISECONDS = 300


class Way(Protocol):
    """A way to set a kind of control."""

    async def set(self, element: Element, value: str, state: dict[str, Any]) -> str:
        """Set it; returns a remark when it did not take the value literally."""
        ...


# What is wrong with a control, and may soon be right by itself.
_PASSING = frozenset({"element_disabled", "element_no_such_option"})
# What is said of a value that cannot be read afterwards.
_REMARKS = {
    "gone": "The page put another element in its place; look whether that has the value.",
    "unanswered": "The page did not answer whether it has the value; take a snapshot to see.",
}

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
}


class ControlInput:
    """Fills one control."""

    def __init__(self, page: Page, given: Input) -> None:
        self._page, self._input = page, given
        # What the page offered for the text, when the field was looked at last.
        self._offers: dict[str, Any] | None = None

    async def fill(self, element: Element, value: str, *, choose: bool = True) -> str:
        """Give a control a value; returns a remark when it did not take it literally."""
        state = await self._begin(element, value)
        if state.get("secret"):
            self._page.hidden_input.values.append(value)
        if state.get("done"):
            return str(state.get("remark", ""))
        if (way := _WAYS.get(state["kind"])) is not None:
            return await way(self._page, self._input).set(element, value, state)
        if state["kind"] == "toggle":
            return await self._toggle(element, value, state)
        if choose and state["kind"] == "combobox":
            return await self._fill_combobox(element, value, state)
        if choose and state["kind"] == "tags":
            lists = ListInput(self._page, self._input)
            return await lists.enter_all(element, state["wanted"], self._enter)
        try:
            remark = await self._enter(element, value, state)
        except ElementTrouble as error:
            if error.code != "element_not_changed" or not (value and choose and state.get("opens")):
                raise
            return await self._choose_behind(element, value, error)
        if choose and value and state.get("suggests") and not self._offers:
            self._offers = await self._offered("offered", element, SUGGESTED_MILLISECONDS)
        if choose and (offers := self._offers):
            return await self.take_offer(element, value, offers) or remark
        confirmed = await self._confirm(element, value, state)
        return remark if confirmed is None else confirmed

    async def _choose_behind(self, element: Element, value: str, refusal: ElementTrouble) -> str:
        """Choose what a field opens that takes no text, if it opens anything."""
        lists = ListInput(self._page, self._input)
        await self._input.press_often("Escape")
        await lists.look(element)
        try:
            return await lists.choose(element, [value])
        except ElementTrouble as error:
            raise refusal if error.code == "element_not_fillable" else error from refusal

    async def take_offer(self, element: Element, value: str, offers: dict[str, Any]) -> str:
        """Choose what a page offers for a text, or say what it offers instead."""
        if not offers["label"]:
            known = ", ".join(in_quotes(each, 60) for each in offers["known"])
            return f"It is typed only: the page offers {known} for it."
        offer = replace(element, label=offers["label"])
        await self._offered("rests", offer, OFFER_MILLISECONDS)
        await self._input.click(offer)
        now = await self._value_of(element)
        if not is_same(now["value"], value):
            return f"The field now holds {in_quotes(str(now['value']), 200)}."
        if await self._offered("gone", offer, OFFER_MILLISECONDS) is not False:
            return ""
        return "It is typed only: what the page offers for it was clicked, and is still there."

    async def _offered(self, until: str, element: Element, limit: float) -> Any:
        """Wait a while until something is offered to a field, or an offer rests or is gone."""
        self._page.drawing.keep()
        asked = (element.epoch, element.label, until, limit)
        return await unless_blocked(self._page, lambda: element.frame.run("offer_rest", *asked))

    async def _begin(self, element: Element, value: str) -> dict[str, Any]:
        """Do what one step does; a field may be about to be enabled, or to get its options."""
        attempt = functools.partial(element.call, "fill", value)
        seconds = self._page.timings.usable
        state: dict[str, Any] = await once_usable(
            self._page, element, attempt, lambda error: error.code in _PASSING, seconds
        )
        return state

    async def _fill_combobox(self, element: Element, value: str, state: dict[str, Any]) -> str:
        """Type into a combobox, and choose what it then offers under that name."""
        lists = ListInput(self._page, self._input)
        if len(state["wanted"]) > 1 or state["wanted"] != [value]:
            return await lists.enter_all(element, state["wanted"], self._enter)
        try:
            remark = await self._enter(element, value, state)
        except ElementTrouble as error:
            if error.code != "element_not_changed" or not value:
                raise
            # The field is there to be clicked: its page takes no typing.
            return await lists.choose(element, [value])
        confirmed = await self._confirm(element, value, state)
        if confirmed is not None or not value:
            return remark if confirmed is None else confirmed
        opens = not state.get("dated") or time_of(value) is not None
        offered = await lists.choose_offered(element, value, remark, opens=opens)
        # A calendar may come late, or have been opened to look for an offer.
        confirmed = await self._confirm(element, value, state)
        return offered if confirmed is None else confirmed

    async def _confirm(self, element: Element, value: str, state: dict[str, Any]) -> str | None:
        """See that a calendar which opened for a day takes it, or tell of it; None without one."""
        if not state.get("dated"):
            return None
        remark = await CalendarInput(self._page, self._input).confirm(element, value)
        if remark != "":
            return remark
        now = (await self._value_of(element))["value"]
        return "" if is_same(now, value) else f"The field now holds {in_quotes(str(now), 200)}."

    async def _enter(self, element: Element, value: str, state: dict[str, Any]) -> str:
        """Type into a field whose text is selected."""
        if state.get("spread"):
            return await self._spread(element, value, state)
        await self._replace_selection(value)
        held = await self._value_of(element)
        if not is_same(held["value"], value):
            await element.call("fill", value)
            await self._input.press_often("Delete")
            await self._input.type(value)
            held = await self._value_of(element)
        took_nothing = held["value"] == state["value"] or value.startswith(held["value"] or "")
        if not is_same(held["value"], value) and took_nothing and not held.get("spread"):
            # A page that holds keys back may take the text without them.
            await element.call("fill", value)
            await self._input.deliver([self._input.insert(value)])
            held = await self._value_of(element)
        return _remark(element, held, state, value)

    async def _spread(self, element: Element, value: str, state: dict[str, Any]) -> str:
        """Type a text that is longer than a field, key by key: the page may move the focus on."""
        await self._input.type(value)
        held = await self._value_of(element)
        if held.get("spread") == value or not held.get("left"):
            return _remark(element, held, state, value)
        holds = (
            "" if held.get("secret") else f"The field now holds {in_quotes(held['value'], 200)}. "
        )
        return f"{holds}The rest was typed where the page moved the focus."

    async def _replace_selection(self, value: str) -> None:
        """Replace the selection. The last character is typed, for pages that listen to keys."""
        if not value:
            await self._input.press_often("Delete")
            return
        self._input.see_who_listens()
        calls: list[Awaitable[Any]] = []
        last = KEYS.get(value[-1]) if value[-1] != "\n" else None
        if len(value) > 1 or last is None:
            calls.append(self._input.insert(value[:-1] if last else value))
        if last is not None:
            calls += [self._input.key(last.event(kind, 0)) for kind in ("down", "up")]
        await self._input.deliver(calls)

    async def _value_of(self, element: Element) -> dict[str, Any]:
        held = await self._look(element, "held")
        # A field that is replaced or navigated away by its own input handler took the value.
        if held is None or held.get("trouble"):
            trouble = held["trouble"] if held else ""
            return {"value": None, "remark": _REMARKS.get(trouble, "")}
        self._offers = held.get("offers")
        return dict(held)

    async def _look(self, element: Element, name: str, *args: Any) -> dict[str, Any] | None:
        """Look at a control; None when a dialog or a navigation comes first."""

        async def answer() -> dict[str, Any] | None:
            try:
                return dict(await element.frame.call(name, element.epoch, element.label, *args))
            except (FrameGone, PageGone, PageCrashed):
                return None
            except TabmuxError:
                return {"trouble": "unanswered"}

        found: dict[str, Any] | None = await unless_blocked(self._page, answer)
        return found

    async def _toggle(self, element: Element, value: str, state: dict[str, Any]) -> str:
        component = state.get("component", 0)
        before = await self._switched(element, value, component, 0) if component else state
        if before is None or (before.get("value") == value and not before.get("mute")):
            return ""
        remark = await self._input.click(element)
        now = await self._switched(element, value, component, TOGGLE_MILLISECONDS)
        if now is None:
            return remark
        if now.get("trouble"):
            return _REMARKS[now["trouble"]]
        if now["value"] != value and before["value"] == "mixed" and now["value"] != "mixed":
            return await self._toggle(element, value, {**state, "value": now["value"]})
        if before.get("mute") and value == "false" and now["value"] == "true":
            # Only what is on says so here: it was off.
            return await self._toggle(element, value, {**state, "mute": False, "value": "true"})
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
            return await self._look(element, "toggled", value, milliseconds)
        end = time.monotonic() + milliseconds / 1000
        while True:
            # What a component says of itself is only known as it was when Chrome was asked.
            await custom_elements.learn(element.frame, [component])
            now = await self._look(element, "toggled", value, 0)
            if now is None or now.get("value", value) == value or time.monotonic() > end:
                return now


def is_same(held: str | None, value: str) -> bool:
    """Whether a field holds a value, whatever its lines end with."""
    if held is None:
        return True
    return held.replace("\r\n", "\n").rstrip("\n") == value.replace("\r\n", "\n").rstrip("\n")


def _remark(element: Element, held: dict[str, Any], before: dict[str, Any], value: str) -> str:
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
