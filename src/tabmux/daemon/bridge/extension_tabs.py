"""Extension tabs: the tabs of an extension that relays no CDP, for the focus toolset."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tabmux.bridge.extension_link import ExtensionLink
from tabmux.bridge.messages import Message
from tabmux.concurrency import Listeners
from tabmux.content import Reply, ToolSpec, quoted
from tabmux.daemon.bridge.local_bridge import LocalBridge
from tabmux.daemon.bridge.tab_owners import TabOwners
from tabmux.errors import (
    BrowserGone,
    Busy,
    DeadlineExceeded,
    NoSuchPage,
    NotOwned,
    PageGone,
    PageTrouble,
    UnknownTool,
)
from tabmux.focus.tab_source import BrowserProduct, FocusTab
from tabmux.page_text import in_quotes
from tabmux.pagetools.argument_validation import decoded, validate
from tabmux.policy.policy import Policy
from tabmux.tools.pipeline import secret_use

CONNECT_SECONDS = 5.0
ACT_SECONDS = 15.0
CALL_SECONDS = 60.0
# For the tab with the address that was asked for, once another one has come.
REDIRECT_SECONDS = 1.0
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_FOCUS_ANSWERS = ("tabFocused", "tabClosed", "tabCrashed")
_BLANK = ("", "about:blank", "chrome://newtab/")

Match = Callable[[Message], bool]


class ExtensionTabs:
    """One session's view of the tabs of an extension; a source of tabs for the focus toolset.

    Args:
        bridge: Where the extension connects.
        owners: Which session has which tab.
        act_seconds: How long the extension has to open, focus or close a tab.
        policy: What the agent may do.
    """

    def __init__(
        self,
        bridge: LocalBridge,
        owners: TabOwners,
        act_seconds: float = ACT_SECONDS,
        policy: Callable[[], Policy] = Policy,
    ) -> None:
        self._policy = policy
        self._bridge, self._owners, self._act_seconds = bridge, owners, act_seconds
        self._tabs: dict[int, Message] = {}
        self._link: ExtensionLink | None = None
        self._tools: dict[int, list[ToolSpec]] = {}
        self._focused: int | None = None
        # The tab that the extension last said has the focus.
        self._in_front: int | None = None
        self._waiting: list[tuple[Match, asyncio.Future[Message]]] = []
        self._changed: Listeners[str, int | None] = Listeners()
        self._stop_listening: Callable[[], None] = lambda: None

    async def connect(self, *, launch: bool) -> BrowserProduct | None:
        """Ask the extension for its browser and its tabs; None when there is none to be used."""
        link = self._find_link()
        # An extension cannot hold what a page does by itself.
        if link is None or self._policy().urls.is_restricted:
            return None
        self._use(link)
        try:
            request: Message = {"type": "connect", "launch": launch}
            told = await self._ask(request, lambda m: m["type"] == "connected", CONNECT_SECONDS)
        except (DeadlineExceeded, BrowserGone):
            self._release()
            return None
        browser = told["browser"]
        return BrowserProduct(str(browser.get("name", "")), str(browser.get("version", "")))

    def tabs(self) -> Sequence[FocusTab]:
        """List the tabs that are the session's or free, oldest first."""
        return [self._described(tab) for tab in self._tabs if not self._is_others(tab)]

    def belongs_to_other(self, tab: int) -> bool:
        """Whether another session has a tab."""
        return tab in self._tabs and self._is_others(tab)

    async def open(self, url: str, *, focus: bool) -> FocusTab:
        """Have the extension open a tab, and find out which of the new ones it is."""
        if self._link is None:
            raise _disconnected_error()
        try:
            async with asyncio.timeout(CALL_SECONDS), self._owners.opening(self._link):
                tab = await self._open(url, focus=focus)
        except TimeoutError:
            raise Busy("Other tabs are being opened.", hint="Try again.") from None
        if tab not in self._tabs:
            raise PageGone(f"Tab {tab} was closed as soon as it was open.", hint="Call list_tabs.")
        return self._described(tab)

    async def _open(self, url: str, *, focus: bool) -> int:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Message] = loop.create_future()

        def settle(message: Message) -> None:
            tab = message["tab"]["id"]
            if not answer.done() and (tab not in self._tabs or self._claim(tab)):
                answer.set_result(message)

        def note(message: Message) -> bool:
            if message["type"] == "tabCreated":
                if _is_same_url(message["tab"].get("url", ""), url):
                    settle(message)
                else:
                    # A page may have sent the tab elsewhere already; or it is one of the user's.
                    loop.call_later(REDIRECT_SECONDS, settle, message)
            return False

        request = {"type": "openTab", "url": url, "focus": focus}
        told = await self._ask(request, note, self._act_seconds, answer)
        return int(told["tab"]["id"])

    async def focus(self, tab: int) -> Sequence[ToolSpec]:
        """Have the extension focus a tab, and return the tools that it found there."""
        self._require(tab)
        was_free = self._owner(tab) is None
        # Before it is focused: the others would take it for one that the user went to.
        self._claim(tab)
        try:
            await self._bring_to_front(tab)
        except BaseException:
            if was_free:
                self._free(tab)
            raise
        self._focused = tab
        return self.tools()

    async def _bring_to_front(self, tab: int) -> None:
        # A tab that was opened in focus may not get it a second time, and nothing be told then.
        if tab == self._in_front:
            return
        await self._ask(
            {"type": "focusTab", "tabId": tab},
            lambda m: m["type"] in _FOCUS_ANSWERS and m["tabId"] == tab,
            self._act_seconds,
        )
        self._require(tab)

    async def close(self, tab: int) -> None:
        """Close a tab."""
        self._require(tab)
        await self._ask(
            {"type": "closeTab", "tabId": tab},
            lambda m: m["type"] == "tabClosed" and m["tabId"] == tab,
            self._act_seconds,
        )

    def tools(self) -> Sequence[ToolSpec]:
        """List the tools of the focused tab, as last told."""
        return self._tools.get(self._focused, []) if self._focused is not None else []

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        """Have the extension run a tool of the focused tab, if that has it and can take this."""
        if self._focused is None:
            raise NoSuchPage("No tab is focused.", hint="Call focus_tab.")
        spec = self._tool(name)
        secret_use.refuse_references(name, arguments)
        arguments = decoded(arguments, spec.schema)
        validate(name, arguments, spec.schema)
        call_id = secrets.token_hex(8)
        told = await self._ask(
            {
                "type": "callTool",
                "callId": call_id,
                "tabId": self._focused,
                "toolName": name,
                "args": arguments,
            },
            lambda m: m["type"] == "toolResult" and m["callId"] == call_id,
            CALL_SECONDS,
        )
        if error := told.get("error"):
            failure = PageTrouble(f"{name} failed.", code="tool_failed")
            return Reply.failure(failure).quote(str(error))
        result = told.get("result")
        text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
        return Reply(quoted(text))

    def on_change(self, listener: Callable[[str, int | None], None]) -> Callable[[], None]:
        """Call `listener` with what changed and the tab's id; returns how to stop."""
        remove = self._changed.add(listener)

        def stop() -> None:
            remove()
            if not self._changed:
                self._release()

        return stop

    def _tool(self, name: str) -> ToolSpec:
        for spec in self.tools():
            if spec.name == name:
                return spec
        known = ", ".join(spec.name for spec in self.tools()) or "none"
        raise UnknownTool(
            f"The focused tab has no tool {in_quotes(name, 60)}.", hint=f"Its tools: {known}."
        )

    def _find_link(self) -> ExtensionLink | None:
        """Return the first extension that relays no CDP; those that do are browsers."""
        links = self._bridge.current.links.values() if self._bridge.current is not None else ()
        return next((link for link in links if not link.relays_cdp), None)

    def _described(self, tab: int) -> FocusTab:
        info = self._tabs[tab]
        title, url = str(info.get("title", "")), str(info.get("url", ""))
        return FocusTab(tab, title, url, self._tool_count(tab))

    def _tool_count(self, tab: int) -> int:
        if tab in self._tools:
            return len(self._tools[tab])
        count = self._tabs[tab].get("toolCount", 0)
        return count if isinstance(count, int) else 0

    def _use(self, link: ExtensionLink) -> None:
        self._release()
        stop_messages = link.on_message(self._receive)
        stop_owners = self._owners.on_changed(lambda: self._changed("tabs", None))

        def stop() -> None:
            stop_messages()
            stop_owners()

        self._link, self._stop_listening = link, stop
        link.closed.add_done_callback(lambda _: self._lost(link))

    def _release(self) -> None:
        self._stop_listening()
        self._stop_listening, self._link = (lambda: None), None
        self._tabs.clear()
        self._tools.clear()
        self._focused = self._in_front = None
        self._owners.free_all(self)

    def _lost(self, link: ExtensionLink) -> None:
        """The extension has gone, or its browser is closing: fail what waits, and say so."""
        if link is not self._link:
            return
        self._release()
        for _, answer in self._waiting:
            if not answer.done():
                answer.set_exception(_disconnected_error())
        self._changed("gone", None)

    async def _ask(
        self,
        message: Message,
        match: Match,
        seconds: float,
        answer: asyncio.Future[Message] | None = None,
    ) -> Message:
        if self._link is None:
            raise _disconnected_error()
        answer = answer or asyncio.get_running_loop().create_future()
        waiting = (match, answer)
        self._waiting.append(waiting)
        try:
            self._link.send(message)
            async with asyncio.timeout(seconds):
                return await answer
        except TimeoutError:
            raise _unanswered(message["type"], seconds) from None
        finally:
            self._waiting.remove(waiting)

    def _receive(self, message: Message) -> None:
        kind = message["type"]
        if kind == "error":
            self._fail_oldest(message)
            return
        if handle := self._HANDLERS.get(kind):
            handle(self, message)
        asked = False
        for match, answer in self._waiting:
            if not answer.done() and match(message):
                answer.set_result(message)
                asked = True
        if kind == "tabFocused" and not asked and not self._is_others(message["tabId"]):
            self._changed("focus", message["tabId"])

    def _fail_oldest(self, message: Message) -> None:
        """The extension could not do it; it does not say what, so it is the oldest request."""
        for _, answer in self._waiting:
            if not answer.done():
                answer.set_exception(
                    PageTrouble(f"The extension says: {in_quotes(message['message'])}")
                )
                return

    def _connected(self, message: Message) -> None:
        """Take over the tabs; another session may have asked, so what is known of them stays."""
        before, self._tabs = self._tabs, {tab["id"]: tab for tab in message["tabs"]}
        for tab in before.keys() - self._tabs.keys():
            self._forget(tab)
        self._changed("tabs", None)

    def _tab_changed(self, message: Message) -> None:
        tab = message["tab"]
        is_new = tab["id"] not in self._tabs
        self._tabs[tab["id"]] = tab
        if is_new:
            self._changed("tabs", tab["id"])

    def _closed(self, message: Message) -> None:
        tab = message["tabId"]
        is_known = self._tabs.pop(tab, None) is not None
        self._forget(tab)
        if is_known:
            self._changed("tabs", tab)

    def _forget(self, tab: int) -> None:
        self._tools.pop(tab, None)
        if self._focused == tab:
            self._focused = None
        if self._in_front == tab:
            self._in_front = None
        self._free(tab)

    def _tools_changed(self, message: Message) -> None:
        tab = message["tabId"]
        self._tools[tab] = [
            _tool_spec(tool) for tool in message["tools"] if _NAME.fullmatch(tool["name"])
        ]
        if tab == self._focused:
            self._changed("tools", tab)

    def _tab_focused(self, message: Message) -> None:
        self._in_front = message["tabId"]
        self._tools_changed(message)

    def _disconnected(self, message: Message) -> None:
        if self._link is not None:
            self._lost(self._link)

    _HANDLERS: Mapping[str, Callable[[ExtensionTabs, Message], None]] = {
        "connected": _connected,
        "tabCreated": _tab_changed,
        "tabUpdated": _tab_changed,
        "tabClosed": _closed,
        "tabCrashed": _closed,
        "tabFocused": _tab_focused,
        "toolsChanged": _tools_changed,
        "disconnected": _disconnected,
    }

    def _require(self, tab: int) -> None:
        if tab not in self._tabs:
            raise NoSuchPage(f"There is no tab {tab}.", hint="Call list_tabs.", code="no_such_tab")
        if self._is_others(tab):
            raise NotOwned(f"Tab {tab} belongs to another session.", hint="Call list_tabs.")

    def _owner(self, tab: int) -> object | None:
        return self._owners.owner(self._link, tab) if self._link is not None else None

    def _is_others(self, tab: int) -> bool:
        return self._owner(tab) not in (None, self)

    def _claim(self, tab: int) -> bool:
        """Make a tab the session's own, unless another session has it; say whether it is."""
        if self._link is not None:
            self._owners.claim(self._link, tab, self)
        return self._owner(tab) is self

    def _free(self, tab: int) -> None:
        if self._link is not None:
            self._owners.free(self._link, tab)


def _tool_spec(tool: Message) -> ToolSpec:
    schema = {"type": "object", "properties": {}, **tool.get("inputSchema", {})}
    return ToolSpec(tool["name"], tool.get("description", ""), schema)


def _unanswered(request: str, seconds: float) -> DeadlineExceeded:
    return DeadlineExceeded(
        f"The extension did not answer {request} within {seconds:g} s.",
        hint="Call list_tabs to see how things stand, then try again. If nothing is answered, "
        "ask the user to reload the extension.",
    )


def _is_same_url(url: str, wanted: str) -> bool:
    """Whether a new tab can be the one that was wanted; it may not know its address yet."""
    return url in _BLANK or url.rstrip("/") == wanted.rstrip("/")


def _disconnected_error() -> BrowserGone:
    return BrowserGone("The extension has disconnected.", hint="Call connect_browser.")
