"""A session's dealings with an extension of its own: commands to it, and what it says unasked."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from tabmux.bridge.command_tools import COMMAND_TOOLS, SCRIPT, reply_of
from tabmux.bridge.messages import Message, tab_of
from tabmux.concurrency import Listeners
from tabmux.content import Reply, ToolSpec
from tabmux.policy import Policy
from tabmux.sessions.session import Log

LONGEST_LINE = 4_000


class CommandRunner(Protocol):
    """What takes a command to a session's extension, in this process or in another."""

    async def run(
        self, session: str, kind: str, payload: Message, *, tab: int | None = None
    ) -> Message:
        """Have it carried out, and return the response."""


# The way to the session's extension and the id by which it is known there; None without one.
ExtensionRoute = Callable[[], tuple[CommandRunner, str] | None]


class SessionExtension:
    """What one session knows of its extension.

    Args:
        route: Finds the extension.
        policy: What agents may do.
        log: Tells the session's clients what the extension says unasked.
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
        errand = COMMAND_TOOLS[tool]
        if self._policy.read_only and not errand.spec.reads:
            return False
        return self._policy.scripts or errand.command != SCRIPT

    def counted_name(self, name: str) -> str:
        """Return the name by which calls of a tool are counted."""
        return name

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        """Carry out a tool."""
        kind, payload = COMMAND_TOOLS[name].payload(arguments)
        if "url" in payload:
            self._policy.urls.check(payload["url"])
        return reply_of(await self.run(kind, payload))

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

    async def run(self, kind: str, payload: Message) -> Message:
        """Send a command to the current tab; the tab of the response is the current one then."""
        route = self._route()
        assert route is not None
        carrier, session = route
        response = await carrier.run(session, kind, payload, tab=self.tab)
        self._keep_tab(tab_of(response.get("data")))
        return response

    def receive(self, message: Message, tab: int | None) -> None:
        """Take in what the extension said unasked, and tell the session's clients."""
        self._keep_tab(tab)
        self._log("info", _line(message))

    def _keep_tab(self, tab: int | None) -> None:
        if tab is not None:
            self.tab = tab


def _line(message: Message) -> str:
    text = json.dumps(message, ensure_ascii=False)
    return text if len(text) <= LONGEST_LINE else text[:LONGEST_LINE] + "…"
