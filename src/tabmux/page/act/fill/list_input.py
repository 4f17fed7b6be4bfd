"""List input: opens comboboxes and lists, and chooses from what they offer."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
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
# How long a list that is searched by a field of its own is given to find something.
SEARCH_MILLISECONDS = 1500
# How long a field that takes any text is given to offer something.
OFFER_MILLISECONDS = 1000
CHOSEN_MILLISECONDS = 400
# How long a list may take to be gone when it was put away.
CLOSED_MILLISECONDS = 300

# How long the next column of a list that opens another one may take to come.
BRANCH_MILLISECONDS = 1000
# How many closed parts of a tree are opened to look for an option in them.
MOST_BRANCHES = 40
_COVERED = frozenset({"element_covered", "element_hidden"})
# What stands between the names on the way to an option of a tree.
STEP = re.compile(r"\s*(?:/|>|›|»|→|\\)\s*")


class ListInput:
    """Chooses options, one after the other."""

    def __init__(self, page: Page, given: Input) -> None:
        self._page, self._input = page, given

    async def choose(
        self, element: Element, values: Sequence[str], *, is_open: bool = False
    ) -> str:
        """Choose options of a list that is open or can be opened; says which, if not literally."""
        # What a list offers may come with the next frame, or with many.
        self._page.drawing.keep()
        opened, called = False, []
        for value in values:
            if not (is_open or await self.is_open(element, drawn=opened)):
                await self.open(element)
                opened = True
            is_open = False
            option = await self._find(element, value)
            if not (option["selected"] and option["several"]):
                option = await self._press_open(element, option, value)
            await self.verify(element, value, option)
            called += [option["called"]] if "called" in option else []
            if option["several"] and value == values[-1]:
                await self._put_off(element, [*values, *called])
        if opened:
            await self.close(element)
        return f"{', '.join(in_quotes(each, 60) for each in called)} was chosen." if called else ""

    async def _press_open(
        self, element: Element, option: dict[str, Any], value: str
    ) -> dict[str, Any]:
        """Press an option; where its list was just closing, in the list that is opened anew."""
        try:
            await self.press(element, option, value)
        except ElementTrouble as error:
            if error.code not in _COVERED:
                raise
            await self.open(element)
            option = await self._find(element, value)
            await self.press(element, option, value)
        return option

    async def _put_off(self, element: Element, values: Sequence[str]) -> None:
        """Click away what was chosen before and is not wanted now."""
        others = await self.ask(element, "unwanted", json.dumps(list(values)))
        for label in others.get("labels", ()):
            await self._input.click(replace(element, label=label))

    async def choose_offered(
        self, element: Element, value: str, remark: str, *, opens: bool = True
    ) -> str:
        """Choose what a combobox offers under the text that was typed; free text stays.

        Args:
            element: The combobox.
            value: The text.
            remark: What is to be said of the text that was typed.
            opens: Whether to open its list if typing did not, and to tell if there is none.
        """
        option = await self.ask(element, "find", value, OFFER_MILLISECONDS)
        if not opens and not option.get("label"):
            return remark
        if not option.get("open") and (await self.ask(element, "open")).get("closed"):
            # Not every list opens for what is typed; this key opens it without choosing.
            await self._input.press(parse("Alt+ArrowDown"))
            option = await self.ask(element, "find", value, OPEN_MILLISECONDS)
        if not option.get("open"):
            return remark or "It is typed only: no list offered it."
        if not option["label"] or option["link"] or option["disabled"]:
            known = ", ".join(in_quotes(each, 60) for each in option.get("known", ())[:10])
            offers = f"Nothing was chosen: the list offers {known}." if known else ""
            return f"{remark} {offers}".strip()
        await self.press(element, option, value)
        await self.verify(element, value, option)
        return ""

    async def field_in(self, element: Element) -> Element | None:
        """The only field inside of a control that is there to be typed into, if there is one."""
        label = (await self.ask(element, "field")).get("label")
        return replace(element, label=label) if label else None

    async def open(self, element: Element) -> None:
        """Click it, or press the key that opens lists."""
        try:
            await self._input.click(element, patient=False)
        except ElementTrouble as error:
            if error.code not in _COVERED:
                raise
            await self.ask(element, "focus")
            # This key opens a list without choosing from it, where a page tells the two apart.
            await self._input.press(parse("Alt+ArrowDown"))
        found = await self.ask(element, "find", "", OPEN_MILLISECONDS)
        if not found.get("open"):
            await self._open_further(element)

    async def _open_further(self, element: Element) -> None:
        """Open a list by the button beside its field, or by a key."""
        beside = (await self.ask(element, "opener")).get("label")
        if beside and not (await self.ask(element, "open")).get("anything"):
            await self._input.click(replace(element, label=beside))
        else:
            await self._input.press_often("ArrowDown")

    async def _find(self, element: Element, value: str) -> dict[str, Any]:
        option = await self.ask(element, "find", value, FIND_MILLISECONDS)
        if not option.get("label"):
            option = await self._find_otherwise(element, value, option) or option
        if option.get("label") and not option["disabled"]:
            return option
        await self.close(element)
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

    async def _find_otherwise(
        self, element: Element, value: str, missed: dict[str, Any]
    ) -> dict[str, Any] | None:
        """Find an option by the way to it, by the start of its name, or in what is closed."""
        steps = [each for each in STEP.split(value) if each]
        if len(steps) > 1:
            return await self._follow_way(element, steps)
        searched = await self._search(element, value)
        if searched and searched.get("label"):
            return searched
        missed = searched or missed
        if name := missed.get("close"):
            found = await self.ask(element, "find", name, OPEN_MILLISECONDS)
            return {**found, "called": name}
        opened = 0
        while missed.get("branches") and opened < MOST_BRANCHES:
            closed = (await self.ask(element, "branches")).get("labels", ())
            if not closed:
                break
            opened += 1
            await self._input.click(replace(element, label=closed[0]))
            missed = await self.ask(element, "find", value, OPEN_MILLISECONDS)
            if missed.get("label"):
                return missed
        return None

    async def _search(self, element: Element, value: str) -> dict[str, Any] | None:
        """Type into the field that came with a list, and look again; None without one."""
        label = (await self.ask(element, "search")).get("label")
        if not label:
            return None
        field = replace(element, label=label)
        await self._input.click(field)
        await self._input.type(value)
        found = await self.ask(element, "find", value, SEARCH_MILLISECONDS)
        if not found.get("label") and not found.get("close"):
            # What stays there would hide all other options.
            await self._input.press(parse("Control+A"))
            await self._input.press_often("Delete")
        return found

    async def _follow_way(self, element: Element, steps: Sequence[str]) -> dict[str, Any] | None:
        """Open one part after the other, as in a tree or in columns beside each other."""
        option: dict[str, Any] = {}
        for number, step in enumerate(steps):
            option = await self.ask(element, "find", step, BRANCH_MILLISECONDS, True)
            if not option.get("label"):
                return None
            if number < len(steps) - 1 and option["expanded"] != "true":
                way = option["branch"] if option["expanded"] else option["label"]
                await self._input.click(replace(element, label=way))
        return option

    async def press(self, element: Element, option: dict[str, Any], value: str) -> None:
        try:
            await self._input.click(replace(element, label=option["label"]))
        except StaleUid:
            # A list that is drawn anew replaces what was just seen.
            again = await self.ask(element, "find", value, OPEN_MILLISECONDS)
            if not again.get("label"):
                raise
            await self._input.click(replace(element, label=again["label"]))

    async def verify(self, element: Element, value: str, option: dict[str, Any]) -> None:
        texts = json.dumps([value, *option.get("texts", ())])
        answer = await self.ask(element, "chosen", texts, CHOSEN_MILLISECONDS)
        if answer.get("chosen", True):
            return
        raise ElementTrouble(
            f"The option {in_quotes(value, 60)} was clicked, but the element (uid {element.uid}) "
            f"does not show it; it shows {in_quotes(answer.get('shown', ''), 100)}.",
            hint="Take a snapshot to see what the list made of it.",
            code="element_not_changed",
        )

    async def close(self, element: Element) -> None:
        """Put a list away that stays open after a choice."""
        if await self.is_open(element):
            await self._input.press_often("Escape")
            # What is fading out would be taken for open by whoever comes next.
            await self.ask(element, "open", "", CLOSED_MILLISECONDS)

    async def look(self, element: Element) -> None:
        """Note what can be seen before a control is opened."""
        await self.ask(element, "look")

    async def is_open(self, element: Element, *, drawn: bool = False) -> bool:
        """Whether options are in sight, or also anything else that was not before."""
        answer = await self.ask(element, "open")
        return bool(answer.get("open") or (drawn and answer.get("anything")))

    async def ask(
        self, element: Element, task: str, text: str = "", limit: float = 0, last: bool = False
    ) -> dict[str, Any]:
        return await self.run("list_options", element, task, text, limit, last)

    async def run(self, script: str, element: Element, *args: Any) -> dict[str, Any]:
        """Run a script on the element; nothing when a dialog or a navigation comes first."""
        answer = await unless_blocked(
            self._page,
            lambda: element.frame.run(script, element.epoch, element.label, *args),
        )
        if isinstance(answer, dict) and answer.get("trouble") == "gone":
            return {}
        return answer or {}
