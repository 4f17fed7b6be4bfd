"""How a connection of the daemon comes to a session, and leaves it without ending it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tabmux.content import Reply, ToolSpec
from tabmux.daemon.app import App, Seat
from tabmux.mcp.backend import Progress


class Lobby:
    """Gives one connection the session that it asked for, or a new one."""

    def __init__(self, desk: App, wanted: Seat | None = None, toolset: str = "") -> None:
        self._desk, self._wanted, self._toolset = desk, wanted, toolset

    def open(self) -> Visit:
        """Enter the session."""
        return Visit(self._wanted or self._desk.open(toolset=self._toolset))

    def find(self, handle: str) -> Seat | None:
        """Look up another session by its handle; whoever looks does not stay."""
        return self._desk.find(handle)


class Visit:
    """A connection's stay in a session: when it ends, the session waits to be taken up again."""

    def __init__(self, seat: Seat) -> None:
        self._seat, self._present = seat, True
        seat.session.visits += 1

    @property
    def handle(self) -> str:
        """The unguessable name of the session."""
        return self._seat.handle

    def tools(self, *, stateless: bool = False) -> Sequence[ToolSpec]:
        """List the tools."""
        return self._seat.tools(stateless=stateless)

    async def call(self, name: str, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        """Run one tool."""
        return await self._seat.call(name, arguments, progress)

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever the list of tools changes."""
        return self._seat.on_tools_changed(listener)

    async def close(self) -> None:
        """Leave; the session's idle clock starts when the last visitor has left."""
        if self._present:
            self._present = False
            self._seat.session.visits -= 1
            self._seat.session.touch()
