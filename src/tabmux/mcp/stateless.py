"""The stateless era, revision 2026-07-28: every request stands alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mcp_types import (
    SERVER_INFO_META_KEY,
    CallToolRequestParams,
    SubscriptionsListenRequestParams,
)
from mcp_types.jsonrpc import METHOD_NOT_FOUND

from tabmux.content import Reply, ToolSpec
from tabmux.errors import TabmuxError
from tabmux.mcp import levels, translation
from tabmux.mcp.calls import call_tool
from tabmux.mcp.envelope import Envelope
from tabmux.mcp.exchange import Exchange, current
from tabmux.mcp.protocol import Identity, validated
from tabmux.mcp.rpc import Fault, Message
from tabmux.mcp.workspace import LogSource, Workspace

Start = Callable[[Exchange, Coroutine[Any, Any, Message]], None]

# The key is fixed by the specification; the SDK keeps it outside of its types.
SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId"


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

    def enter(self, handle: str | None) -> Stay | None:
        """Return the session with this handle, or a default one for None."""

    async def discard(self, workspace: Workspace) -> None:
        """Close a session whose handle never reached its client."""


class Stateless:
    """Answers requests of the stateless era, from any number of clients."""

    def __init__(self, identity: Identity, lodging: Lodging) -> None:
        self._identity, self._lodging = identity, lodging
        self._wakers: set[asyncio.Event] = set()
        self._is_closing = False

    def close(self) -> None:
        """End the subscriptions with a proper answer."""
        self._is_closing = True
        for waker in self._wakers:
            waker.set()

    def receive(self, exchange: Exchange, envelope: Envelope, start: Start) -> None:
        """Answer a request, or `start` the work that will; raises the fault of a bad one."""
        params = exchange.request.params
        match exchange.request.method:
            case "server/discover":
                exchange.answer(self._stamped(self._identity.discover()))
            case "tools/list":
                listing = translation.listing(self._lodging.tools(), params)
                exchange.answer(self._stamped(listing))
            case "tools/call":
                call = validated(CallToolRequestParams, params)
                start(exchange, self._call_tool(exchange, envelope, call))
            case "subscriptions/listen":
                wanted = validated(SubscriptionsListenRequestParams, params).notifications
                start(exchange, self._listen(exchange, bool(wanted.tools_list_changed)))
            case method:
                raise Fault(METHOD_NOT_FOUND, "Method not found", method[:100])

    async def _call_tool(
        self, exchange: Exchange, envelope: Envelope, params: CallToolRequestParams
    ) -> Message:
        arguments = dict(params.arguments or {})
        stay = self._enter(arguments.pop("session", None))
        if isinstance(stay, Reply):
            return self._stamped(translation.outcome(stay))
        unsubscribe = _logging(stay.workspace, exchange, envelope.log_level)
        try:
            reply = await call_tool(stay.workspace, params.name, arguments, exchange)
        except asyncio.CancelledError:
            if stay.is_new:
                await self._lodging.discard(stay.workspace)
            raise
        finally:
            unsubscribe()
            stay.leave()
        if stay.is_new:
            reply.add(f"session={stay.workspace.handle}")
        return self._stamped(translation.outcome(reply))

    def _enter(self, handle: object) -> Stay | Reply:
        """Return where to make the call, or the reply that says why it cannot be made."""
        try:
            if handle is not None and not isinstance(handle, str):
                return _unknown_session()
            return self._lodging.enter(handle) or _unknown_session()
        except TabmuxError as error:
            return Reply(f"{error.message} {error.hint}".strip(), code=error.code)

    async def _listen(self, exchange: Exchange, wants_tools: bool) -> Message:
        meta = {SUBSCRIPTION_ID: exchange.request.id}
        honoured = {"toolsListChanged": True} if wants_tools else {}
        waker = asyncio.Event()
        self._wakers.add(waker)
        stop = self._lodging.on_tools_changed(waker.set) if wants_tools else lambda: None
        try:
            acknowledged = {"notifications": honoured, "_meta": meta}
            exchange.notify("notifications/subscriptions/acknowledged", acknowledged)
            while not self._is_closing:
                await waker.wait()
                if not self._is_closing:
                    waker.clear()
                    exchange.notify("notifications/tools/list_changed", {"_meta": meta})
                    await exchange.outlet.drained()
        finally:
            stop()
            self._wakers.discard(waker)
        return self._stamped({"resultType": "complete", "_meta": meta})

    def _stamped(self, result: Message) -> Message:
        meta = {**result.get("_meta", {}), SERVER_INFO_META_KEY: self._identity.stamp()}
        return {**result, "_meta": meta}


def _logging(workspace: Workspace, exchange: Exchange, level: str | None) -> Callable[[], None]:
    """Pass on what a call logs, if its request asked for that."""
    if level is None or not isinstance(workspace, LogSource):
        return lambda: None

    def log(at: str, text: str) -> None:
        if current.get() is exchange and levels.reaches(at, level):
            exchange.notify("notifications/message", levels.message(at, text))

    return workspace.on_log(log)


def _unknown_session() -> Reply:
    return Reply(
        "There is no such session; it may have ended. Call again without `session` "
        "to open a new one: its handle is then on the last line of the reply.",
        code="unknown_session",
    )
