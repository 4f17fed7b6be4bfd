"""Execution: carries out a derived tool as a person would: open, fill, press, observe."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any
from urllib.parse import quote

from tabmux.errors import ElementTrouble, Refused, TabmuxError
from tabmux.page.act.keyboard import parse
from tabmux.page.activity import ActionEffects
from tabmux.page.frame_tree import Frame, FrameGone
from tabmux.page.page import Page
from tabmux.page.settling import settled, unless_blocked
from tabmux.pagetools.call.by_text import ByText
from tabmux.pagetools.call.call_outcome import Observations, ObservedEffects, PageMessages
from tabmux.pagetools.call.filling import Filling, option_of
from tabmux.pagetools.collect.collector_scripts import run_script
from tabmux.pagetools.collect.document_tree import Ref
from tabmux.pagetools.model import ListItem, PageTool, ToolControl
from tabmux.policy.file_policy import FilePolicy
from tabmux.secrets.form_safety import refuse_unsafe
from tabmux.secrets.origins import origin_of
from tabmux.secrets.secret import SecretText

TEXT_LIMIT = 6000
SEND_SECONDS = 0.3
# How long a field is waited for that the page makes from another one.
MADE_SECONDS, MADE_PAUSE = 0.8, 0.05


class Execution:
    """One call of a tool that was derived from the page.

    Args:
        page: The tab.
        frame: The frame whose document the tool belongs to.
        tool: The tool; its elements are still there.
        files: Which files may be given to pages.
    """

    def __init__(self, page: Page, frame: Frame, tool: PageTool, files: FilePolicy) -> None:
        self._page, self._frame, self._tool = page, frame, tool
        self._filling = Filling(page, frame, files)
        self._download = ""
        self._seen: str | None = None
        self._acted: Frame | None = None

    async def run(self, arguments: Mapping[str, Any], item: ListItem | None) -> Observations:
        """Do it, and wait until the page has answered."""
        tool, found = self._tool, Observations()
        if tool.kind == "read":
            found.text = str(await run_script(self._frame, "toolText", TEXT_LIMIT))
            return found
        values = await self._control_values(arguments, item, found)
        await run_script(self._frame, "toolListen")
        found.before = PageMessages.of(await run_script(self._frame, "toolVerdict"))
        with self._watching_downloads():
            async with settled(self._page, self._frame) as watch:
                await self._perform(values, item)
                await self._wait_until_sent(watch)
            await self._observe(found, watch, sets=bool(values))
        return found

    @property
    def sends(self) -> bool:
        """Whether the tool fills a form and sends it."""
        return self._tool.kind in ("form", "item_action") and bool(self._tool.plan.controls)

    async def _control_values(
        self, arguments: Mapping[str, Any], item: ListItem | None, found: Observations
    ) -> list[tuple[ToolControl, Any]]:
        """Return what each control gets; where a password would be sent is checked here.

        A secret that is typed by its name is checked where it is typed.
        """
        controls = item.controls if item is not None and item.controls else self._tool.plan.controls
        values = []
        for control in controls:
            if control.key not in arguments:
                continue
            value = arguments[control.key]
            if control.secret and not isinstance(value, SecretText):
                await self._check_secret_target(control)
                found.typed.append(str(value))
            values.append((control, value))
        return values

    async def _check_secret_target(self, control: ToolControl) -> None:
        action = await run_script(self._frame, "toolAction", control.ref)
        refuse_unsafe(origin_of(self._page.url), self._tool.origin, str(action))

    @contextmanager
    def _watching_downloads(self) -> Iterator[None]:
        stop = self._page.channel.on("Page.downloadWillBegin", self._note_download)
        try:
            yield
        finally:
            stop()

    async def _wait_until_sent(self, watch: ActionEffects) -> None:
        """Give a form a moment to be sent: Chrome may say so later than the click is done."""
        page, plan = self._page, self._tool.plan
        if plan.form is None or (plan.submit is None and plan.enter is None):
            return
        await page.signal.until(
            lambda: bool(
                page.gone
                or page.activity.navigating
                or watch.moved_to is not None
                or watch.requests
                or watch.opened
                or page.dialogs.current
                or self._download
            ),
            SEND_SECONDS,
        )

    def _note_download(self, params: dict[str, Any]) -> None:
        self._download = str(params.get("suggestedFilename") or params.get("url", ""))

    async def _perform(
        self, values: Sequence[tuple[ToolControl, Any]], item: ListItem | None
    ) -> None:
        plan, filling = self._tool.plan, self._filling
        if self._tool.kind in ("click", "link", "fill"):
            given = {control.key: value for control, value in values}
            by_text = ByText(self._page, self._frame, filling)
            await by_text.act(self._tool.kind, given)
            self._acted = by_text.frame
            return
        if plan.url_template:
            await self._visit_url(values)
            return
        targets = [control.ref for control, _ in values]
        if item is not None:
            targets.append(item.target)
        if plan.submit is not None:
            targets.append(plan.submit)
        openers = plan.openers or (item.openers if item is not None else ())
        await self._open_containers(openers, targets)
        if item is not None and item.ref is not None and not await filling.is_shown(item.target):
            await filling.hover(item.ref, self._tool.name)
        if await self._fill_controls([each for each in values if each[0].kind != "submit"]):
            await self._submit(item, _chosen_button(values))

    async def _fill_controls(self, values: Sequence[tuple[ToolControl, Any]]) -> bool:
        """Fill everything; returns whether the page stays, so that it can be sent.

        What is chosen may send the form already, or lead to another page.
        """
        last = len(values) - 1
        for place, (control, value) in enumerate(values):
            await self._open_containers([control.opener] if control.opener else [], [control.ref])
            try:
                await self._filling.set(control, value)
                if place == last and not self._only_sets:
                    # What was typed is no effect of what is pressed now.
                    self._seen = await self._wait_until_made([each.ref for each, _ in values])
            except FrameGone:
                if place < last:
                    raise
                return False
        if not values and (switch := self._lone_checkbox) is not None:
            await self._filling.click(switch.ref, switch.key)
        return not (values and self._page.activity.navigating)

    async def _wait_until_made(self, filled: Sequence[Ref]) -> str:
        """Return what is seen before the form is sent, with what the page makes of its fields.

        An address that is made from a title, say, may come a moment after the title was typed.
        """
        deadline = monotonic() + MADE_SECONDS
        form = self._tool.plan.form or 0
        while True:
            seen, awaits = await run_script(self._frame, "toolFilled", form, list(filled))
            if not awaits or monotonic() > deadline:
                return str(seen)
            await asyncio.sleep(MADE_PAUSE)

    async def _visit_url(self, values: Sequence[tuple[ToolControl, Any]]) -> None:
        url = self._tool.plan.url_template
        for control, value in values:
            if isinstance(value, SecretText):
                raise Refused("A secret is not put into an address.")
            url = url.replace("{q}", quote(str(value), safe="")).replace(
                f"{{{control.key}}}", quote(str(value), safe="")
            )
        await self._page.navigation.go(url)

    async def _open_containers(self, openers: Sequence[Ref], targets: Sequence[Ref]) -> None:
        """Open what the elements are hidden in, from the outside in."""
        for place, opener in enumerate(openers):
            inner = openers[place + 1] if place + 1 < len(openers) else next(iter(targets), opener)
            if not await self._filling.is_shown(inner):
                await self._filling.click(opener, self._tool.name)
                await self._filling.wait_until_open(inner)

    async def _submit(self, item: ListItem | None, button: Ref | None) -> None:
        plan, name = self._tool.plan, self._tool.name
        if item is not None:
            if item.presses:
                await self._filling.click(item.target, name)
        elif plan.submit is not None:
            await self._press(button or plan.submit, plan.enter if button is None else None)
        elif plan.enter is not None:
            await self._press_enter(plan.enter)

    async def _press(self, button: Ref, enter: Ref | None) -> None:
        """Press a button; where something covers it, Enter in a field of its form does the same."""
        try:
            await self._filling.click(button, self._tool.name)
        except ElementTrouble as error:
            if error.code != "element_covered":
                raise
            # Lists of suggestions close when the focus goes on.
            await run_script(self._frame, "toolFocus", button)
            try:
                await self._filling.click(button, self._tool.name)
            except ElementTrouble:
                # What was opened to choose from may stay: the keyboard reaches the button still.
                if enter is None and not await run_script(self._frame, "toolFocused", button):
                    raise
                await self._press_enter(button if enter is None else enter)

    async def _press_enter(self, field: Ref) -> None:
        await run_script(self._frame, "toolFocus", field)
        await self._page.input.press(parse("Enter"))

    async def _observe(self, found: Observations, watch: ActionEffects, *, sets: bool) -> None:
        """Note what the page shows now, unless a dialog keeps it from answering."""
        page = self._page
        if page.gone:
            found.effects = ObservedEffects(moved=True, touched=True)
            return
        moved = watch.moved_to is not None or page.document.loader != watch.loader
        frame = page.main if self._frame.parent is None else self._frame
        if self._acted is not None and not moved:
            frame = self._acted
        changes: Any = None
        with suppress(TabmuxError):
            changes = await unless_blocked(page, lambda: frame.call("changes"))
            if self._seen is not None and not moved:
                seen = await unless_blocked(page, lambda: run_script(frame, "toolSeen"))
                changes = seen is None or seen != self._seen
            found.after = PageMessages.of(
                await unless_blocked(page, lambda: run_script(frame, "toolVerdict"))
            )
        dialog = page.dialogs.current
        found.opened = list(watch.opened)
        found.effects = ObservedEffects(
            moved=moved,
            touched=moved
            or bool(changes or watch.opened or watch.navigations)
            or (sets and self._only_sets),
            requests=len(watch.requests),
            download=self._download,
            dialog=dialog.line if dialog else "",
        )

    @property
    def _only_sets(self) -> bool:
        """Whether the tool presses nothing: then its fields are its effect."""
        plan = self._tool.plan
        return plan.submit is None and plan.enter is None and not plan.items

    @property
    def _lone_checkbox(self) -> ToolControl | None:
        """The one box that the tool is about: called without a state, it takes the other one."""
        controls = self._tool.plan.controls
        alone = self._only_sets and len(controls) == 1 and controls[0].kind == "checkbox"
        return controls[0] if alone else None


def _chosen_button(values: Sequence[tuple[ToolControl, Any]]) -> Ref | None:
    """Return the button that the caller wants to send the form with."""
    return next(
        (option_of(each, str(value)).ref for each, value in values if each.kind == "submit"), None
    )
