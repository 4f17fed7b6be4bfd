"""Session extensions: commands to the extension of a session, and notifications from it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from tabmux.bridge.command_tools import COMMAND_TOOLS, SCRIPT, reply_of
from tabmux.bridge.messages import ExtensionNotification, Message, tab_of
from tabmux.concurrency import Listeners
from tabmux.content import Reply, ToolSpec
from tabmux.daemon.bridge.local_bridge import DAEMON_VARIABLE, LocalBridge
from tabmux.daemon.http.token_file import read_or_make, token_file
from tabmux.policy.policy import Policy
from tabmux.sessions.session import Log, Session

LONGEST_LINE = 4_000


class CommandRunner(Protocol):
    """Runs commands in a session's extension, through a bridge here or in another process."""

    async def run(
        self, session: str, kind: str, payload: Message, *, tab: int | None = None
    ) -> Message:
        """Have it carried out, and return the response."""


# The way to the session's extension and the id by which it is known there; None without one.
ExtensionRoute = Callable[[], tuple[CommandRunner, str] | None]


class SessionExtension:
    """The extension of one session: commands to it, and notifications from it.

    Args:
        route: Finds the extension.
        policy: What agents may do.
        log: Tells the session's clients of notifications.
    """

    def __init__(self, route: ExtensionRoute, policy: Policy, log: Log) -> None:
        self.tab: int | None = None
        self._route, self._policy, self._log = route, policy, log
        self._had_extension = self.is_open
        self._changed = Listeners[[]]()

    @property
    def is_open(self) -> bool:
        """Whether the session has an extension."""
        return self._route() is not None

    def specs(self) -> Sequence[ToolSpec]:
        """List the tools that the extension carries out; none without an extension."""
        return [each.spec for each in COMMAND_TOOLS.values() if self.knows(each.spec.name)]

    def knows(self, tool: str) -> bool:
        """Whether a tool is one of these, is allowed, and the session has an extension."""
        if tool not in COMMAND_TOOLS or not self.is_open:
            return False
        command = COMMAND_TOOLS[tool]
        if self._policy.read_only and not command.spec.reads:
            return False
        return self._policy.scripts or command.command != SCRIPT

    def counted_name(self, name: str) -> str:
        """Return the name by which calls of a tool are counted."""
        return name

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        """Carry out a tool."""
        kind, payload = COMMAND_TOOLS[name].payload(arguments)
        if "url" in payload:
            self._policy.urls.check(payload["url"])
        return reply_of(await self._run(kind, payload))

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

    async def _run(self, kind: str, payload: Message) -> Message:
        """Send a command to the current tab; the tab of the response is the current one then."""
        route = self._route()
        assert route is not None
        runner, session = route
        response = await runner.run(session, kind, payload, tab=self.tab)
        self._set_tab(tab_of(response.get("data")))
        return response

    def receive(self, message: Message, tab: int | None) -> None:
        """Take in a notification, and tell the session's clients."""
        self._set_tab(tab)
        self._log("info", _log_line(message))

    def _set_tab(self, tab: int | None) -> None:
        if tab is not None:
            self.tab = tab


class SessionExtensions:
    """The extension of every session.

    Args:
        find_session: Finds a session by any of its names.
        policy: What agents may do.
        remote: The bridge of another process, if that is the one to use.
    """

    def __init__(
        self,
        find_session: Callable[[str], Session | None],
        policy: Policy,
        remote: CommandRunner | None = None,
    ) -> None:
        self.bridge: LocalBridge | None = None
        self._find_session, self._policy, self._remote = find_session, policy, remote
        self._extensions: dict[str, SessionExtension] = {}

    def open(self, session: Session) -> SessionExtension:
        """Return the extension of a new session."""
        extension = SessionExtension(partial(self._route, session), self._policy, session.log)
        self._extensions[session.handle] = extension
        session.on_closed(partial(self._forget, session.handle))
        return extension

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

    def _forget(self, handle: str) -> None:
        self._extensions.pop(handle, None)

    def _route(self, session: Session) -> tuple[CommandRunner, str] | None:
        names = (*session.aliases, session.handle, session.label, session.name)
        if self._remote is not None:
            return self._remote, names[0]
        bridge = self.bridge.current if self.bridge is not None else None
        if bridge is None:
            return None
        known = next((name for name in names if name and bridge.session_sockets.has(name)), None)
        return (bridge.session_sockets, known) if known is not None else None


def remote_bridge(environment: Mapping[str, str] = os.environ) -> CommandRunner | None:
    """Return the bridge of another process, where the environment names one."""
    address = environment.get(DAEMON_VARIABLE, "")
    if not address:
        return None
    from tabmux.bridge.remote_bridge import RemoteCommands, local_address

    return RemoteCommands(local_address(address, DAEMON_VARIABLE), read_or_make(token_file()))


def _log_line(message: Message) -> str:
    text = json.dumps(message, ensure_ascii=False)
    return text if len(text) <= LONGEST_LINE else text[:LONGEST_LINE] + "…"
