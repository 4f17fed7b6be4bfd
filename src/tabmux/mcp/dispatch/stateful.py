"""A client of the handshake era, that is up to revision 2025-11-25."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tabmux.mcp import log_levels, results, rpc
from tabmux.mcp.backend import LogSource, Workspace
from tabmux.mcp.dispatch.calls_in_flight import CallsInFlight, call_tool
from tabmux.mcp.dispatch.client_questions import PendingQuestions, StatefulQuestions
from tabmux.mcp.dispatch.request_context import MessageWriter, RequestContext, current
from tabmux.mcp.repertoire import Subscriptions, answered, offers
from tabmux.mcp.rpc import Incoming, Message, RpcError, RpcNotification, RpcRequest, RpcResponse
from tabmux.mcp.schema import INVALID_REQUEST, METHOD_NOT_FOUND, CallToolParams, SetLevelParams
from tabmux.mcp.server_info import ServerInfo, validated

Handler = Callable[[Message], Message]


class Client:
    """One client from `initialize` to its end: its revision, its log level, its calls.

    Args:
        identity: What the client is told about us.
        workspace: Opens the client's session, or returns it.
        standing: Where messages go that belong to no request.
        calls: The client's calls in flight.
    """

    def __init__(
        self,
        identity: ServerInfo,
        workspace: Callable[[], Workspace],
        standing: MessageWriter,
        calls: CallsInFlight,
    ) -> None:
        self.version: str | None = None
        self.calls = calls
        self._identity, self._workspace, self._standing = identity, workspace, standing
        self._level = "info"
        self._capabilities: Message = {}
        self._questions = PendingQuestions()
        self._subscriptions = Subscriptions()
        self._unsubscribe: list[Callable[[], None]] = []
        self._handlers: dict[str, Handler] = {
            "initialize": self._initialize,
            "ping": lambda params: {},
            "logging/setLevel": self._set_level,
            "tools/list": self._list_tools,
        }
        if offers(identity.repertoire, "resources/read"):
            for method in Subscriptions.METHODS:
                self._handlers[method] = partial(self._subscriptions.change, method)

    def receive(self, message: Incoming, outlet: MessageWriter) -> None:
        """Take one message; what it causes goes to `outlet`."""
        match message:
            case RpcRequest():
                self._request(RequestContext(message, outlet, self))
            case RpcResponse():
                self._questions.answered(message)
            case RpcNotification("notifications/cancelled", params):
                self.calls.cancel(params.get("requestId"))

    def close(self) -> None:
        """Stop telling this client anything."""
        for stop in self._unsubscribe:
            stop()
        self._unsubscribe.clear()

    def _request(self, exchange: RequestContext) -> None:
        with exchange.guarded():
            method = exchange.request.method
            self._check(method)
            exchange.dialogue = StatefulQuestions(
                self._capabilities, self._questions, exchange.outlet
            )
            if method == "tools/call":
                self.calls.start(exchange, self._call_tool(exchange))
            elif offers(self._identity.repertoire, method):
                self.calls.start(exchange, self._answer(exchange.request))
            else:
                exchange.answer(_plain(self._handlers[method](exchange.request.params)))

    def _check(self, method: str) -> None:
        known = method == "tools/call" or method in self._handlers
        if not known and not offers(self._identity.repertoire, method):
            raise RpcError(METHOD_NOT_FOUND, "Method not found", method[:100])
        if self.version is None and method not in ("initialize", "ping"):
            raise RpcError(INVALID_REQUEST, f"{method} came before initialize.")

    def _initialize(self, params: Message) -> Message:
        version, result = self._identity.initialize(params)
        if self.version is None:
            self._subscribe(self._workspace())
        self.version, self._capabilities = version, params["capabilities"]
        return result

    def _set_level(self, params: Message) -> Message:
        self._level = validated(SetLevelParams, params).level
        return {}

    def _list_tools(self, params: Message) -> Message:
        return results.listing(self._workspace().tools(), params)

    async def _call_tool(self, exchange: RequestContext) -> Message:
        params = validated(CallToolParams, exchange.request.params)
        reply = await call_tool(self._workspace(), params.name, params.arguments or {}, exchange)
        return _plain(results.outcome(reply))

    async def _answer(self, request: RpcRequest) -> Message:
        assert self._identity.repertoire is not None
        return _plain(await answered(self._identity.repertoire, request.method, request.params))

    def _subscribe(self, workspace: Workspace) -> None:
        self._unsubscribe.append(workspace.on_tools_changed(self._tools_changed))
        if isinstance(workspace, LogSource):
            self._unsubscribe.append(workspace.on_log(self._log))
        if self._identity.repertoire is not None:
            self._unsubscribe.append(self._identity.repertoire.on_notice(self._notice))

    def _notice(self, method: str, params: Message) -> None:
        if self._subscriptions.want(method, params):
            self._notify(method, params)

    def _tools_changed(self) -> None:
        self._notify("notifications/tools/list_changed")

    def _log(self, level: str, text: str) -> None:
        if log_levels.reaches(level, self._level):
            self._notify("notifications/message", log_levels.message(level, text))

    def _notify(self, method: str, params: Message | None = None) -> None:
        """Tell the client, on the stream of the request that caused it if one did."""
        exchange = current.get()
        if exchange is not None and exchange.owner is self and exchange.is_open:
            exchange.notify(method, params)
        else:
            self._standing.send(rpc.notification(method, params))


def _plain(result: Message) -> Message:
    """Leave out what only the stateless era knows; some clients refuse keys they do not know."""
    return {key: value for key, value in result.items() if key not in _STATELESS_KEYS}


_STATELESS_KEYS = frozenset({"resultType", "ttlMs", "cacheScope"})
