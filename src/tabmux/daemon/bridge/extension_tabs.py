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
from tabmux.errors import BrowserGone, DeadlineExceeded, NoSuchPage, PageGone, PageTrouble
from tabmux.focus.tab_source import BrowserProduct, FocusTab
from tabmux.page_text import in_quotes

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
    """

    def __init__(self, bridge: LocalBridge) -> None:
        self._bridge = bridge
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
        """Ask the extension for its browser and its tabs; None when there is none."""
        link = self._find_link()
        if link is None:
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
        """List the open tabs, oldest first."""
        return [self._described(tab) for tab in self._tabs]

    async def open(self, url: str, *, focus: bool) -> FocusTab:
        """Have the extension open a tab, and find out which of the new ones it is."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Message] = loop.create_future()

        def is_opened(message: Message) -> bool:
            if message["type"] != "tabCreated":
                return False
            if _is_same_url(message["tab"].get("url", ""), url):
                return True
            # A page may have sent the tab elsewhere already; or it is one of the user's.
            loop.call_later(REDIRECT_SECONDS, _settle, answer, message)
            return False

        request = {"type": "openTab", "url": url, "focus": focus}
        told = await self._ask(request, is_opened, ACT_SECONDS, answer)
        tab = int(told["tab"]["id"])
        if tab not in self._tabs:
            raise PageGone(f"Tab {tab} was closed as soon as it was open.", hint="Call list_tabs.")
        return self._described(tab)

    async def focus(self, tab: int) -> Sequence[ToolSpec]:
        """Have the extension focus a tab, and return the tools that it found there."""
        self._require(tab)
        # A tab that was opened in focus may not get it a second time, and nothing be told then.
        if tab != self._in_front:
            await self._ask(
                {"type": "focusTab", "tabId": tab},
                lambda m: m["type"] in _FOCUS_ANSWERS and m["tabId"] == tab,
                ACT_SECONDS,
            )
            self._require(tab)
        self._focused = tab
        return self.tools()

    async def close(self, tab: int) -> None:
        """Close a tab."""
        self._require(tab)
        await self._ask(
            {"type": "closeTab", "tabId": tab},
            lambda m: m["type"] == "tabClosed" and m["tabId"] == tab,
            ACT_SECONDS,
        )

    def tools(self) -> Sequence[ToolSpec]:
        """List the tools of the focused tab, as last told."""
        return self._tools.get(self._focused, []) if self._focused is not None else []

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        """Have the extension run a tool of the focused tab."""
        if self._focused is None:
            raise NoSuchPage("No tab is focused.", hint="Call focus_tab.")
        call_id = secrets.token_hex(8)
        told = await self._ask(
            {
                "type": "callTool",
                "callId": call_id,
                "tabId": self._focused,
                "toolName": name,
                "args": dict(arguments),
            },
            lambda m: m["type"] == "toolResult" and m["callId"] == call_id,
            CALL_SECONDS,
        )
        if error := told.get("error"):
            return Reply(quoted(str(error)), code="tool_failed")
        result = told.get("result")
        text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
        return Reply(quoted(text))

    def on_change(self, listener: Callable[[str, int | None], None]) -> Callable[[], None]:
        """Call `listener` with what changed and the tab's id; returns how to stop."""
        return self._changed.add(listener)

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
        self._link, self._stop_listening = link, link.on_message(self._receive)
        link.closed.add_done_callback(lambda _: self._lost(link))

    def _release(self) -> None:
        self._stop_listening()
        self._stop_listening, self._link = (lambda: None), None
        self._tabs.clear()
        self._tools.clear()
        self._focused = self._in_front = None

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
            raise DeadlineExceeded(
                f"The extension did not answer {message['type']} within {seconds:g} s."
            ) from None
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
        if kind == "tabFocused" and not asked:
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
        self._tabs = {tab["id"]: tab for tab in message["tabs"]}
        self._tools.clear()

    def _tab_changed(self, message: Message) -> None:
        tab = message["tab"]
        is_new = tab["id"] not in self._tabs
        self._tabs[tab["id"]] = tab
        if is_new:
            self._changed("tabs", tab["id"])

    def _closed(self, message: Message) -> None:
        tab = message["tabId"]
        self._tools.pop(tab, None)
        if self._focused == tab:
            self._focused = None
        if self._in_front == tab:
            self._in_front = None
        if self._tabs.pop(tab, None) is not None:
            self._changed("tabs", tab)

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


def _tool_spec(tool: Message) -> ToolSpec:
    schema = {"type": "object", "properties": {}, **tool.get("inputSchema", {})}
    return ToolSpec(tool["name"], tool.get("description", ""), schema)


def _settle(answer: asyncio.Future[Message], message: Message) -> None:
    if not answer.done():
        answer.set_result(message)


def _is_same_url(url: str, wanted: str) -> bool:
    """Whether a new tab can be the one that was wanted; it may not know its address yet."""
    return url in _BLANK or url.rstrip("/") == wanted.rstrip("/")


def _disconnected_error() -> BrowserGone:
    return BrowserGone("The extension has disconnected.", hint="Call connect_browser.")
