"""Focus states: disconnected to tab focused, and the tools that belong to each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from tabmux.content import ToolSpec


class FocusStage(StrEnum):
    """Where a session stands."""

    DISCONNECTED = "disconnected"
    NO_TABS = "connected, no tabs"
    NO_FOCUS = "connected, no tab focused"
    FOCUSED = "tab focused"


@dataclass(frozen=True)
class FocusState:
    """What a session of the focus toolset knows: the browser, its tabs, the one in focus."""

    connected: bool = False
    tabs: frozenset[int] = frozenset()
    focused: int | None = None

    @property
    def stage(self) -> FocusStage:
        """Return the state of the diagram that this is."""
        if not self.connected:
            return FocusStage.DISCONNECTED
        if not self.tabs:
            return FocusStage.NO_TABS
        return FocusStage.NO_FOCUS if self.focused is None else FocusStage.FOCUSED

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        """Return the tools of the state, without those of the page."""
        return _TOOLS[self.stage]

    def joined(self, tabs: frozenset[int]) -> FocusState:
        """A browser is there."""
        return FocusState(connected=True, tabs=tabs)

    def holding(self, tabs: frozenset[int]) -> FocusState:
        """Tabs were opened or closed, by whomever."""
        if not self.connected:
            return self
        return replace(self, tabs=tabs, focused=self.focused if self.focused in tabs else None)

    def on(self, tab: int) -> FocusState:
        """A tab gets the focus."""
        return replace(self, tabs=self.tabs | {tab}, focused=tab)


CONNECT = ToolSpec(
    "connect_browser",
    "Connect to the browser: attach to a running one, or launch one.",
    {
        "type": "object",
        "properties": {
            "launch": {
                "type": "boolean",
                "description": "Launch new browser instance if none found",
                "default": False,
            }
        },
    },
    repeatable=True,
)
LIST = ToolSpec(
    "list_tabs",
    "See all open tabs without loading their tools.",
    {"type": "object", "properties": {}},
    reads=True,
)
OPEN = ToolSpec(
    "open_tab",
    "Open a new browser tab.",
    {
        "type": "object",
        "properties": {
            "url": {"type": "string", "description": "URL to open"},
            "focus": {
                "type": "boolean",
                "description": "Focus the new tab after opening",
                "default": True,
            },
        },
        "required": ["url"],
    },
)
FOCUS = ToolSpec(
    "focus_tab",
    "Switch focus to a different tab, loading its tools.",
    {
        "type": "object",
        "properties": {"tabId": {"type": "number", "description": "ID of the tab to focus"}},
        "required": ["tabId"],
    },
    repeatable=True,
)
CLOSE = ToolSpec(
    "close_tab",
    "Close a tab.",
    {
        "type": "object",
        "properties": {
            "tabId": {
                "type": "number",
                "description": "ID of tab to close. Defaults to focused tab.",
            }
        },
    },
    destroys=True,
)
ALL = (CONNECT, LIST, OPEN, FOCUS, CLOSE)

_TOOLS: dict[FocusStage, tuple[ToolSpec, ...]] = {
    FocusStage.DISCONNECTED: (CONNECT,),
    FocusStage.NO_TABS: (LIST, OPEN),
    FocusStage.NO_FOCUS: (LIST, OPEN, FOCUS),
    FocusStage.FOCUSED: (LIST, OPEN, FOCUS, CLOSE),
}
