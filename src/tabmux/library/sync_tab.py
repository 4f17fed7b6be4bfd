"""Synchronous tab: for programs without an event loop.

Written by scripts/library.py; do not edit.
"""

# fmt: off
from __future__ import annotations

import threading
from collections.abc import Iterator, Callable, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

from tabmux.errors import UnknownTool
from tabmux.library import wire
from tabmux.library.sync_connection import SyncConnection, SyncSocketConnection
from tabmux.library.sync_methods import SyncToolMethods
from tabmux.library.result_data import ToolResult
from tabmux.library.server_url import ServerUrl
from tabmux.library.session_options import JoinedSession, SessionOptions, named
from tabmux.library.tool_call import R, ToolMethod, read_reply

SyncLink = tuple[SyncConnection, JoinedSession]
SyncRejoin = Callable[[JoinedSession], SyncLink]


class SyncTab(SyncToolMethods):
    """A session: its tabs, of which one is selected, and all that can be done with them.

    Args:
        connection: The link to the daemon.
        joined: The session.
        rejoin: Joins the session anew in the daemon that takes over from one that has ended.
    """

    def __init__(
        self, connection: SyncConnection, joined: JoinedSession, rejoin: SyncRejoin | None
    ) -> None:
        self._connection, self._joined, self._rejoin = connection, joined, rejoin
        self._joining, self._enabling = threading.Lock(), threading.Lock()
        self._enabled: set[str] = set()
        self._has_left = False
        self.tools = SyncPageTools(self)

    @property
    def name(self) -> str:
        """The name of the session; empty if it has none."""
        return self._joined.name

    @property
    def handle(self) -> str:
        """The unguessable id of the session."""
        return self._joined.handle

    @property
    def notes(self) -> Sequence[str]:
        """What the daemon remarked when the session was joined."""
        return self._joined.notes

    @property
    def cdp_url(self) -> str:
        """The address for Playwright or Puppeteer, which shows this session's tabs alone."""
        # Asked each time: the daemon that knows the session may be another one than before.
        return self._joined.cdp_url()

    def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        """Call any tool by its name, with arguments spelled as in docs/tools.md."""
        return self._ask(tool, arguments, ToolResult)

    def _call(self, method: ToolMethod[R], given: Mapping[str, Any]) -> R:
        arguments = method.arguments(given, here=not self._joined.remote)
        was_enabled = method.group in self._enabled
        try:
            return self._ask(method.name, arguments, method.result)
        except UnknownTool:
            if was_enabled and method.group in self._enabled:
                raise
        self._enable(method.group)
        return self._ask(method.name, arguments, method.result)

    def _enable(self, group: str) -> None:
        """Switch on a group of tools, when one of them is first needed."""
        with self._enabling:
            if group not in self._enabled:
                self.call("enable_tools", groups=[group])
                self._enabled.add(group)

    def _ask(self, tool: str, arguments: Mapping[str, Any], kind: type[R]) -> R:
        if self._has_left:
            raise wire.left()
        params = {"name": tool, "arguments": arguments}
        try:
            answer = self._connection.request("tools/call", params)
        except wire.CallNotSent:
            # Nothing arrived, so the daemon that has taken over can be asked.
            connection = self._connected()
            answer = connection.request("tools/call", params)
        return read_reply(kind, answer)

    def _connected(self) -> SyncConnection:
        """Return a link to the daemon that has taken over, if the last one has ended."""
        with self._joining:
            if self._connection.has_ended and self._rejoin is not None:
                self._connection.close()
                self._connection, self._joined = self._rejoin(self._joined)
                self._enabled.clear()
            return self._connection

    def leave(self) -> None:
        """End the session's block: no call is possible afterwards."""
        self._has_left = True
        self._rejoin = None
        self._connection.close()


class SyncPageTools:
    """The tools that the page itself offers, as methods: `tab.tools.search_products(query=…)`."""

    def __init__(self, tab: SyncTab) -> None:
        self._tab = tab

    def __getattr__(self, name: str) -> Callable[..., ToolResult]:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str) -> Callable[..., ToolResult]:
        def call(**arguments: Any) -> ToolResult:
            return self._tab.call_page_tool(name, arguments=arguments)

        return call


@contextmanager
def session(
    name: str | None = None,
    *,
    url: str | None = None,
    browser: str | None = None,
    grid: str | None = None,
    headless: bool = False,
    profile: str | None = None,
    flags: Sequence[str] = (),
) -> Iterator[SyncTab]:
    """Join a session, or open one; the daemon is started if none runs.

    Args:
        name: A session that others know, too, and that goes on after the block. Without a name
            the session is a new one that ends with the block; TABMUX_SESSION is a name.
        url: The address of a server on HTTP, such as http://127.0.0.1:3000/mcp?token=…, instead
            of this user's daemon.
        browser: The debugging address of a browser that runs, such as http://127.0.0.1:9222.
        grid: The address of a grid that browsers come from.
        headless: Start the browser without a window.
        profile: Start it on this named profile.
        flags: Further flags of `tabmux`, such as ("--viewport", "1280x720").
    """
    options = SessionOptions(named(name), url, browser, grid, headless, profile, flags)
    with _opened(options) as tab:
        yield tab


@contextmanager
def sessions(
    count: int,
    *,
    url: str | None = None,
    browser: str | None = None,
    grid: str | None = None,
    headless: bool = False,
    profile: str | None = None,
    flags: Sequence[str] = (),
) -> Iterator[list[SyncTab]]:
    """Open several sessions without names, which end with the block; see `session`."""
    options = SessionOptions("", url, browser, grid, headless, profile, flags)
    with ExitStack() as stack:
        yield [stack.enter_context(_opened(options)) for _ in range(count)]


@contextmanager
def _opened(options: SessionOptions) -> Iterator[SyncTab]:
    server = options.server
    join = partial(_joined, options) if server is None else partial(_reached, server)
    tab = SyncTab(*join(), join)
    try:
        yield tab
    finally:
        tab.leave()


def _joined(options: SessionOptions, before: JoinedSession | None = None) -> SyncLink:
    # Starting a daemon may take seconds.
    link, joined = options.join(before)
    return SyncSocketConnection.over(link, options.folders), joined


def _reached(server: ServerUrl, before: JoinedSession | None = None) -> SyncLink:
    from tabmux.library.sync_websocket import SyncWebSocketConnection

    if before is not None and not server.session:
        raise wire.session_over()
    link = SyncWebSocketConnection.to(server)
    return link, JoinedSession(server.session, remote=True)
