"""The sessions of stateless clients over HTTP, who come with a handle or without."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tabmux.content import ToolSpec
from tabmux.errors import Busy
from tabmux.mcp.backend import Showroom, Workspace
from tabmux.mcp.http.connection_table import ConnectionTable
from tabmux.mcp.lodging import Stay


class Guest:
    """A session that we opened for a stateless client."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.calls = 0

    @property
    def is_busy(self) -> bool:
        """Whether a call is going on in it."""
        return self.calls > 0

    def enter(self, *, is_new: bool) -> Stay:
        """Start a call in it."""
        self.calls += 1
        return Stay(self.workspace, is_new, self._leave)

    async def close(self) -> None:
        """End the session."""
        await self.workspace.close()

    def _leave(self) -> None:
        self.calls -= 1


class Guests:
    """Finds or opens the session of each stateless request."""

    def __init__(self, workspaces: Showroom, table: ConnectionTable[Guest]) -> None:
        self._workspaces, self._table = workspaces, table

    def tools(self) -> Sequence[ToolSpec]:
        """List the tools as they are in a session where nothing has happened."""
        return self._workspaces.tools()

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when that list changes; returns how to stop."""
        return self._workspaces.on_tools_changed(listener)

    def enter(self, handle: str | None, origin: str = "") -> Stay | None:
        """Start a call in the session with this handle, or in a new one."""
        if handle is None:
            return self._open(origin)
        workspace = self._workspaces.find(handle)
        if workspace is None:
            return None
        guest = self._table.find(handle)
        return Stay(workspace) if guest is None else guest.enter(is_new=False)

    async def discard(self, workspace: Workspace) -> None:
        """Close a session whose handle never reached its client."""
        await self._table.remove(workspace.handle)

    async def close(self) -> None:
        """End the sessions."""
        await self._table.clear()

    def _open(self, origin: str) -> Stay:
        if reason := self._table.full(origin):
            raise Busy(reason, hint="Pass the session you already have.")
        workspace = self._workspaces.open()
        return self._table.add(workspace.handle, Guest(workspace), origin).enter(is_new=True)
