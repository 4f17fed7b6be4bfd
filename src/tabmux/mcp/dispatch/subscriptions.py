"""Subscriptions: what one `subscriptions/listen` of the stateless era hears."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tabmux.mcp.backend import ResourceProvider
from tabmux.mcp.resources import UPDATED
from tabmux.mcp.rpc import Message

TOOLS = "notifications/tools/list_changed"
_LISTS = {
    "promptsListChanged": ("prompts", "notifications/prompts/list_changed"),
    "resourcesListChanged": ("resources", "notifications/resources/list_changed"),
}
_MOST_NEWS = 1_000


class Subscription:
    """Collects the notifications that a client asked for; equal ones are told once."""

    def __init__(
        self,
        wanted: Message,
        on_tools_changed: Callable[[Callable[[], None]], Callable[[], None]],
        resources: ResourceProvider | None,
    ) -> None:
        self.honoured = _honoured(wanted, resources)
        self.waker = asyncio.Event()
        self._news: list[tuple[str, Message]] = []
        self._stops: list[Callable[[], None]] = []
        if "toolsListChanged" in self.honoured:
            self._stops.append(on_tools_changed(lambda: self._hear(TOOLS, {})))
        if resources is not None and self.honoured.keys() - {"toolsListChanged"}:
            self._stops.append(resources.on_notice(self._hear))
        self._methods = {_LISTS[key][1] for key in self.honoured.keys() & _LISTS.keys()} | {TOOLS}

    async def news(self) -> list[tuple[str, Message]]:
        """Wait until the waker is set; returns what was heard since the last time."""
        await self.waker.wait()
        self.waker.clear()
        news, self._news = self._news, []
        return news

    def stop(self) -> None:
        """Hear nothing more."""
        for stop in self._stops:
            stop()

    def _hear(self, method: str, params: Message) -> None:
        uris = self.honoured.get("resourceSubscriptions", ())
        wanted = params.get("uri") in uris if method == UPDATED else method in self._methods
        if wanted and (method, params) not in self._news and len(self._news) < _MOST_NEWS:
            self._news.append((method, params))
            self.waker.set()


def _honoured(wanted: Message, resources: ResourceProvider | None) -> Message:
    offered = resources.capabilities if resources is not None else {}
    honoured: Message = {"toolsListChanged": True} if wanted.get("toolsListChanged") else {}
    for key, (part, _) in _LISTS.items():
        if wanted.get(key) and offered.get(part, {}).get("listChanged"):
            honoured[key] = True
    if wanted.get("resourceSubscriptions") and offered.get("resources", {}).get("subscribe"):
        honoured["resourceSubscriptions"] = wanted["resourceSubscriptions"]
    return honoured
