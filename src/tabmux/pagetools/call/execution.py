"""Execution: carries out a derived tool as a person would: open, fill, press, observe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import quote

from tabmux.errors import Misuse, Refused, TabmuxError
from tabmux.page.act.keyboard import parse
from tabmux.page.activity import ActionEffects
from tabmux.page.frame_tree import Frame
from tabmux.page.page import Page
from tabmux.page.settling import settled, unless_blocked
from tabmux.page_text import in_quotes
from tabmux.pagetools.call.call_outcome import Observations, ObservedEffects, PageMessages
from tabmux.pagetools.call.filling import Filling
from tabmux.pagetools.collect.collector_scripts import run_script
from tabmux.pagetools.collect.document_tree import Ref
from tabmux.pagetools.model import ListItem, PageTool, ToolControl
from tabmux.policy.file_policy import FilePolicy
from tabmux.secrets.form_safety import refuse_unsafe
from tabmux.secrets.origins import origin_of
from tabmux.secrets.secret import SecretText

TEXT_LIMIT = 6000
SEND_SECONDS = 0.3


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
        if self._tool.kind in ("click", "fill"):
            await self._act_by_text({control.key: value for control, value in values})
            return
        if plan.url_template:
            await self._visit_url(values)
            return
        targets = [control.ref for control, _ in values]
        if item is not None:
            targets.append(item.target)
        if plan.submit is not None:
            targets.append(plan.submit)
        await self._open_containers(plan.openers, targets)
        if item is not None and item.ref is not None and not await filling.is_shown(item.target):
            await filling.hover(item.ref, self._tool.name)
        for control, value in values:
            await filling.set(control, value)
        if not values and (switch := self._lone_checkbox) is not None:
            await filling.click(switch.ref, switch.key)
        await self._submit(item)

    async def _act_by_text(self, given: Mapping[str, Any]) -> None:
        """Click or fill what is called so."""
        if self._tool.kind == "click":
            text = str(given["text"])
            await self._filling.click(await self._find_by_text(text, "press"), text)
            return
        name = str(given["field"])
        ref = await self._find_by_text(name, "fill")
        await self._filling.set(ToolControl("value", ref, "text", name), given["value"])

    async def _find_by_text(self, words: str, purpose: str) -> Ref:
        found = await run_script(self._frame, "toolNamed", words, purpose)
        if len(found) == 1:
            return int(found[0][0])
        names = ", ".join(in_quotes(name, 60) for _, name in found[:10])
        raise Misuse(
            f"{len(found) or 'No'} elements are called {in_quotes(words, 60)}.",
            hint=f"Be more precise: {names}." if found else "See get_page_content.",
            code="no_such_element",
        )

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

    async def _submit(self, item: ListItem | None) -> None:
        plan, name = self._tool.plan, self._tool.name
        if item is not None:
            await self._filling.click(item.target, name)
        elif plan.submit is not None:
            await self._filling.click(plan.submit, name)
        elif plan.enter is not None:
            await run_script(self._frame, "toolFocus", plan.enter)
            await self._page.input.press(parse("Enter"))

    async def _observe(self, found: Observations, watch: ActionEffects, *, sets: bool) -> None:
        """Note what the page shows now, unless a dialog keeps it from answering."""
        page = self._page
        if page.gone:
            found.effects = ObservedEffects(moved=True, touched=True)
            return
        moved = watch.moved_to is not None or page.document.loader != watch.loader
        frame = page.main if self._frame.parent is None else self._frame
        changes = None
        with suppress(TabmuxError):
            changes = await unless_blocked(page, lambda: frame.call("changes"))
            found.after = PageMessages.of(
                await unless_blocked(page, lambda: run_script(frame, "toolVerdict"))
            )
        dialog = page.dialogs.current
        found.opened = list(watch.opened)
        found.effects = ObservedEffects(
            moved=moved,
            touched=moved
            or bool(changes or watch.requests or watch.opened or watch.navigations)
            or (sets and self._only_sets),
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
