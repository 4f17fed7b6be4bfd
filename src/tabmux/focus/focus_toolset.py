"""Focus toolset: one session's tools, which change with its state; clients are told."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from tabmux.concurrency import Listeners, TaskOwner
from tabmux.content import Reply, ToolSpec
from tabmux.errors import Misuse, NotOwned, Refused, TabmuxError, UnknownTool
from tabmux.focus import states
from tabmux.focus.states import FocusState
from tabmux.focus.tab_source import FocusTab, TabSource
from tabmux.pagetools.argument_validation import decoded, validate
from tabmux.pagetools.publishing import signature

logger = logging.getLogger(__name__)

_NOT_FOUND = {
    "connected": False,
    "error": "No browser found",
    "instructions": "Please open Chrome with the Browser Tools extension enabled, "
    "or call with launch=true",
}
_CALL_PAGE_TOOL = {
    "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
    "required": ["name"],
}


@runtime_checkable
class CountsTools(Protocol):
    """Tabs that must be asked how many tools they have."""

    async def count(self) -> None:
        """Learn it, where it is not known."""


class FocusToolset:
    """The state machine of the focus toolset, over whichever tabs there are.

    Args:
        sources: Ways to a browser, the best first.
        check_url: Raises why an address may not be visited.
        background: Where a tab is focused that the user went to.
        follows: Whether the focus goes with the user's.
    """

    def __init__(
        self,
        sources: Sequence[TabSource],
        check_url: Callable[[str], str],
        background: TaskOwner,
        *,
        follows: bool = False,
    ) -> None:
        self._sources, self._check_url = sources, check_url
        self._background, self._follows = background, follows
        self._tabs: TabSource | None = None
        self._focus = FocusState()
        self._calls = 0
        self._on_changed: Listeners[[]] = Listeners()
        self._stop: Callable[[], None] = lambda: None
        self._handlers: dict[str, Callable[[Mapping[str, Any]], Any]] = {
            states.CONNECT.name: self._connect_browser,
            states.LIST.name: self._list_tabs,
            states.OPEN.name: self._open_tab,
            states.FOCUS.name: self._focus_tab,
            states.CLOSE.name: self._close_tab,
        }
        self._announced = self._fingerprint()

    @property
    def state(self) -> FocusState:
        """Where the session stands."""
        return self._focus

    def is_own(self, name: str) -> bool:
        """Whether a tool is one of the state machine's, not a page's."""
        return name in self._handlers

    def knows(self, name: str) -> bool:
        """Whether a call is for this toolset: there are no other tools beside it."""
        return True

    def refusal_of(self, name: str) -> Refused | None:
        """Return none: what is switched off by name is so for every toolset."""
        return None

    def counted_name(self, name: str) -> str:
        """Return the name by which calls of a tool are counted; pages must not add names."""
        return name if self.is_own(name) else "page tool"

    def specs(self) -> Sequence[ToolSpec]:
        """List the tools of the state, and those of the page in focus."""
        if self._tabs is None or self._focus.focused is None:
            return self._focus.tools
        return [*self._focus.tools, *self._tabs.tools()]

    def check(self, name: str, arguments: Mapping[str, Any]) -> None:
        """Raise if it is a page's tool, and no page is in focus."""
        if not self.is_own(name):
            self._tabs_in_focus(name)

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        """Run a tool; what it changes in the list of tools is told before it answers."""
        logger.info("%s request", name)
        self._calls += 1
        try:
            return await self._call(name, arguments)
        finally:
            self._calls -= 1
            self._announce()

    def on_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when the list of tools is another one; returns how to stop."""
        return self._on_changed.add(listener)

    def close(self) -> None:
        """Let go of the browser."""
        self._stop()
        self._stop, self._tabs, self._focus = (lambda: None), None, FocusState()

    async def _call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        own = next((spec for spec in self._focus.tools if spec.name == name), None)
        if own is None:
            return await self._call_page(name, arguments)
        try:
            arguments = decoded(arguments, own.schema)
            validate(name, arguments, own.schema)
            reply: Reply = await self._handlers[name](arguments)
        except TabmuxError as error:
            wrong = {"error": error.message, "code": error.code, "hint": error.hint}
            return _json(wrong, code=error.code)
        return reply

    async def _call_page(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        try:
            tabs = self._tabs_in_focus(name)
            if name == "list_page_tools":
                return _json({"tools": [_spec_fields(each) for each in tabs.tools()]})
            if name == "call_page_tool":
                given = decoded(arguments, _CALL_PAGE_TOOL)
                validate(name, given, _CALL_PAGE_TOOL)
                return await tabs.call(given["name"], given.get("arguments", {}))
            return await tabs.call(name, arguments)
        except TabmuxError as error:
            return Reply.failure(error)

    def _tabs_in_focus(self, name: str) -> TabSource:
        """Return the tabs, if a tool can be one of the page in focus."""
        if self._tabs is None or self._focus.focused is None or self.is_own(name):
            known = ", ".join(spec.name for spec in self.specs())
            raise UnknownTool(f"{name} is not available now.", hint=f"Use one of: {known}.")
        return self._tabs

    async def _connect_browser(self, arguments: Mapping[str, Any]) -> Reply:
        for source in self._sources:
            maker = await source.connect(launch=bool(arguments.get("launch", False)))
            if maker is None:
                continue
            before, self._stop = self._stop, source.on_change(self._source_changed)
            before()
            self._tabs = source
            self._focus = self._focus.joined(self._ids())
            browser = {"name": maker.name, "version": maker.version}
            return _json({"connected": True, "browser": browser, "tabCount": len(self._focus.tabs)})
        return _json(_NOT_FOUND, code="browser_unreachable")

    async def _list_tabs(self, _: Mapping[str, Any]) -> Reply:
        tabs = self._source()
        if isinstance(tabs, CountsTools):
            await tabs.count()
        focused = self._focus.focused
        shown = [
            {**_tab_fields(tab), "focused": tab.id == focused, "toolCount": tab.tool_count}
            for tab in tabs.tabs()
        ]
        return _json({"tabs": shown, "focusedTabId": focused})

    async def _open_tab(self, arguments: Mapping[str, Any]) -> Reply:
        url, wants_focus = self._check_url(arguments["url"]), bool(arguments.get("focus", True))
        tab = await self._source().open(url, focus=wants_focus)
        names: list[str] = []
        if wants_focus:
            names = await self._focus_on(tab.id)
        else:
            self._focus = self._focus.holding(self._ids() | {tab.id})
        return _json({"tab": _tab_fields(tab), "focused": wants_focus, "toolsAvailable": names})

    async def _focus_tab(self, arguments: Mapping[str, Any]) -> Reply:
        tab = self._tab_by_id(arguments["tabId"])
        names = await self._focus_on(tab.id)
        now = next((each for each in self._source().tabs() if each.id == tab.id), tab)
        return _json({"success": True, "tab": _tab_fields(now), "toolsAvailable": names})

    async def _close_tab(self, arguments: Mapping[str, Any]) -> Reply:
        given = arguments.get("tabId", self._focus.focused)
        tab = self._tab_by_id(given)
        await self._source().close(tab.id)
        self._focus = self._focus.holding(self._ids() - {tab.id})
        return _json({"closed": True, "tabId": tab.id})

    async def _focus_on(self, tab: int) -> list[str]:
        """Give a tab the focus, and return the names of its tools."""
        specs = await self._source().focus(tab)
        self._focus = self._focus.holding(self._ids()).on(tab)
        return [spec.name for spec in specs]

    def _tab_by_id(self, given: Any) -> FocusTab:
        for tab in self._source().tabs():
            if tab.id == given:
                return tab
        if self._source().belongs_to_other(given):
            raise NotOwned(
                f"Tab {given} belongs to another session.",
                hint="Call list_tabs to see yours, or open_tab to open one.",
            )
        ids = ", ".join(str(tab.id) for tab in self._source().tabs()) or "none"
        raise Misuse(
            f"There is no tab {given}.",
            hint=f"The tabs are {ids}; see list_tabs.",
            code="no_such_tab",
        )

    def _source(self) -> TabSource:
        if self._tabs is None:
            raise Misuse("No browser is connected.", hint="Call connect_browser.")
        return self._tabs

    def _ids(self) -> frozenset[int]:
        return frozenset(tab.id for tab in self._source().tabs())

    def _source_changed(self, what: str, tab: int | None) -> None:
        """Hear of what somebody else did: the user, the page or the browser."""
        if what == "gone":
            self.close()
        elif what == "tabs":
            self._focus = self._focus.holding(self._ids())
        elif what == "focus" and self._follows and tab is not None and tab != self._focus.focused:
            self._background.start_quietly(self._follow(tab))
        if not self._calls:
            self._announce()

    async def _follow(self, tab: int) -> None:
        await self._focus_on(tab)
        if not self._calls:
            self._announce()

    def _announce(self) -> None:
        """Tell clients of another list of tools, once, and never of the same one."""
        if self._announced != (now := self._fingerprint()):
            self._announced = now
            self._on_changed()

    def _fingerprint(self) -> tuple[str, int | None, str]:
        return self._focus.stage, self._focus.focused, signature(self.specs())


def _tab_fields(tab: FocusTab) -> dict[str, Any]:
    return {"id": tab.id, "title": tab.title, "url": tab.url}


def _spec_fields(spec: ToolSpec) -> dict[str, Any]:
    return {"name": spec.name, "description": spec.description, "inputSchema": spec.schema}


def _json(value: Mapping[str, Any], code: str | None = None) -> Reply:
    return Reply(json.dumps(value, ensure_ascii=False), code=code)
