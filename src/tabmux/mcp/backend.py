"""What the wire needs of the rest: sessions that list and call tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from tabmux.content import Reply, ToolSpec

Progress = Callable[[float, float | None, str], Awaitable[None]]
Log = Callable[[str, str], None]
Notice = Callable[[str, dict[str, Any]], None]


class Workspace(Protocol):
    """One agent's session, as a connection sees it."""

    @property
    def handle(self) -> str:
        """The unguessable name by which a stateless client finds it again."""

    def tools(self, *, stateless: bool = False) -> Sequence[ToolSpec]:
        """List the tools, in a fixed order; stateless clients see a `session` argument."""

    async def call(self, name: str, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        """Run one tool. Never raises but for cancellation: failures are replies with a code."""

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever the list of tools changes; returns how to stop."""

    async def close(self) -> None:
        """End the session and give up what it owns."""


@runtime_checkable
class LogSource(Protocol):
    """A workspace that also has things to tell its client while no one asks."""

    def on_log(self, listener: Log) -> Callable[[], None]:
        """Call `listener` with an MCP level and a line of text; returns how to stop."""


@runtime_checkable
class Repertoire(Protocol):
    """Workspaces that answer more of MCP than tools; what it says is in MCP's own words."""

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """What is offered: `resources`, `prompts`, `completions`."""

    async def answer(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Answer one request about what is offered; its parameters have been checked."""

    def on_notice(self, listener: Notice) -> Callable[[], None]:
        """Call `listener` with a notification when something offered changes."""


class Workspaces(Protocol):
    """Opens sessions and finds them again."""

    def open(self) -> Workspace:
        """Start a session."""

    def find(self, handle: str) -> Workspace | None:
        """Return the open session with this handle."""


class Showroom(Workspaces, Protocol):
    """Workspaces that show their tools to clients who have no session yet."""

    def tools(self) -> Sequence[ToolSpec]:
        """List what every stateless client sees, in a fixed order."""

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when that list changes; returns how to stop."""
