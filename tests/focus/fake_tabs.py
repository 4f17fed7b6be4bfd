"""Tabs that exist only in the test."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tabmux.content import Reply, ToolSpec
from tabmux.errors import NavigationFailed
from tabmux.focus.tab_source import BrowserProduct, FocusTab


def spec(name: str, **properties: Any) -> ToolSpec:
    return ToolSpec(name, name, {"type": "object", "properties": properties})


class FakeTabs:
    """A browser whose user, pages and mishaps are played by the test."""

    def __init__(self, *, runs: bool = True) -> None:
        self.runs = runs
        self.open_tabs: dict[int, FocusTab] = {}
        self.page_tools: dict[int, list[ToolSpec]] = {}
        self.focused: int | None = None
        self.called: list[tuple[str, Mapping[str, Any]]] = []
        self.listeners: list[Callable[[str, int | None], None]] = []

    def user_opens(self, ident: int, *tools: str, url: str = "https://example.com/") -> None:
        self.open_tabs[ident] = FocusTab(ident, f"Tab {ident}", url, len(tools))
        self.page_tools[ident] = [spec(name) for name in tools]
        self.tell("tabs")

    def user_closes(self, ident: int) -> None:
        del self.open_tabs[ident]
        self.tell("tabs")

    def page_offers(self, ident: int, *tools: ToolSpec) -> None:
        self.page_tools[ident] = list(tools)
        self.tell("tools", ident)

    def tell(self, what: str, tab: int | None = None) -> None:
        for listener in list(self.listeners):
            listener(what, tab)

    async def connect(self, *, launch: bool) -> BrowserProduct | None:
        self.runs = self.runs or launch
        return BrowserProduct("Chrome", "156.0.1") if self.runs else None

    def tabs(self) -> Sequence[FocusTab]:
        return list(self.open_tabs.values())

    def belongs_to_other(self, tab: int) -> bool:
        return False

    async def open(self, url: str, *, focus: bool) -> FocusTab:
        if "unreachable" in url:
            raise NavigationFailed(f"Could not load {url}.")
        ident = max(self.open_tabs, default=100) + 1
        self.user_opens(ident, "click_button", "fill_form", url=url)
        return self.open_tabs[ident]

    async def focus(self, tab: int) -> Sequence[ToolSpec]:
        self.focused = tab
        return self.page_tools[tab]

    async def close(self, tab: int) -> None:
        self.user_closes(tab)

    def tools(self) -> Sequence[ToolSpec]:
        return self.page_tools[self.focused] if self.focused in self.open_tabs else ()

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        self.called.append((name, arguments))
        return Reply(f"{name} done")

    def on_change(self, listener: Callable[[str, int | None], None]) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)
