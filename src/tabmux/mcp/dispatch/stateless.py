"""The stateless era, revision 2026-07-28: every request stands alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from tabmux.content import Reply
from tabmux.errors import TabmuxError
from tabmux.mcp import log_levels, results
from tabmux.mcp.backend import LogSource, Repertoire, Workspace
from tabmux.mcp.dispatch.calls_in_flight import call_tool
from tabmux.mcp.dispatch.client_questions import InputRequired
from tabmux.mcp.dispatch.request_context import RequestContext, current
from tabmux.mcp.dispatch.request_meta import RequestMeta
from tabmux.mcp.dispatch.request_state import SignedState
from tabmux.mcp.dispatch.subscriptions import Subscription
from tabmux.mcp.lodging import Lodging, Stay
from tabmux.mcp.repertoire import answered, offers
from tabmux.mcp.rounds import Rounds
from tabmux.mcp.rpc import Message, RpcError
from tabmux.mcp.schema import (
    METHOD_NOT_FOUND,
    SERVER_INFO_META_KEY,
    CallToolParams,
    ListenParams,
)
from tabmux.mcp.server_info import ServerInfo, validated

Start = Callable[[RequestContext, Coroutine[Any, Any, Message]], None]

# The key is fixed by the specification; the SDK keeps it outside of its types.
SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId"


class StatelessDispatcher:
    """Answers requests of the stateless era, from any number of clients."""

    def __init__(self, identity: ServerInfo, lodging: Lodging) -> None:
        self._identity, self._lodging = identity, lodging
        self._wakers: set[asyncio.Event] = set()
        self._seal = SignedState()
        self._is_closing = False

    def close(self) -> None:
        """End the subscriptions with a proper answer."""
        self._is_closing = True
        for waker in self._wakers:
            waker.set()

    def receive(self, exchange: RequestContext, envelope: RequestMeta, start: Start) -> None:
        """Answer a request, or `start` the work that will; raises the fault of a bad one."""
        params, repertoire = exchange.request.params, self._identity.repertoire
        match exchange.request.method:
            case "server/discover":
                exchange.answer(self._stamped(self._identity.discover()))
            case "tools/list":
                listing = results.listing(self._lodging.tools(), params)
                exchange.answer(self._stamped(listing))
            case "tools/call":
                call = validated(CallToolParams, params)
                start(exchange, self._call_tool(exchange, envelope, call))
            case "subscriptions/listen":
                wanted = validated(ListenParams, params).notifications
                start(exchange, self._listen(exchange, msgspec.to_builtins(wanted)))
            case method if repertoire is not None and offers(repertoire, method):
                start(exchange, self._answer(exchange, envelope, repertoire))
            case method:
                raise RpcError(METHOD_NOT_FOUND, "Method not found", method[:100])

    async def _call_tool(
        self, exchange: RequestContext, envelope: RequestMeta, params: CallToolParams
    ) -> Message:
        arguments = dict(params.arguments or {})
        rounds = Rounds(self._seal, exchange, envelope.capabilities)
        stay = self._enter(arguments.pop("session", rounds.session), exchange.origin)
        if isinstance(stay, Reply):
            return self._stamped(results.outcome(stay))
        unsubscribe = _logging(stay.workspace, exchange, envelope.log_level)
        is_untold = stay.is_new or rounds.session is not None
        try:
            reply = await call_tool(stay.workspace, params.name, arguments, exchange)
        except InputRequired as pending:
            handle = stay.workspace.handle if is_untold else None
            return self._stamped(rounds.another(pending, handle))
        except (asyncio.CancelledError, RpcError):
            if stay.is_new:
                await self._lodging.discard(stay.workspace)
            raise
        finally:
            unsubscribe()
            stay.leave()
        if is_untold:
            reply.add(f"session={stay.workspace.handle}")
        return self._stamped(results.outcome(reply))

    async def _answer(
        self, exchange: RequestContext, envelope: RequestMeta, repertoire: Repertoire
    ) -> Message:
        rounds = Rounds(self._seal, exchange, envelope.capabilities)
        request = exchange.request
        try:
            result = await answered(repertoire, request.method, request.params)
        except InputRequired as pending:
            result = rounds.another(pending)
        return self._stamped(result)

    def _enter(self, handle: object, origin: str) -> Stay | Reply:
        """Return where to make the call, or the reply that says why it cannot be made."""
        try:
            if handle is not None and not isinstance(handle, str):
                return _unknown_session()
            return self._lodging.enter(handle, origin) or _unknown_session()
        except TabmuxError as error:
            return Reply(f"{error.message} {error.hint}".strip(), code=error.code)

    async def _listen(self, exchange: RequestContext, wanted: Message) -> Message:
        meta = {SUBSCRIPTION_ID: exchange.request.id}
        listening = Subscription(wanted, self._lodging, self._identity.repertoire)
        self._wakers.add(listening.waker)
        try:
            acknowledged = {"notifications": listening.honoured, "_meta": meta}
            exchange.notify("notifications/subscriptions/acknowledged", acknowledged)
            while not self._is_closing:
                for method, params in await listening.news():
                    exchange.notify(method, {**params, "_meta": meta})
                await exchange.outlet.drained()
        finally:
            listening.stop()
            self._wakers.discard(listening.waker)
        return self._stamped({"resultType": "complete", "_meta": meta})

    def _stamped(self, result: Message) -> Message:
        meta = {**result.get("_meta", {}), SERVER_INFO_META_KEY: self._identity.stamp()}
        return {**result, "_meta": meta}


def _logging(
    workspace: Workspace, exchange: RequestContext, level: str | None
) -> Callable[[], None]:
    """Pass on what a call logs, if its request asked for that."""
    if level is None or not isinstance(workspace, LogSource):
        return lambda: None

    def log(at: str, text: str) -> None:
        if current.get() is exchange and log_levels.reaches(at, level):
            exchange.notify("notifications/message", log_levels.message(at, text))

    return workspace.on_log(log)


def _unknown_session() -> Reply:
    return Reply(
        "There is no such session; it may have ended. Call again without `session` "
        "to open a new one: its handle is then on the last line of the reply.",
        code="unknown_session",
    )
