"""Resources: answers beyond tools, and subscriptions to changes of tools and resources."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from msgspec import Struct

from tabmux.mcp.backend import ResourceProvider
from tabmux.mcp.rpc import Message, RpcError
from tabmux.mcp.schema import (
    INVALID_PARAMS,
    CompleteParams,
    PageParams,
    PromptParams,
    ResourceParams,
)
from tabmux.mcp.server_info import BUSY, STALE, validated
from tabmux.page_text import visible_values

UPDATED = "notifications/resources/updated"
MOST_SUBSCRIPTIONS = 1_000

TOOLS = "notifications/tools/list_changed"
_LISTS = {
    "promptsListChanged": ("prompts", "notifications/prompts/list_changed"),
    "resourcesListChanged": ("resources", "notifications/resources/list_changed"),
}
_MOST_NEWS = 1_000

_METHODS: dict[str, tuple[str, type[Struct]]] = {
    "resources/list": ("resources", PageParams),
    "resources/templates/list": ("resources", PageParams),
    "resources/read": ("resources", ResourceParams),
    "prompts/list": ("prompts", PageParams),
    "prompts/get": ("prompts", PromptParams),
    "completion/complete": ("completions", CompleteParams),
}
_CACHEABLE = frozenset(_METHODS) - {"prompts/get", "completion/complete"}


def offers(provider: ResourceProvider | None, method: str) -> bool:
    """Whether a method belongs to something that is offered."""
    if provider is None or method not in _METHODS:
        return False
    return _METHODS[method][0] in provider.capabilities


async def answered(provider: ResourceProvider, method: str, params: Message) -> Message:
    """Check a request and have it answered."""
    checked = validated(_METHODS[method][1], params)
    if getattr(checked, "cursor", None) is not None:
        raise RpcError(INVALID_PARAMS, "The cursor is not one of ours.")
    result = visible_values(await provider.answer(method, params))
    return {"resultType": "complete", **(STALE if method in _CACHEABLE else {}), **result}


class ResourceSubscriptions:
    """The resources that one client of the handshake era wants to hear of."""

    METHODS = ("resources/subscribe", "resources/unsubscribe")

    def __init__(self) -> None:
        # How to stop looking for changes of each.
        self._stops: dict[str, Callable[[], None]] = {}

    def change(self, method: str, params: Message, provider: ResourceProvider) -> Message:
        """Begin or end one."""
        uri = validated(ResourceParams, params).uri
        if method == "resources/unsubscribe":
            self._stops.pop(uri, lambda: None)()
        elif len(self._stops) >= MOST_SUBSCRIPTIONS:
            raise RpcError(BUSY, f"A client may subscribe to {MOST_SUBSCRIPTIONS} resources.")
        elif uri not in self._stops:
            self._stops[uri] = provider.watch(uri)
        return {}

    def stop(self) -> None:
        """End all of them."""
        for stop in self._stops.values():
            stop()
        self._stops.clear()

    def want(self, method: str, params: Message) -> bool:
        """Whether a notification concerns the client; changes of lists concern everyone."""
        return method != UPDATED or params.get("uri") in self._stops


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
            uris = self.honoured.get("resourceSubscriptions", ())
            self._stops += [resources.watch(uri) for uri in uris]
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
