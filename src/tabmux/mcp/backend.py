"""Backend: what MCP needs of the rest of the server, as interfaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from tabmux.content import CallingClient, Reply, ToolSpec

Log = Callable[[str, str], None]
Notice = Callable[[str, dict[str, Any]], None]


class McpSession(Protocol):
    """A session as connections see it: they attach to it, list and call its tools, and leave."""

    @property
    def handle(self) -> str:
        """The unguessable id by which a stateless client finds it again."""

    @property
    def aliases(self) -> set[str]:
        """Further names of the session; an id of a connection may be added."""

    def tools(self) -> Sequence[ToolSpec]:
        """List the tools, in a fixed order."""

    async def call(self, name: str, arguments: Mapping[str, Any], client: CallingClient) -> Reply:
        """Run one tool. Never raises but for cancellation: failures are replies with a code."""

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever the list of tools changes; returns how to stop."""

    def on_log(self, listener: Log) -> Callable[[], None]:
        """Call `listener` with an MCP level and a line of text; returns how to stop."""

    def on_closed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when the session ends; returns how to stop."""

    def attach(self) -> None:
        """Count a connection: a session that has one does not expire."""

    def leave(self) -> None:
        """Count a connection out."""

    def touch(self) -> None:
        """Start the idle clock anew."""

    async def close(self) -> None:
        """End the session and give up what it owns."""


class Backend(Protocol):
    """Opens sessions and finds them again."""

    def open(self) -> McpSession:
        """Start a session."""

    def find(self, handle: str) -> McpSession | None:
        """Return the open session with this handle."""

    def tools(self) -> Sequence[ToolSpec]:
        """List what every client without a session sees, in a fixed order."""

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when that list changes; returns how to stop."""


@runtime_checkable
class ResourceProvider(Protocol):
    """A backend that also answers for resources, prompts or completions, in MCP's own words."""

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """What is offered: `resources`, `prompts`, `completions`."""

    async def answer(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Answer one request about what is offered; its parameters have been checked."""

    def on_notice(self, listener: Notice) -> Callable[[], None]:
        """Call `listener` with a notification when something offered changes."""
