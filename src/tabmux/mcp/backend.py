"""Backend: what MCP needs of the rest of the server, as interfaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from tabmux.content import CallingClient, Reply, ToolSpec

Log = Callable[[str, Any], None]
Notice = Callable[[str, dict[str, Any]], None]


class McpSession(Protocol):
    """A session as connections see it: they attach to it, list and call its tools, and leave.

    Attributes:
        client: Who uses it, as the client introduced itself.
        label: What the client calls it, if anything.
    """

    @property
    def handle(self) -> str:
        """The unguessable id by which a stateless client finds it again."""

    @property
    def aliases(self) -> set[str]:
        """Further names of the session; an id of a connection may be added."""

    client: str
    label: str

    @property
    def instructions(self) -> str:
        """How its tools are meant to be used, for the client's model."""

    @property
    def resources(self) -> ResourceProvider | None:
        """What the session offers beside its tools, if anything."""

    @property
    def structured(self) -> bool:
        """Whether its client is to be answered with data beside the text."""

    def tools(self) -> Sequence[ToolSpec]:
        """List the tools, in a fixed order."""

    async def call(self, name: str, arguments: Mapping[str, Any], client: CallingClient) -> Reply:
        """Run one tool. Never raises but for cancellation: failures are replies with a code."""

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever the list of tools changes; returns how to stop."""

    def on_log(self, listener: Log) -> Callable[[], None]:
        """Call `listener` with an MCP level and a text or an object; returns how to stop."""

    def on_closed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when the session ends; returns how to stop."""

    def attach(self) -> None:
        """Count a connection: a session that has one does not expire."""

    def leave(self, *, hung_up: bool = False) -> None:
        """Count a connection out; `hung_up` says that it was all that the client had."""

    def touch(self) -> None:
        """Start the idle clock anew."""

    def idle_seconds(self) -> float:
        """Return how long nobody has used the session."""

    def describe(self) -> str:
        """Say in a few words what it is, for the client that has lost it."""

    async def close(self) -> None:
        """End the session and give up what it owns."""


class Backend(Protocol):
    """Opens sessions and finds them again."""

    @property
    def instructions(self) -> str:
        """How the tools of a client without a session are meant to be used."""

    def open(self, label: str = "") -> McpSession:
        """Start a session, with a name if the client gave one."""

    def labelled(self, label: str) -> McpSession | None:
        """Return the open session with this name."""

    def needs_session(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        """Whether a call means nothing where nothing has happened yet."""

    def find(self, handle: str) -> McpSession | None:
        """Return the open session with this handle."""

    def tools(self) -> Sequence[ToolSpec]:
        """List what every client without a session sees, in a fixed order."""

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when that list changes; returns how to stop."""


@runtime_checkable
class ConnectionKeeper(Protocol):
    """A backend whose sessions, and the connections to them, go on in the next server."""

    @property
    def keeps_connections(self) -> bool:
        """Whether it does so now."""

    @property
    def signing_key(self) -> bytes:
        """What signs the state that stateless clients carry from round to round."""

    def new_id(self) -> str:
        """Return an unguessable id, of a connection or a task."""

    async def written(self) -> None:
        """Wait until all that was written down is there for the next server."""

    def connection(self, ident: str) -> bytes | None:
        """Return what was written down of a connection."""

    def keep_connection(self, ident: str, row: bytes) -> None:
        """Write a connection down."""

    def drop_connection(self, ident: str) -> None:
        """Forget a connection."""

    def answered(self, key: str) -> None:
        """Note that a client has the answer of a request."""

    def unanswered(self, prefix: str) -> list[str]:
        """Return the keys of actions, with this beginning, that the server before had begun."""


def keeper_of(backend: Backend) -> ConnectionKeeper | None:
    """Return the backend as a keeper of connections, if it is one."""
    if isinstance(backend, ConnectionKeeper) and backend.keeps_connections:
        return backend
    return None


@runtime_checkable
class ResourceProvider(Protocol):
    """A session that also answers for resources, prompts or completions, in MCP's own words.

    A backend may be one, too, for clients without a session.
    """

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """What is offered: `resources`, `prompts`, `completions`."""

    async def answer(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Answer one request about what is offered; its parameters have been checked."""

    def on_notice(self, listener: Notice) -> Callable[[], None]:
        """Call `listener` with a notification when something offered changes."""

    def watch(self, uri: str) -> Callable[[], None]:
        """Look for changes of a resource from now on; returns how to stop."""
