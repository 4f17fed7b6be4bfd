"""An extension's own tabs as the focus toolset wants them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tabmux.bridge.extension_link import ExtensionLink
from tabmux.bridge.tabs import Listener, TabMessages
from tabmux.content import Reply, ToolSpec
from tabmux.daemon.bridge.local_bridge import LocalBridge
from tabmux.focus.tab_source import BrowserProduct, FocusTab


class ExtensionTabs:
    """The tabs of the first extension that relays no CDP; those that do are browsers."""

    def __init__(self, bridge: LocalBridge) -> None:
        self._bridge = bridge
        self._tabs = TabMessages(self._plain)

    async def connect(self, *, launch: bool) -> BrowserProduct | None:
        """Reach the browser; None when there is none."""
        browser = await self._tabs.connect(launch=launch)
        return BrowserProduct(browser.name, browser.version) if browser is not None else None

    def tabs(self) -> Sequence[FocusTab]:
        """List the open tabs, oldest first."""
        return [self._tab(number) for number in self._tabs.infos]

    async def open(self, url: str) -> FocusTab:
        """Open a tab in the background."""
        return self._tab(await self._tabs.open(url))

    async def focus(self, tab: int) -> Sequence[ToolSpec]:
        """Make a tab's tools the current ones, and return them."""
        return await self._tabs.focus(tab)

    async def close(self, tab: int) -> None:
        """Close a tab."""
        await self._tabs.close(tab)

    def tools(self) -> Sequence[ToolSpec]:
        """List the tools of the focused tab, as last seen."""
        return self._tabs.tools()

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        """Run a tool of the focused tab."""
        return await self._tabs.call(name, arguments)

    def on_change(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with what changed and the tab's id; returns how to stop."""
        return self._tabs.on_change(listener)

    def _tab(self, number: int) -> FocusTab:
        info = self._tabs.infos[number]
        count = self._tabs.tool_count(number)
        return FocusTab(number, str(info.get("title", "")), str(info.get("url", "")), count)

    def _plain(self) -> ExtensionLink | None:
        links = self._bridge.current.links.values() if self._bridge.current is not None else ()
        return next((link for link in links if "cdp" not in link.capabilities), None)
