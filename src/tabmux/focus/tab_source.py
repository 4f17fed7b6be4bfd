"""Tab source: the tabs that the focus toolset works on, over CDP or an extension's messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tabmux.content import Reply, ToolSpec


@dataclass(frozen=True)
class BrowserProduct:
    """Which browser it is."""

    name: str
    version: str


@dataclass(frozen=True)
class FocusTab:
    """One tab, by its number."""

    id: int
    title: str
    url: str
    tool_count: int = 0


class TabSource(Protocol):
    """One session's view of one browser: over CDP, or over an extension's own messages.

    Listeners are told of every change: `gone` (the browser), `tabs` (opened, closed, crashed),
    `focus` (the user went to another tab) and `tools` (of the focused tab).
    """

    async def connect(self, *, launch: bool) -> BrowserProduct | None:
        """Reach the browser; None when there is none."""

    def tabs(self) -> Sequence[FocusTab]:
        """List the open tabs that are the session's or nobody's, oldest first."""

    def belongs_to_other(self, tab: int) -> bool:
        """Whether another session has a tab."""

    async def open(self, url: str, *, focus: bool) -> FocusTab:
        """Open a tab; `focus` says that it is about to get the focus."""

    async def focus(self, tab: int) -> Sequence[ToolSpec]:
        """Make a tab's tools the current ones, and return them."""

    async def close(self, tab: int) -> None:
        """Close a tab."""

    def tools(self) -> Sequence[ToolSpec]:
        """List the tools of the focused tab, as last seen."""

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        """Run a tool of the focused tab."""

    def on_change(self, listener: Callable[[str, int | None], None]) -> Callable[[], None]:
        """Call `listener` with what changed and the tab's id; returns how to stop."""
