"""A session's dealings with an extension of its own: commands to it, and what it says unasked."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from tabmux.bridge.command_tools import COMMAND_TOOLS, SCRIPT, reply_of
from tabmux.bridge.messages import Message, tab_of
from tabmux.content import Reply, ToolSpec
from tabmux.errors import TabmuxError
from tabmux.mcp.backend import Log
from tabmux.policy import Policy
from tabmux.tools.pipeline.delivery import delivered

MOST_QUEUED = 100
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
    """

    def __init__(self, route: ExtensionRoute, policy: Policy) -> None:
        self.tab: int | None = None
        self._route, self._policy = route, policy
        self._queue: deque[Message] = deque(maxlen=MOST_QUEUED)
        self._listeners: list[Log] = []

    @property
    def queued(self) -> int:
        """How many messages wait until somebody listens."""
        return len(self._queue)

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

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        """Carry out a tool; never raises but for cancellation."""
        try:
            kind, payload = COMMAND_TOOLS[tool].payload(arguments)
            if "url" in payload:
                self._policy.urls.check(payload["url"])
            reply = reply_of(await self.run(kind, payload))
        except TabmuxError as error:
            text = f"Error [{error.code}]: {error.message} {error.hint}".rstrip()
            reply = Reply(text, code=error.code)
        return await delivered(reply, self._policy)

    async def run(self, kind: str, payload: Message) -> Message:
        """Send a command to the current tab; the tab of the response is the current one then."""
        route = self._route()
        assert route is not None
        carrier, session = route
        response = await carrier.run(session, kind, payload, tab=self.tab)
        self._keep_tab(tab_of(response.get("data")))
        return response

    def receive(self, message: Message, tab: int | None) -> None:
        """Take in what the extension said unasked, and tell whoever listens."""
        self._keep_tab(tab)
        self._queue.append(message)
        self._drain()

    def on_log(self, listener: Log) -> Callable[[], None]:
        """Call `listener` with what the extension says, also what it said before."""
        self._listeners.append(listener)
        self._drain()
        return lambda: self._listeners.remove(listener)

    def _keep_tab(self, tab: int | None) -> None:
        if tab is not None:
            self.tab = tab

    def _drain(self) -> None:
        while self._queue and self._listeners:
            line = _line(self._queue.popleft())
            for listener in list(self._listeners):
                listener("info", line)


def _line(message: Message) -> str:
    text = json.dumps(message, ensure_ascii=False)
    return text if len(text) <= LONGEST_LINE else text[:LONGEST_LINE] + "…"
