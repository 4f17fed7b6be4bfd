"""Filling: sets the controls of a tool with real input, one by one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from time import monotonic
from typing import Any

from tabmux.errors import BadArguments, ElementTrouble, StaleUid
from tabmux.page.element import Element
from tabmux.page.frame_tree import Frame
from tabmux.page.noted_element import TakenStep
from tabmux.page.page import Page
from tabmux.page_text import in_quotes
from tabmux.pagetools.collect.collector_scripts import run_script
from tabmux.pagetools.collect.document_tree import Ref
from tabmux.pagetools.model import Option, ToolControl
from tabmux.policy.file_policy import FilePolicy
from tabmux.secrets.secret import SecretText

COMBOBOX_SECONDS = 1.5
COMBOBOX_PAUSE = 0.05
# A tab may have to fade out before the next one fades in, on a machine that is busy.
OPEN_SECONDS = 2.5


class Filling:
    """The elements of one frame, as a tool reaches them."""

    def __init__(self, page: Page, frame: Frame, files: FilePolicy) -> None:
        self._page, self._frame, self._files = page, frame, files

    def in_frame(self, frame: Frame) -> Filling:
        """Return the same for the elements of another frame of the page."""
        return Filling(self._page, frame, self._files)

    async def element(self, ref: Ref, name: str) -> Element:
        """Return an element for real input; `name` is what errors call it."""
        label = await run_script(self._frame, "toolLabel", ref)
        if label is None:
            raise element_gone(name)
        return Element(self._page.handle, self._frame, label[0], label[1], name)

    async def click(self, ref: Ref, name: str) -> None:
        """Click an element."""
        element = await self.element(ref, name)
        self._page.taken_steps.append(TakenStep.on(element, "click"))
        with _naming_errors(name):
            await self._page.input.click(element)

    async def hover(self, ref: Ref, name: str) -> None:
        """Move the mouse onto an element."""
        element = await self.element(ref, name)
        with _naming_errors(name):
            await self._page.input.hover(element)

    async def is_shown(self, ref: Ref) -> bool:
        """Whether an element can be seen."""
        return bool(await run_script(self._frame, "toolShown", ref))

    async def wait_until_open(self, ref: Ref) -> None:
        """Wait a moment for what was opened: some of it fades or slides in."""
        deadline = monotonic() + OPEN_SECONDS
        while monotonic() < deadline:
            if await run_script(self._frame, "toolAtRest", ref):
                return
            await asyncio.sleep(COMBOBOX_PAUSE)

    async def set(self, control: ToolControl, value: Any) -> None:
        """Give a control its value."""
        if isinstance(value, SecretText):
            await self._fill(control.ref, value, control.key)
        elif control.kind == "choice":
            await self._click_option(control, value)
        elif control.kind in ("radio", "checkboxes", "listbox"):
            await self._set_options(control, value)
        elif control.kind == "combobox":
            await self._fill_combobox(control, str(value))
        elif control.kind == "file":
            await self._upload(control, value)
        else:
            await self._fill(control.ref, _value_text(control, value), control.key)

    async def _fill(self, ref: Ref, value: str, name: str, *, choose: bool = True) -> None:
        element = await self.element(ref, name)
        self._page.taken_steps.append(TakenStep.on(element, "fill", value))
        with _naming_errors(name):
            await self._page.input.fill(element, value, choose=choose)

    async def _click_option(self, control: ToolControl, value: Any) -> None:
        option = option_of(control, str(value))
        await self.click(control.ref if option.ref is None else option.ref, control.key)

    async def _set_options(self, control: ToolControl, value: Any) -> None:
        """Turn on the options that are wanted, and off those that are not."""
        wanted = [
            option_of(control, str(each))
            for each in (value if isinstance(value, list) else [value])
        ]
        for option in control.options:
            if option.ref is None:
                continue
            if control.kind == "listbox":
                if option in wanted:
                    await self.click(option.ref, control.key)
            elif option in wanted or control.kind == "checkboxes":
                await self._fill(option.ref, str(option in wanted).lower(), control.key)

    async def _fill_combobox(self, control: ToolControl, value: str) -> None:
        """Type into a combobox, and choose from what it offers then."""
        await self._fill(control.ref, value, control.key, choose=False)
        deadline = monotonic() + COMBOBOX_SECONDS
        while (
            option := await self._matching_suggestion(control, value)
        ) and option.ref is not None:
            try:
                await self.click(option.ref, control.key)
                break
            except StaleUid:
                # A list that is filled anew after every letter replaces what was just seen.
                if monotonic() > deadline:
                    raise

    async def _matching_suggestion(self, control: ToolControl, value: str) -> Option | None:
        """Return what a combobox offers for a value; None if it takes free text."""
        offered = await self._wait_for_suggestions(control.ref, value)
        option = matching_option(offered, value)
        if offered and option is None:
            known = ", ".join(in_quotes(each.label, 60) for each in offered[:20])
            raise BadArguments(
                f"{control.key} offers nothing like that value.", hint=f"It offers {known}."
            )
        return option

    async def _wait_for_suggestions(self, ref: Ref, value: str) -> list[Option]:
        """Wait a little for the list of a combobox; one that has none takes free text."""
        deadline = monotonic() + COMBOBOX_SECONDS
        while True:
            found = await run_script(self._frame, "toolOptions", ref)
            options = [Option(text, "", number) for number, text in found]
            if matching_option(options, value) is not None or monotonic() > deadline:
                return options
            await asyncio.sleep(COMBOBOX_PAUSE)

    async def _upload(self, control: ToolControl, value: Any) -> None:
        paths = [self._files.readable(str(each)) for each in _as_list(value)]
        element = await self.element(control.ref, control.key)
        with _naming_errors(control.key):
            await self._page.input.upload(element, [str(path) for path in paths])


def option_of(control: ToolControl, value: str) -> Option:
    """Return the option that a value means: exactly, in any case, or by its beginning."""
    found = matching_option(control.options, value)
    if found is None:
        known = ", ".join(in_quotes(each.label, 60) for each in control.options[:20])
        raise BadArguments(f"{control.key} has no such option.", hint=f"It has {known}.")
    return found


def matching_option(options: Sequence[Option], value: str) -> Option | None:
    """Return the option that a value means, if it is clear which."""
    folded = value.casefold().strip()
    for same in (
        lambda option: value in (option.label, option.value),
        lambda option: option.label.casefold() == folded,
    ):
        if found := [option for option in options if same(option)]:
            return found[0]
    begins = [option for option in options if option.label.casefold().startswith(folded)]
    return begins[0] if folded and len(begins) == 1 else None


def element_gone(name: str) -> StaleUid:
    """Make the error for an element that has left the page."""
    return StaleUid(f"{name} is no longer on the page.", code="page_changed")


def _value_text(control: ToolControl, value: Any) -> str:
    """Write a value as the control takes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return json.dumps([_option_value(control, str(each)) for each in value])
    if control.kind == "select":
        return _option_value(control, str(value))
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _option_value(control: ToolControl, value: str) -> str:
    option = matching_option(control.options, value)
    # The label was cleaned for the agent; the value is the page's own.
    return value if option is None else option.value or option.label


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


class _naming_errors:
    """Errors of elements speak of the parameter instead of a uid, which the agent never saw."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ElementTrouble):
            error.message = error.message.replace(f" (uid {self._name})", f" ({self._name})")
        elif isinstance(error, StaleUid):
            raise element_gone(self._name) from error
