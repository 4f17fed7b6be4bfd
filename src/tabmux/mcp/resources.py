"""Resources: what a server answers beyond tools, with prompts and completion."""

from __future__ import annotations

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

UPDATED = "notifications/resources/updated"
MOST_SUBSCRIPTIONS = 1_000

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
    result = await provider.answer(method, params)
    return {"resultType": "complete", **(STALE if method in _CACHEABLE else {}), **result}


class ResourceSubscriptions:
    """The resources that one client of the handshake era wants to hear of."""

    METHODS = ("resources/subscribe", "resources/unsubscribe")

    def __init__(self) -> None:
        self._uris: set[str] = set()

    def change(self, method: str, params: Message) -> Message:
        """Begin or end one."""
        uri = validated(ResourceParams, params).uri
        if method == "resources/subscribe":
            if len(self._uris) >= MOST_SUBSCRIPTIONS:
                raise RpcError(BUSY, f"A client may subscribe to {MOST_SUBSCRIPTIONS} resources.")
            self._uris.add(uri)
        else:
            self._uris.discard(uri)
        return {}

    def want(self, method: str, params: Message) -> bool:
        """Whether a notification concerns the client; changes of lists concern everyone."""
        return method != UPDATED or params.get("uri") in self._uris
