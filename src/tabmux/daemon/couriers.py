"""The couriers of all sessions, and how a session is known to extensions."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial

from tabmux.bridge.events import ExtensionNotification
from tabmux.daemon.bridge.local_bridge import DAEMON_VARIABLE, LocalBridge
from tabmux.daemon.bridge.session_extensions import CommandRunner, SessionExtension
from tabmux.daemon.http.token_file import read_or_make, token_file
from tabmux.policy import Policy
from tabmux.sessions.session import Session
from tabmux.sessions.session_table import Sessions

Translate = Callable[[str], str | None]


class SessionExtensions:
    """One courier for each session that was ever asked for one.

    Args:
        sessions: The sessions there are.
        policy: What agents may do.
        remote: The bridge of another process, if that is the one to use.
    """

    def __init__(
        self, sessions: Sessions, policy: Policy, remote: CommandRunner | None = None
    ) -> None:
        self.bridge: LocalBridge | None = None
        self._sessions, self._policy, self._remote = sessions, policy, remote
        self._couriers: dict[str, SessionExtension] = {}
        # Between the id of an MCP session and the handle of ours; known only over HTTP.
        self._handle_of: Translate = lambda ident: None
        self._ident_of: Translate = lambda handle: None

    def translate(self, handle_of: Translate, ident_of: Translate) -> None:
        """Learn how sessions are called on the wire."""
        self._handle_of, self._ident_of = handle_of, ident_of

    def open(self, session: Session) -> SessionExtension:
        """Return the courier of a session."""
        courier = SessionExtension(partial(self._route, session), self._policy)
        self._couriers[session.handle] = courier
        return courier

    def close(self, session: Session) -> None:
        """Forget a session."""
        self._couriers.pop(session.handle, None)

    async def forward(self, event: ExtensionNotification) -> None:
        """Take what an extension of this process said unasked to its session."""
        if courier := self.find(event.session):
            courier.receive(event.body, event.tab)

    def find(self, ident: str) -> SessionExtension | None:
        """Return a courier by any name of its session."""
        session = self._sessions.named(self._handle_of(ident) or ident)
        return self._couriers.get(session.handle) if session is not None else None

    def _route(self, session: Session) -> tuple[CommandRunner, str] | None:
        ident = self._ident_of(session.handle)
        if self._remote is not None:
            return self._remote, ident or session.handle
        bridge = self.bridge.current if self.bridge is not None else None
        if bridge is None:
            return None
        names = (ident, session.handle, session.label, session.name)
        known = next((name for name in names if name and bridge.commands.has(name)), None)
        return (bridge.commands, known) if known is not None else None


def remote_bridge(environment: Mapping[str, str] = os.environ) -> CommandRunner | None:
    """Return the bridge of another process, where the environment names one."""
    address = environment.get(DAEMON_VARIABLE, "")
    if not address:
        return None
    from tabmux.bridge.remote_bridge import RemoteCommands, local_address

    return RemoteCommands(local_address(address, DAEMON_VARIABLE), read_or_make(token_file()))
