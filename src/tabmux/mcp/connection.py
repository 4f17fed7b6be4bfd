"""Connections: one client from its first message to its last, attached to a session.

Both eras of MCP come through here: requests that carry their own metadata go to the stateless
dispatcher, all others are answered as revisions up to 2025-11-25 want it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from tabmux.content import ToolSpec
from tabmux.mcp import rpc, tool_messages
from tabmux.mcp.backend import Backend, McpSession
from tabmux.mcp.dispatch import request_meta
from tabmux.mcp.dispatch.calls_in_flight import CallsInFlight, call_tool
from tabmux.mcp.dispatch.client_questions import PendingQuestions, StatefulQuestions
from tabmux.mcp.dispatch.request_context import MessageWriter, RequestContext, current
from tabmux.mcp.dispatch.stateless import SessionRequest, StatelessDispatcher
from tabmux.mcp.resources import ResourceSubscriptions, answered, offers
from tabmux.mcp.rpc import Incoming, Message, RpcError, RpcNotification, RpcRequest, RpcResponse
from tabmux.mcp.schema import INVALID_REQUEST, METHOD_NOT_FOUND, CallToolParams, SetLevelParams
from tabmux.mcp.server_info import ServerInfo, client_name, validated

logger = logging.getLogger(__name__)

Handler = Callable[[Message], Message]

# Longer than the calls of a session may take to end.
CLOSE_SECONDS = 20.0

_STATELESS_KEYS = frozenset({"resultType", "ttlMs", "cacheScope"})


class Connection:
    """One client: its revision, its log level, its calls, and the session it is attached to.

    Args:
        backend: Where sessions come from.
        writer: Where messages go that belong to no request.
        group: What owns the tasks of its calls.
        version: Our version, as the client is told.
        join: Returns the session to attach to, when it is first needed; a new one when absent.
        keeps_session: Whether the session goes on when the connection ends.
        name: A name of the connection that no other has, also not in the next server.
        counts: Whether the session is attached to for as long as the connection lasts; over HTTP
            every request counts for itself.
    """

    def __init__(
        self,
        backend: Backend,
        writer: MessageWriter,
        group: asyncio.TaskGroup,
        *,
        version: str,
        join: Callable[[], McpSession] | None = None,
        keeps_session: bool = False,
        counts: bool = True,
        name: str = "",
    ) -> None:
        self.protocol: str | None = None
        self.calls = CallsInFlight(group)
        self._server = ServerInfo.of(backend, version)
        self._backend, self._writer = backend, writer
        self._join, self._keeps_session = join or backend.open, keeps_session
        self._counts, self._name = counts, name
        self._session: McpSession | None = None
        self._stateless = StatelessDispatcher(self._server, self, group)
        self._level = "info"
        self._capabilities: Message = {}
        self._questions = PendingQuestions()
        self._subscriptions = ResourceSubscriptions()
        self._stops: list[Callable[[], None]] = []
        self._handlers = self._make_handlers()

    @property
    def session(self) -> McpSession:
        """The session; the connection attaches to it when it is first needed."""
        if self._session is None:
            self._session = self._join()
            self._server = self._server.to(self._session)
            if self._counts:
                self._session.attach()
        return self._session

    def resume(self, params: Message) -> None:
        """Go on with a client that has introduced itself before, perhaps to another server.

        Args:
            params: Those of its `initialize`.
        """
        self._initialize(params)

    def receive(self, message: Incoming, writer: MessageWriter) -> None:
        """Take one message; what it causes goes to `writer`."""
        match message:
            case RpcRequest() if request_meta.is_stateless(message):
                self._receive_stateless(
                    RequestContext(message, writer, self, connection=self._name)
                )
            case RpcRequest():
                questions = StatefulQuestions(self._capabilities, self._questions, writer)
                self._receive_request(
                    RequestContext(
                        message, writer, self, questions=questions, connection=self._name
                    )
                )
            case RpcResponse():
                self._questions.answered(message)
            case RpcNotification("notifications/cancelled", params):
                self.calls.cancel(params.get("requestId"))

    def keep_session(self) -> None:
        """Leave the session open when the connection ends: the next server goes on with it."""
        self._keeps_session = True

    async def close(self, grace: float = 0) -> None:
        """End the calls, which have a moment to finish, then leave the session."""
        self._stateless.close()
        await self.calls.close(grace)
        for stop in self._stops:
            stop()
        self._stops.clear()
        self._subscriptions.stop()
        session, self._session = self._session, None
        if session is None:
            return
        if self._counts:
            session.leave(hung_up=True)
        if not self._keeps_session:
            try:
                async with asyncio.timeout(CLOSE_SECONDS):
                    await session.close()
            except TimeoutError:
                logger.warning("A session took longer than %g s to close.", CLOSE_SECONDS)

    def tools(self, name: str = "") -> Sequence[ToolSpec]:
        """List the session's tools, for requests of the stateless era."""
        return self.session.tools()

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when they change; returns how to stop."""
        return self.session.on_tools_changed(listener)

    def join(self, wanted: SessionRequest) -> tuple[McpSession, bool] | None:
        """Return the session of a stateless request: the one it names, or our own."""
        found = self.session if wanted.handle is None else self._backend.find(wanted.handle)
        return None if found is None else (found, False)

    async def discard(self, session: McpSession) -> None:
        """Keep it: the next request without a handle uses it again."""

    def _make_handlers(self) -> dict[str, Handler]:
        return {
            "initialize": self._initialize,
            "ping": lambda params: {},
            "logging/setLevel": self._set_level,
            "tools/list": self._list_tools,
            **{each: partial(self._subscribe_to, each) for each in ResourceSubscriptions.METHODS},
        }

    def _receive_stateless(self, context: RequestContext) -> None:
        with context.guarded():
            meta = request_meta.read_meta(context.request)
            self._stateless.receive(context, meta, self.calls.start)

    def _receive_request(self, context: RequestContext) -> None:
        with context.guarded():
            method = context.request.method
            self._check(method)
            if method == "tools/call":
                self.calls.start(context, self._call_tool(context))
            elif offers(self._server.resources, method):
                self.calls.start(context, self._answer(context.request))
            else:
                context.answer(_plain(self._handlers[method](context.request.params)))

    def _check(self, method: str) -> None:
        known = method == "tools/call" or method in self._handlers
        if method in ResourceSubscriptions.METHODS:
            known = offers(self._server.resources, "resources/read")
        if not known and not offers(self._server.resources, method):
            raise RpcError(METHOD_NOT_FOUND, "Method not found", method[:100])
        if self.protocol is None and method not in ("initialize", "ping"):
            raise RpcError(INVALID_REQUEST, f"{method} came before initialize.")

    def _initialize(self, params: Message) -> Message:
        self._server.initialize(params)  # a bad one opens no session
        session = self.session
        protocol, result = self._server.initialize(params)
        # Before anybody listens: who the client is may change its tools.
        self.session.client = client_name(params["clientInfo"])
        if self.protocol is None:
            self._subscribe(session)
        self.protocol, self._capabilities = protocol, params["capabilities"]
        return result

    def _list_tools(self, params: Message) -> Message:
        return tool_messages.listing(self.session.tools(), params, structured=self._is_structured)

    @property
    def _is_structured(self) -> bool:
        return self.session.structured or tool_messages.wants_structured(self._capabilities)

    def _set_level(self, params: Message) -> Message:
        self._level = validated(SetLevelParams, params).level
        return {}

    async def _call_tool(self, context: RequestContext) -> Message:
        params = validated(CallToolParams, context.request.params)
        reply = await call_tool(self.session, params.name, params.arguments or {}, context)
        return _plain(tool_messages.outcome(reply, structured=self._is_structured))

    async def _answer(self, request: RpcRequest) -> Message:
        assert self._server.resources is not None
        return _plain(await answered(self._server.resources, request.method, request.params))

    def _subscribe_to(self, method: str, params: Message) -> Message:
        assert self._server.resources is not None
        return self._subscriptions.change(method, params, self._server.resources)

    def _subscribe(self, session: McpSession) -> None:
        self._stops.append(session.on_tools_changed(self._tools_changed))
        self._stops.append(session.on_log(self._log))
        if self._server.resources is not None:
            self._stops.append(self._server.resources.on_notice(self._notice))

    def _notice(self, method: str, params: Message) -> None:
        if self._subscriptions.want(method, params):
            self._notify(method, params)

    def _tools_changed(self) -> None:
        self._notify("notifications/tools/list_changed")

    def _log(self, level: str, data: Any) -> None:
        if tool_messages.reaches_level(level, self._level):
            self._notify("notifications/message", tool_messages.log_message(level, data))

    def _notify(self, method: str, params: Message | None = None) -> None:
        """Tell the client, on the stream of the request that caused it if one did."""
        context = current.get()
        if context is not None and context.owner is self and context.is_open:
            context.notify(method, params)
        else:
            self._writer.send(rpc.notification(method, params))


def _plain(result: Message) -> Message:
    """Leave out what only the stateless era knows; some clients refuse keys they do not know."""
    return {key: value for key, value in result.items() if key not in _STATELESS_KEYS}
