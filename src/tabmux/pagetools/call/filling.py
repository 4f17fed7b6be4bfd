"""Sets the controls of a tool with real input, one by one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from time import monotonic
from typing import Any

from tabmux.errors import BadArguments, ElementTrouble, StaleUid
from tabmux.page.element import Element
from tabmux.page.frame_tree import Frame
from tabmux.page.page import Page
from tabmux.pagetools import scripts
from tabmux.pagetools.model import Option, Ref, ToolControl
from tabmux.policy.file_policy import FilePolicy

COMBOBOX_SECONDS = 1.5
COMBOBOX_PAUSE = 0.05


class Filling:
    """The elements of one frame, as a tool reaches them."""

    def __init__(self, page: Page, frame: Frame, files: FilePolicy) -> None:
        self._page, self._frame, self._files = page, frame, files

    async def element(self, ref: Ref, name: str) -> Element:
        """Return an element for real input; `name` is what errors call it."""
        label = await scripts.run(self._frame, "toolLabel", ref)
        if label is None:
            raise gone(name)
        return Element(self._page.handle, self._frame, label[0], label[1], name)

    async def click(self, ref: Ref, name: str) -> None:
        """Click an element."""
        element = await self.element(ref, name)
        with _named(name):
            await self._page.input.click(element)

    async def hover(self, ref: Ref, name: str) -> None:
        """Move the mouse onto an element."""
        element = await self.element(ref, name)
        with _named(name):
            await self._page.input.hover(element)

    async def is_shown(self, ref: Ref) -> bool:
        """Whether an element can be seen."""
        return bool(await scripts.run(self._frame, "toolShown", ref))

    async def set(self, control: ToolControl, value: Any) -> None:
        """Give a control its value."""
        if control.kind == "choice":
            await self._choose(control, value)
        elif control.kind in ("radio", "checkboxes", "listbox"):
            await self._pick(control, value)
        elif control.kind == "combobox":
            await self._combine(control, str(value))
        elif control.kind == "file":
            await self._upload(control, value)
        else:
            await self._fill(control.ref, _text(control, value), control.key)

    async def _fill(self, ref: Ref, value: str, name: str) -> None:
        element = await self.element(ref, name)
        with _named(name):
            await self._page.input.fill(element, value)

    async def _choose(self, control: ToolControl, value: Any) -> None:
        option = option_of(control, str(value))
        await self.click(control.ref if option.ref is None else option.ref, control.key)

    async def _pick(self, control: ToolControl, value: Any) -> None:
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

    async def _combine(self, control: ToolControl, value: str) -> None:
        """Type into a combobox, and choose from what it offers then."""
        await self._fill(control.ref, value, control.key)
        deadline = monotonic() + COMBOBOX_SECONDS
        while (option := await self._suggested(control, value)) and option.ref is not None:
            try:
                await self.click(option.ref, control.key)
                break
            except StaleUid:
                # A list that is filled anew after every letter replaces what was just seen.
                if monotonic() > deadline:
                    raise

    async def _suggested(self, control: ToolControl, value: str) -> Option | None:
        """Return what a combobox offers for a value; None if it takes free text."""
        offered = await self._offered(control.ref, value)
        option = matching(offered, value)
        if offered and option is None:
            known = ", ".join(f'"{each.label}"' for each in offered[:20])
            raise BadArguments(
                f"{control.key} offers nothing like that value.", hint=f"It offers {known}."
            )
        return option

    async def _offered(self, ref: Ref, value: str) -> list[Option]:
        """Wait a little for the list of a combobox; one that has none takes free text."""
        deadline = monotonic() + COMBOBOX_SECONDS
        while True:
            found = await scripts.run(self._frame, "toolOptions", ref)
            options = [Option(text, "", number) for number, text in found]
            if matching(options, value) is not None or monotonic() > deadline:
                return options
            await asyncio.sleep(COMBOBOX_PAUSE)

    async def _upload(self, control: ToolControl, value: Any) -> None:
        paths = [self._files.readable(str(each)) for each in _many(value)]
        element = await self.element(control.ref, control.key)
        with _named(control.key):
            await self._page.input.upload(element, [str(path) for path in paths])


def option_of(control: ToolControl, value: str) -> Option:
    """Return the option that a value means: exactly, in any case, or by its beginning."""
    found = matching(control.options, value)
    if found is None:
        known = ", ".join(f'"{each.label}"' for each in control.options[:20])
        raise BadArguments(f"{control.key} has no such option.", hint=f"It has {known}.")
    return found


def matching(options: Sequence[Option], value: str) -> Option | None:
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


def gone(name: str) -> StaleUid:
    """Make the error for an element that has left the page."""
    return StaleUid(f"{name} is no longer on the page.", code="page_changed")


def _text(control: ToolControl, value: Any) -> str:
    """Write a value as the control takes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return json.dumps([_chosen(control, str(each)) for each in value])
    if control.kind == "select":
        return _chosen(control, str(value))
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _chosen(control: ToolControl, value: str) -> str:
    option = matching(control.options, value)
    # The label was cleaned for the agent; the value is the page's own.
    return value if option is None else option.value or option.label


def _many(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


class _named:
    """Errors of elements speak of the parameter instead of a uid, which the agent never saw."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ElementTrouble):
            error.message = error.message.replace(f" (uid {self._name})", f" ({self._name})")
        elif isinstance(error, StaleUid):
            raise gone(self._name) from error
