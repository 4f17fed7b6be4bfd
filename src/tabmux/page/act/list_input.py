"""List input: opens comboboxes and lists, and chooses from what they offer."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tabmux.errors import ElementTrouble, StaleUid
from tabmux.page.act.keyboard import parse
from tabmux.page.element import Element
from tabmux.page.settling import unless_blocked
from tabmux.page_text import in_quotes

if TYPE_CHECKING:
    from tabmux.page.act.input_events import Input
    from tabmux.page.page import Page

OPEN_MILLISECONDS = 500
# How long an option is looked for in a list that is open: it may come late, or far below.
FIND_MILLISECONDS = 3000
# How long a field that takes any text is given to offer something.
OFFER_MILLISECONDS = 1000
CHOSEN_MILLISECONDS = 400

Enter = Callable[[Element, str, dict[str, Any]], Awaitable[str]]


class ListInput:
    """Chooses options, one after the other."""

    def __init__(self, page: Page, given: Input) -> None:
        self._page, self._input = page, given

    async def choose(self, element: Element, values: Sequence[str]) -> str:
        """Choose options of a list that is open or can be opened."""
        # What a list offers may come with the next frame, or with many.
        self._page.drawing.keep()
        opened = False
        for value in values:
            if not await self._is_open(element):
                await self._open(element)
                opened = True
            option = await self._find(element, value)
            if not (option["selected"] and option["several"]):
                await self._click(element, option, value)
            await self._verify(element, value)
            if option["several"] and value == values[-1]:
                await self._put_off(element, values)
        if opened:
            await self._close(element)
        return ""

    async def _put_off(self, element: Element, values: Sequence[str]) -> None:
        """Click away what was chosen before and is not wanted now."""
        others = await self._ask(element, "unwanted", json.dumps(list(values)))
        for label in others.get("labels", ()):
            await self._input.click(replace(element, label=label))

    async def choose_offered(self, element: Element, value: str, remark: str) -> str:
        """Choose what a combobox offers under the text that was typed; free text stays."""
        option = await self._ask(element, "find", value, OFFER_MILLISECONDS)
        if not option.get("open") and (await self._ask(element, "open")).get("closed"):
            # Not every list opens for what is typed; this key opens it without choosing.
            await self._input.press(parse("Alt+ArrowDown"))
            option = await self._ask(element, "find", value, OPEN_MILLISECONDS)
        if not option.get("open"):
            return remark or "It is typed only: no list offered it."
        if not option["label"] or option["link"] or option["disabled"]:
            known = ", ".join(in_quotes(each, 60) for each in option.get("known", ())[:10])
            offers = f"Nothing was chosen: the list offers {known}." if known else ""
            return f"{remark} {offers}".strip()
        await self._click(element, option, value)
        await self._verify(element, value)
        return ""

    async def enter_all(self, element: Element, values: Sequence[str], enter: Enter) -> str:
        """Type and choose several values, as fields that collect them take them."""
        for value in values:
            state = await element.call("fill", value)
            await enter(element, value, state)
            option = await self._ask(element, "find", value, OFFER_MILLISECONDS)
            if option.get("label"):
                await self._click(element, option, value)
            else:
                await self._input.press_often("Enter")
            await self._verify(element, value)
        await self._close(element)
        return ""

    async def field_in(self, element: Element) -> Element | None:
        """The only field inside of a control that is there to be typed into, if there is one."""
        label = (await self._ask(element, "field")).get("label")
        return replace(element, label=label) if label else None

    async def follow(self, element: Element, state: dict[str, Any]) -> str:
        """See that the component in front of a hidden select shows its value, or work it."""
        shown = await self._run("widget_of", element, state["wanted"], CHOSEN_MILLISECONDS)
        if shown.get("shows", True):
            return ""
        await element.call("reselect", state["before"])
        widget = replace(element, label=shown["widget"])
        for value in state["wanted"] if shown["widget"] else ():
            await self._input.fill(widget, value)
            if value != state["wanted"][-1]:
                # What stays open would be taken for what was there before.
                await self._close(widget)
        held = await element.call("held")
        if held["value"] != ", ".join(state["wanted"]):
            raise ElementTrouble(
                f"The element (uid {element.uid}) stands behind a component that does not follow "
                f"it; that was worked instead, and now it holds {in_quotes(held['value'], 200)}.",
                hint="Take a snapshot, and choose in the component by click.",
                code="element_not_changed",
            )
        return ""

    async def _open(self, element: Element) -> None:
        try:
            await self._input.click(element, patient=False)
        except ElementTrouble as error:
            if error.code not in ("element_covered", "element_hidden"):
                raise
            await self._ask(element, "focus")
            # This key opens a list without choosing from it, where a page tells the two apart.
            await self._input.press(parse("Alt+ArrowDown"))
        found = await self._ask(element, "find", "", OPEN_MILLISECONDS)
        if not found.get("open"):
            await self._input.press_often("ArrowDown")

    async def _find(self, element: Element, value: str) -> dict[str, Any]:
        option = await self._ask(element, "find", value, FIND_MILLISECONDS)
        if option.get("label") and not option["disabled"]:
            return option
        await self._close(element)
        name = in_quotes(value, 60)
        if option.get("label"):
            raise ElementTrouble(
                f"The element (uid {element.uid}) has {name} disabled.", code="element_disabled"
            )
        known = ", ".join(in_quotes(each, 60) for each in option.get("known", ()))
        raise ElementTrouble(
            f"The element (uid {element.uid}) offers no option {name}."
            if known
            else f"The element (uid {element.uid}) was opened, but no options were seen.",
            hint=f"Use one of {known}{', …' if option.get('more') else ''}."
            if known
            else "Click it and take a snapshot to see what it opens.",
            code="element_no_such_option" if known else "element_not_fillable",
        )

    async def _click(self, element: Element, option: dict[str, Any], value: str) -> None:
        try:
            await self._input.click(replace(element, label=option["label"]))
        except StaleUid:
            # A list that is drawn anew replaces what was just seen.
            again = await self._ask(element, "find", value, OPEN_MILLISECONDS)
            if not again.get("label"):
                raise
            await self._input.click(replace(element, label=again["label"]))

    async def _verify(self, element: Element, value: str) -> None:
        answer = await self._ask(element, "chosen", value, CHOSEN_MILLISECONDS)
        if answer.get("chosen", True):
            return
        raise ElementTrouble(
            f"The option {in_quotes(value, 60)} was clicked, but the element (uid {element.uid}) "
            f"does not show it; it shows {in_quotes(answer.get('shown', ''), 100)}.",
            hint="Take a snapshot to see what the list made of it.",
            code="element_not_changed",
        )

    async def _close(self, element: Element) -> None:
        """Put a list away that stays open after a choice."""
        if await self._is_open(element):
            await self._input.press_often("Escape")

    async def _is_open(self, element: Element) -> bool:
        return bool((await self._ask(element, "open")).get("open"))

    async def _ask(
        self, element: Element, task: str, text: str = "", limit: float = 0
    ) -> dict[str, Any]:
        return await self._run("list_options", element, task, text, limit)

    async def _run(self, script: str, element: Element, *args: Any) -> dict[str, Any]:
        """Run a script on the element; nothing when a dialog or a navigation comes first."""
        answer = await unless_blocked(
            self._page,
            lambda: element.frame.run(script, element.epoch, element.label, *args),
        )
        if isinstance(answer, dict) and answer.get("trouble") == "gone":
            return {}
        return answer or {}
