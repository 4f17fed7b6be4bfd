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


class SessionExtensions:
    """One courier for each session that was ever asked for one.

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
        self._couriers: dict[str, SessionExtension] = {}

    def open(self, session: Session) -> SessionExtension:
        """Return the courier of a session."""
        courier = SessionExtension(partial(self._route, session), self._policy, session.log)
        self._couriers[session.handle] = courier
        session.on_closed(partial(self._forget, session.handle))
        return courier

    def _forget(self, handle: str) -> None:
        self._couriers.pop(handle, None)

    def look_again(self) -> None:
        """See which sessions have an extension now, after one came or went."""
        for each in list(self._couriers.values()):
            each.look_again()

    async def forward(self, event: ExtensionNotification) -> None:
        """Take what an extension of this process said unasked to its session."""
        if courier := self.find(event.session):
            courier.receive(event.body, event.tab)

    def find(self, ident: str) -> SessionExtension | None:
        """Return a courier by any name of its session."""
        session = self._find_session(ident)
        return self._couriers.get(session.handle) if session is not None else None

    def _route(self, session: Session) -> tuple[CommandRunner, str] | None:
        names = (*session.aliases, session.handle, session.label, session.name)
        if self._remote is not None:
            return self._remote, names[0]
        bridge = self.bridge.current if self.bridge is not None else None
        if bridge is None:
            return None
        known = next((name for name in names if name and bridge.commands.has(name)), None)
        return (bridge.commands, known) if known is not None else None


def remote_bridge(environment: Mapping[str, str] = os.environ) -> CommandRunner | None:
    """Return the bridge of another process, where the environment names one."""
    address = environment.get(DAEMON_VARIABLE, "")
    if not address:
        return None
    from tabmux.bridge.remote_bridge import RemoteCommands, local_address

    return RemoteCommands(local_address(address, DAEMON_VARIABLE), read_or_make(token_file()))
