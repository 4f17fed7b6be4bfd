"""Where stateless requests find their sessions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from tabmux.content import ToolSpec
from tabmux.mcp.backend import Workspace


@dataclass(frozen=True)
class Stay:
    """A workspace to make one call in; `is_new` when the client must still learn its handle."""

    workspace: Workspace
    is_new: bool = False
    leave: Callable[[], None] = lambda: None


class Lodging(Protocol):
    """Where stateless requests find their sessions."""

    def tools(self) -> Sequence[ToolSpec]:
        """List what every client sees."""

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when that list changes; returns how to stop."""

    def enter(self, handle: str | None, origin: str = "") -> Stay | None:
        """Return the session with this handle, or for None the one that `origin` should have."""

    async def discard(self, workspace: Workspace) -> None:
        """Close a session whose handle never reached its client."""
