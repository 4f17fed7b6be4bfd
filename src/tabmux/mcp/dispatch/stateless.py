"""Stateless era, revision 2026-07-28: every request stands alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Protocol

import msgspec

from tabmux.content import Reply, ToolSpec
from tabmux.errors import Misuse, TabmuxError
from tabmux.mcp import tool_messages
from tabmux.mcp.backend import ConnectionKeeper, McpSession, ResourceProvider
from tabmux.mcp.dispatch.calls_in_flight import call_tool
from tabmux.mcp.dispatch.client_questions import InputRequired
from tabmux.mcp.dispatch.request_context import RequestContext, current, request_key
from tabmux.mcp.dispatch.request_meta import RequestMeta
from tabmux.mcp.dispatch.request_state import RequestRound, SignedState
from tabmux.mcp.dispatch.tool_tasks import METHODS, ToolTask, ToolTasks
from tabmux.mcp.resources import Subscription, answered, offers
from tabmux.mcp.rpc import Message, RpcError, RpcRequest
from tabmux.mcp.schema import (
    CLIENT_INFO_META_KEY,
    METHOD_NOT_FOUND,
    SERVER_INFO_META_KEY,
    CallToolParams,
    ListenParams,
)
from tabmux.mcp.server_info import ServerInfo, client_name, validated

Start = Callable[[RequestContext, Coroutine[Any, Any, Message]], None]

# The key is fixed by the specification; the SDK keeps it outside of its types.
SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId"


@dataclass(frozen=True)
class SessionRequest:
    """What a call says of the session it wants.

    Args:
        handle: The handle that it passes as an argument, if it does.
        name: The name that its client gives to every request, if it does.
        origin: The address it comes from.
        tool: The tool it calls.
        arguments: What it gives to the tool.
    """

    handle: str | None
    name: str
    origin: str
    tool: str
    arguments: Mapping[str, Any]


class SessionSource(Protocol):
    """Where stateless requests find their sessions."""

    def tools(self, name: str) -> Sequence[ToolSpec]:
        """List what a client sees that names this session, or none."""

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when that list changes; returns how to stop."""

    def join(self, wanted: SessionRequest) -> tuple[McpSession, bool] | None:
        """Return the session that a call should have, and whether its client must still learn
        its handle; None where it names one that does not exist.
        """

    async def discard(self, session: McpSession) -> None:
        """Give up a session whose handle never reached its client."""


class StatelessDispatcher:
    """Answers requests of the stateless era, from any number of clients."""

    def __init__(
        self,
        server: ServerInfo,
        sessions: SessionSource,
        group: asyncio.TaskGroup,
        keeper: ConnectionKeeper | None = None,
    ) -> None:
        self._server, self._sessions, self._keeper = server, sessions, keeper
        self._tasks = ToolTasks(group)
        self._wakers: set[asyncio.Event] = set()
        self._signer = SignedState(keeper.signing_key if keeper is not None else b"")
        self._is_closing = False

    def close(self) -> None:
        """End the subscriptions with a proper answer, and tasks without one."""
        self._is_closing = True
        self._tasks.close()
        for waker in self._wakers:
            waker.set()

    def named_by(self, request: RpcRequest) -> str:
        """Return the handle of the session, or the id of the task, that a request names."""
        params = request.params
        if request.method in METHODS:
            return str(params.get("taskId", ""))
        arguments = params.get("arguments")
        if isinstance(arguments, dict) and "session" in arguments:
            return str(arguments["session"])
        try:
            return RequestRound(self._signer, request, {}).session or ""
        except RpcError:
            return ""  # whoever answers it says so

    def note_answer(self, context: RequestContext) -> None:
        """Note that the client of a request has its answer."""
        if self._keeper is not None and context.key:
            self._keeper.answered(context.key)

    def receive(self, context: RequestContext, meta: RequestMeta, start: Start) -> None:
        """Answer a request, or `start` the work that will; raises the error of a bad one."""
        params, resources = context.request.params, self._server.resources
        match context.request.method:
            case "server/discover":
                context.answer(self._stamped(self._server.discover()))
            case "tools/list":
                name = context.session_name
                specs = self._sessions.tools(name)
                listing = tool_messages.listing(
                    specs,
                    params,
                    stateless=not name,
                    structured=tool_messages.wants_structured(meta.capabilities),
                )
                context.answer(self._stamped(listing))
            case "tools/call":
                call = validated(CallToolParams, params)
                start(context, self._call_tool(context, meta, call))
            case "subscriptions/listen":
                wanted = validated(ListenParams, params).notifications
                start(context, self._listen(context, msgspec.to_builtins(wanted)))
            case method if method in METHODS:
                context.answer(self._stamped(self._tasks.answer(method, params)))
            case method if resources is not None and offers(resources, method):
                start(context, self._answer(context, meta, resources))
            case method:
                raise RpcError(METHOD_NOT_FOUND, "Method not found", method[:100])

    async def _call_tool(
        self, context: RequestContext, meta: RequestMeta, params: CallToolParams
    ) -> Message:
        arguments = dict(params.arguments or {})
        this_round = self._begin_round(context, meta)
        handle = arguments.pop("session", this_round.session)
        joined = self._join(handle, context, params.name, arguments)
        if isinstance(joined, Reply):
            return self._stamped(tool_messages.outcome(joined))
        session, is_new = joined
        if self._keeper is not None and not context.key:
            context.key = _stateless_key(session, context.request)
        session.client = client_name(context.request.meta.get(CLIENT_INFO_META_KEY))
        if self._tasks.suits(session, params.name, meta.capabilities):
            return self._stamped(self._begin_task(context, meta, session, params.name, arguments))
        must_tell_handle = is_new or this_round.session is not None
        stop_logging = _log_during(session, context, meta.log_level)
        try:
            reply = await call_tool(session, params.name, arguments, context)
        except InputRequired as required:
            handle = session.handle if must_tell_handle else None
            return self._stamped(this_round.next(required, handle))
        except (asyncio.CancelledError, RpcError):
            if is_new:
                await self._sessions.discard(session)
            raise
        finally:
            stop_logging()
        told = session.handle if must_tell_handle else ""
        structured = session.structured or tool_messages.wants_structured(meta.capabilities)
        return self._stamped(tool_messages.outcome(reply, told, structured=structured))

    def _begin_task(
        self,
        context: RequestContext,
        meta: RequestMeta,
        session: McpSession,
        tool: str,
        arguments: Mapping[str, Any],
    ) -> Message:
        """Let a call go on by itself; its client is answered at once."""
        task = ToolTask(meta.capabilities, self._keeper.new_id() if self._keeper else "")
        structured = session.structured or tool_messages.wants_structured(meta.capabilities)

        async def work() -> Message:
            reply = await call_tool(session, tool, arguments, context.apart(task))
            return tool_messages.outcome(reply, structured=structured)

        return self._tasks.add(task, work())

    async def _answer(
        self, context: RequestContext, meta: RequestMeta, resources: ResourceProvider
    ) -> Message:
        this_round = self._begin_round(context, meta)
        request = context.request
        try:
            result = await answered(resources, request.method, request.params)
        except InputRequired as required:
            result = this_round.next(required)
        return self._stamped(result)

    def _begin_round(self, context: RequestContext, meta: RequestMeta) -> RequestRound:
        this_round = RequestRound(self._signer, context.request, meta.capabilities)
        context.questions = this_round.questions
        return this_round

    def _join(
        self, handle: object, context: RequestContext, tool: str, arguments: Mapping[str, Any]
    ) -> tuple[McpSession, bool] | Reply:
        """Return where to make the call, or the reply that says why it cannot be made."""
        try:
            if handle is not None and not isinstance(handle, str):
                return _unknown_session()
            name, origin = context.session_name, context.origin
            wanted = SessionRequest(handle, name, origin, tool, arguments)
            return self._sessions.join(wanted) or _unknown_session()
        except TabmuxError as error:
            return Reply.failure(error)

    async def _listen(self, context: RequestContext, wanted: Message) -> Message:
        meta = {SUBSCRIPTION_ID: context.request.id}
        subscription = Subscription(wanted, self._sessions.on_tools_changed, self._server.resources)
        self._wakers.add(subscription.waker)
        try:
            acknowledged = {"notifications": subscription.honoured, "_meta": meta}
            context.notify("notifications/subscriptions/acknowledged", acknowledged)
            while not self._is_closing:
                for method, params in await subscription.news():
                    context.notify(method, {**params, "_meta": meta})
                await context.writer.drained()
        finally:
            subscription.stop()
            self._wakers.discard(subscription.waker)
        return self._stamped({"resultType": "complete", "_meta": meta})

    def _stamped(self, result: Message) -> Message:
        meta = {**result.get("_meta", {}), SERVER_INFO_META_KEY: self._server.stamp()}
        return {**result, "_meta": meta}


def _stateless_key(session: McpSession, request: RpcRequest) -> str:
    """Tell a request from others of its session, whose clients may all count from 1."""
    digest = blake2b(msgspec.json.encode(request.params), digest_size=8).hexdigest()
    return request_key(f"{session.handle} {digest}", request.id)


def _log_during(
    session: McpSession, context: RequestContext, level: str | None
) -> Callable[[], None]:
    """Pass on what a call logs, if its request asked for that; returns how to stop."""
    if level is None:
        return lambda: None

    def log(at: str, data: Any) -> None:
        if current.get() is context and tool_messages.reaches_level(at, level):
            context.notify("notifications/message", tool_messages.log_message(at, data))

    return session.on_log(log)


def _unknown_session() -> Reply:
    return Reply.failure(
        Misuse(
            "There is no such session; it may have ended.",
            hint="Call navigate_page without `session` to open a new one: its handle is then on "
            "the last line of the reply.",
            code="unknown_session",
        )
    )
