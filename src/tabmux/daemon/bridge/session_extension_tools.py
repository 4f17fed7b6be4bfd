"""Session extension tools: commands to the extension of a session, and notifications from it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from tabmux.bridge.messages import (
    GONE,
    RESPONSE,
    ExtensionNotification,
    Message,
    is_without_tab,
    tab_of,
)
from tabmux.concurrency import Listeners
from tabmux.content import Reply, ToolSpec
from tabmux.daemon.bridge.command_secrets import unseen_secrets
from tabmux.daemon.bridge.command_tools import COMMAND_TOOLS, reply_of
from tabmux.daemon.bridge.local_bridge import DAEMON_VARIABLE, LocalBridge
from tabmux.daemon.bridge.session_tabs import SessionTabs
from tabmux.daemon.http.token_file import read_or_make, token_file
from tabmux.errors import Refused
from tabmux.page.handle import PageHandle
from tabmux.policy.policy import Policy
from tabmux.sessions.session import Log, Session
from tabmux.tools.pipeline import secret_use

LONGEST_PAYLOAD = 4_000


class CommandRunner(Protocol):
    """Runs commands in a session's extension, through a bridge here or in another process."""

    async def run(
        self, session: str, kind: str, payload: Message, *, tab: int | None = None, name: str = ""
    ) -> Message:
        """Have it carried out, and return the response."""


@dataclass(frozen=True)
class ExtensionRoute:
    """The way to a session's extension.

    Attributes:
        runner: Carries out commands.
        session: The session's id there.
        name: What users call the session.
        is_ready: Whether there is an extension that can serve it, as far as is known.
    """

    runner: CommandRunner
    session: str
    name: str = ""
    is_ready: bool = True


class RemoteBridge(CommandRunner, Protocol):
    """A bridge in another process."""

    def served(self, names: Iterable[str]) -> str | None:
        """Return by which of its names a session can be served; None by none."""

    async def watch(self, changed: Callable[[], None]) -> None:
        """Learn which sessions can be served, for ever."""


class CurrentTab(Protocol):
    """The tabs of a session, as far as this server knows them."""

    def select(self, tab: int) -> None:
        """Make a tab the one that the session's other tools mean, too."""

    def pages(self, tab: int | None) -> Sequence[PageHandle]:
        """Return the page of a tab; every page of an extension's where no tab is named."""

    async def place_of(self, ref: str) -> Message:
        """Return what names an element for the extension, by a uid of the session's."""


class SessionExtension:
    """The extension of one session: commands to it, and notifications from it.

    Args:
        route: Finds the extension.
        policy: Tells what the agent may do.
        log: Tells the session's clients of notifications.
        tabs: The session's tabs.
    """

    def __init__(
        self,
        route: Callable[[], ExtensionRoute | None],
        policy: Callable[[], Policy],
        log: Log,
        tabs: CurrentTab | None = None,
    ) -> None:
        self.tab: int | None = None
        self._route, self._policy, self._log, self._tabs = route, policy, log, tabs
        self._had_extension = self.is_open
        self._changed = Listeners[[]]()

    @property
    def is_open(self) -> bool:
        """Whether the session has an extension, or one that would serve it."""
        route = self._route()
        return route is not None and route.is_ready

    def specs(self) -> Sequence[ToolSpec]:
        """List the tools that the extension carries out; none without an extension."""
        if not self.is_open:
            return []
        return [each.spec for each in COMMAND_TOOLS.values() if self.knows(each.spec.name)]

    def knows(self, tool: str) -> bool:
        """Whether a tool is one of these, is allowed, and there may be an extension for it."""
        return self._offers(tool) and self.refusal_of(tool) is None

    def refusal_of(self, tool: str) -> Refused | None:
        """Say why a tool of these may not be called, if so."""
        return COMMAND_TOOLS[tool].refusal(self._policy()) if self._offers(tool) else None

    def counted_name(self, name: str) -> str:
        """Return the name by which calls of a tool are counted."""
        return name

    def check(self, name: str, arguments: Mapping[str, Any]) -> None:
        """Raise what is wrong with the arguments of a tool."""
        self._checked(name, arguments)

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        """Carry out a tool."""
        kind, payload = self._checked(name, arguments)
        if "ref" in payload and self._tabs is not None:
            payload = {**payload, **await self._tabs.place_of(payload["ref"])}
        # Another call may make another tab the current one, while this one waits.
        tab = self.tab
        pages = self._tabs.pages(tab) if self._tabs is not None else ()
        async with unseen_secrets(kind, pages):
            reply = reply_of(await self._run(kind, payload, tab))
        if reply.code == GONE:
            reply.add("Call browser_tabs to see which tabs there are; the next call may open one.")
        return reply

    def on_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when the session gets an extension or loses it; returns how to stop."""
        return self._changed.add(listener)

    def look_again(self) -> None:
        """See whether the session has an extension now that it did not have, or no longer."""
        had, self._had_extension = self._had_extension, self.is_open
        if had != self._had_extension:
            self._changed()

    def close(self) -> None:
        """Nothing is held."""

    def _offers(self, tool: str) -> bool:
        return tool in COMMAND_TOOLS and self._route() is not None

    def _checked(self, name: str, arguments: Mapping[str, Any]) -> tuple[str, Message]:
        """Return the command of a tool and what it carries."""
        secret_use.refuse_references(name, arguments)
        kind, payload = COMMAND_TOOLS[name].payload(arguments)
        if "url" in payload:
            self._policy().urls.check(payload["url"])
        return kind, payload

    async def _run(self, kind: str, payload: Message, tab: int | None) -> Message:
        """Send a command to a tab; the tab of the response is the current one then."""
        route = self._route()
        assert route is not None
        response = await route.runner.run(route.session, kind, payload, tab=tab, name=route.name)
        if is_without_tab(response, self.tab):
            self.tab = None
        self._set_tab(tab_of(response.get("data")))
        return response

    def receive(self, message: Message, tab: int | None) -> None:
        """Take in a notification, and tell the clients; of a response only the tab counts."""
        self._set_tab(tab)
        if message.get("type") != RESPONSE:
            self._log("info", {**_shortened(message), "tabId": self.tab})

    def _set_tab(self, tab: int | None) -> None:
        if tab is not None:
            self.tab = tab
            if self._tabs is not None:
                self._tabs.select(tab)


class SessionExtensions:
    """The extension of every session.

    Args:
        find_session: Finds a session by any of its names.
        remote: The bridge of another process, if that is the one to use.
    """

    def __init__(
        self,
        find_session: Callable[[str], Session | None],
        remote: RemoteBridge | None = None,
    ) -> None:
        self.bridge: LocalBridge | None = None
        self._find_session, self._remote = find_session, remote
        self._extensions: dict[str, SessionExtension] = {}

    def open(self, session: Session) -> SessionExtension:
        """Return the extension of a new session."""
        extension = SessionExtension(
            partial(self._route, session), lambda: session.policy, session.log, SessionTabs(session)
        )
        self._extensions[session.handle] = extension
        session.on_closed(partial(self._forget, session.handle))
        return extension

    async def watch_remote(self) -> None:
        """Learn which sessions a bridge in another process can serve, if that is the one to use."""
        if self._remote is not None:
            await self._remote.watch(self.look_again)

    def look_again(self) -> None:
        """See which sessions have an extension now, after one came or went."""
        for each in list(self._extensions.values()):
            each.look_again()

    async def forward(self, notification: ExtensionNotification) -> None:
        """Take a notification from an extension of this process to its session."""
        if extension := self.find(notification.session):
            extension.receive(notification.body, notification.tab)

    def find(self, name: str) -> SessionExtension | None:
        """Return the extension of a session, by any name of the session."""
        session = self._find_session(name)
        return self._extensions.get(session.handle) if session is not None else None

    def name_of(self, ident: str) -> str | None:
        """Return what users call a session, by any of its names."""
        session = self._find_session(ident)
        return session.visible_name if session is not None else None

    def claim(self, page: PageHandle, name: str) -> None:
        """Give a page to the session that the extension has opened it for."""
        session = self._find_session(name)
        if session is not None and session.visible_name == name and session.may_attach(page):
            session.adopt(page, created=True)

    def _forget(self, handle: str) -> None:
        self._extensions.pop(handle, None)

    def _route(self, session: Session) -> ExtensionRoute | None:
        names = (*session.aliases, session.handle, session.label, session.name)
        if self._remote is not None:
            served = self._remote.served(names)
            return ExtensionRoute(
                self._remote, served or names[0], session.visible_name, served is not None
            )
        bridge = self.bridge.current if self.bridge is not None else None
        if bridge is None:
            return None
        sockets = bridge.session_sockets
        known = next((name for name in names if name and sockets.has(name)), None)
        if known is None and bridge.serves_any_session:
            # Ours opens a socket when it is asked to; it need not know the secret names.
            known = session.name
        return ExtensionRoute(sockets, known, session.visible_name) if known is not None else None


def remote_bridge(environment: Mapping[str, str] = os.environ) -> RemoteBridge | None:
    """Return the bridge of another process, where the environment names one."""
    address = environment.get(DAEMON_VARIABLE, "")
    if not address:
        return None
    from tabmux.bridge.remote_bridge import RemoteCommands, local_address

    return RemoteCommands(local_address(address, DAEMON_VARIABLE), read_or_make(token_file()))


def _shortened(message: Message) -> Message:
    """Return a message whose payload is not too long to be told."""
    text = json.dumps(message.get("payload"), ensure_ascii=False)
    if len(text) <= LONGEST_PAYLOAD:
        return message
    return {**message, "payload": f"{text[:LONGEST_PAYLOAD]}…"}
