"""The tabs of an extension that relays no CDP: everything is done by its own messages."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tabmux.bridge.extension_link import BrowserInfo, ExtensionLink
from tabmux.bridge.messages import Message
from tabmux.content import Reply, ToolSpec, quoted
from tabmux.errors import BrowserGone, DeadlineExceeded, NoSuchPage, PageTrouble

CONNECT_SECONDS = 5.0
ACT_SECONDS = 15.0
CALL_SECONDS = 60.0
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_BLANK = ("", "about:blank", "chrome://newtab/")

Listener = Callable[[str, int | None], None]
Match = Callable[[Message], bool]


class TabMessages:
    """One session's view of the tabs of an extension.

    Args:
        find: Returns the extension that is connected now, if any.
    """

    def __init__(self, find: Callable[[], ExtensionLink | None]) -> None:
        self.infos: dict[int, Message] = {}
        self._find = find
        self._link: ExtensionLink | None = None
        self._tools: dict[int, list[ToolSpec]] = {}
        self._focused: int | None = None
        self._waiting: list[tuple[Match, asyncio.Future[Message]]] = []
        self._listeners: list[Listener] = []
        self._unlisten: Callable[[], None] = lambda: None

    async def connect(self, *, launch: bool) -> BrowserInfo | None:
        """Ask the extension for its browser and its tabs; None when there is none."""
        link = self._find()
        if link is None:
            return None
        self._hold(link)
        try:
            wish: Message = {"type": "connect", "launch": launch}
            told = await self._ask(wish, lambda m: m["type"] == "connected", CONNECT_SECONDS)
        except (DeadlineExceeded, BrowserGone):
            self._release()
            return None
        browser = told["browser"]
        return BrowserInfo(str(browser.get("name", "")), str(browser.get("version", "")))

    async def open(self, url: str) -> int:
        """Open a tab in the background, and return its number."""

        def is_it(message: Message) -> bool:
            if message["type"] != "tabCreated":
                return False
            return _same(message["tab"].get("url", ""), url)

        told = await self._ask({"type": "openTab", "url": url, "focus": False}, is_it, ACT_SECONDS)
        number: int = told["tab"]["id"]
        return number

    async def focus(self, tab: int) -> Sequence[ToolSpec]:
        """Have the extension focus a tab, and return the tools that it found there."""
        self._known(tab)
        await self._ask(
            {"type": "focusTab", "tabId": tab},
            lambda m: m["type"] in ("tabFocused", "tabClosed", "tabCrashed") and m["tabId"] == tab,
            ACT_SECONDS,
        )
        self._known(tab)
        self._focused = tab
        return self.tools()

    async def close(self, tab: int) -> None:
        """Close a tab."""
        self._known(tab)
        await self._ask(
            {"type": "closeTab", "tabId": tab},
            lambda m: m["type"] == "tabClosed" and m["tabId"] == tab,
            ACT_SECONDS,
        )

    def tools(self) -> Sequence[ToolSpec]:
        """List the tools of the focused tab, as last told."""
        return self._tools.get(self._focused, []) if self._focused is not None else []

    def tool_count(self, tab: int) -> int:
        """Return how many tools a tab has, as far as the extension told."""
        if tab in self._tools:
            return len(self._tools[tab])
        count = self.infos[tab].get("toolCount", 0)
        return count if isinstance(count, int) else 0

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        """Have the extension run a tool of the focused tab."""
        if self._focused is None:
            raise NoSuchPage("No tab is focused.", hint="Call focus_tab.")
        ident = secrets.token_hex(8)
        told = await self._ask(
            {
                "type": "callTool",
                "callId": ident,
                "tabId": self._focused,
                "toolName": name,
                "args": dict(arguments),
            },
            lambda m: m["type"] == "toolResult" and m["callId"] == ident,
            CALL_SECONDS,
        )
        if error := told.get("error"):
            return Reply(quoted(str(error)), code="tool_failed")
        result = told.get("result")
        text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
        return Reply(quoted(text))

    def on_change(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with what changed and the tab's id; returns how to stop."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _hold(self, link: ExtensionLink) -> None:
        self._release()
        self._link, self._unlisten = link, link.on_message(self._heard)
        link.closed.add_done_callback(lambda _: self._lost(link))

    def _release(self) -> None:
        self._unlisten()
        self._unlisten, self._link = (lambda: None), None
        self.infos.clear()
        self._tools.clear()
        self._focused = None

    def _lost(self, link: ExtensionLink) -> None:
        """The extension has gone, or its browser is closing: fail what waits, and say so."""
        if link is not self._link:
            return
        self._release()
        for _, answer in self._waiting:
            if not answer.done():
                answer.set_exception(_gone())
        self._tell("gone", None)

    async def _ask(self, message: Message, match: Match, seconds: float) -> Message:
        if self._link is None:
            raise _gone()
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
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

    def _heard(self, message: Message) -> None:
        kind = message["type"]
        if kind == "error":
            self._refused(message)
            return
        if handle := self._HANDLERS.get(kind):
            handle(self, message)
        asked = False
        for match, answer in self._waiting:
            if not answer.done() and match(message):
                answer.set_result(message)
                asked = True
        if kind == "tabFocused" and not asked:
            self._tell("focus", message["tabId"])

    def _refused(self, message: Message) -> None:
        """The extension could not do it; it does not say what, so it is the oldest wish."""
        for _, answer in self._waiting:
            if not answer.done():
                answer.set_exception(PageTrouble(f"The extension says: {message['message']}"))
                return

    def _connected(self, message: Message) -> None:
        self.infos = {tab["id"]: tab for tab in message["tabs"]}
        self._tools.clear()

    def _created(self, message: Message) -> None:
        tab = message["tab"]
        is_new = tab["id"] not in self.infos
        self.infos[tab["id"]] = tab
        if is_new:
            self._tell("tabs", tab["id"])

    def _closed(self, message: Message) -> None:
        tab = message["tabId"]
        self._tools.pop(tab, None)
        if self._focused == tab:
            self._focused = None
        if self.infos.pop(tab, None) is not None:
            self._tell("tabs", tab)

    def _offered(self, message: Message) -> None:
        tab = message["tabId"]
        self._tools[tab] = [
            _spec(tool) for tool in message["tools"] if _NAME.fullmatch(tool["name"])
        ]
        if tab == self._focused:
            self._tell("tools", tab)

    def _disconnected(self, message: Message) -> None:
        if self._link is not None:
            self._lost(self._link)

    _HANDLERS: Mapping[str, Callable[[TabMessages, Message], None]] = {
        "connected": _connected,
        "tabCreated": _created,
        "tabUpdated": _created,
        "tabClosed": _closed,
        "tabCrashed": _closed,
        "tabFocused": _offered,
        "toolsChanged": _offered,
        "disconnected": _disconnected,
    }

    def _known(self, tab: int) -> None:
        if tab not in self.infos:
            raise NoSuchPage(f"There is no tab {tab}.", hint="Call list_tabs.", code="no_such_tab")

    def _tell(self, what: str, tab: int | None) -> None:
        for listener in list(self._listeners):
            listener(what, tab)


def _spec(tool: Message) -> ToolSpec:
    schema = {"type": "object", "properties": {}, **tool.get("inputSchema", {})}
    return ToolSpec(tool["name"], tool.get("description", ""), schema, explicit=True)


def _same(url: str, wanted: str) -> bool:
    """Whether a new tab can be the one that was wanted; it may not know its address yet."""
    return url in _BLANK or url.rstrip("/") == wanted.rstrip("/")


def _gone() -> BrowserGone:
    return BrowserGone("The extension has disconnected.", hint="Call connect_browser.")
