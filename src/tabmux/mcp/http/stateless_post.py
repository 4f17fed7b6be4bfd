"""Stateless requests over HTTP: each a POST that says everything about itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from tabmux.content import ToolSpec
from tabmux.errors import Busy
from tabmux.mcp import rpc
from tabmux.mcp.backend import Backend, McpSession
from tabmux.mcp.dispatch import request_meta
from tabmux.mcp.dispatch.request_context import RequestContext
from tabmux.mcp.dispatch.request_meta import METHOD_HEADER, NAME_HEADER, VERSION_HEADER, RequestMeta
from tabmux.mcp.dispatch.stateless import StatelessDispatcher
from tabmux.mcp.http.http_limits import SessionQuota
from tabmux.mcp.http.http_request import HttpRefusal, HttpRequest
from tabmux.mcp.http.replay_buffer import ReplayBuffer, ReplyStream
from tabmux.mcp.http.server_sent_events import EVENT_STREAM, deliver
from tabmux.mcp.rpc import Incoming, Message, RpcError, RpcNotification, RpcRequest
from tabmux.mcp.schema import HEADER_MISMATCH, INTERNAL_ERROR, METHOD_NOT_FOUND

_ROUTING = {VERSION_HEADER, METHOD_HEADER, NAME_HEADER}


class StatelessSessions:
    """Finds or opens the session of each stateless request over HTTP."""

    def __init__(self, backend: Backend, quota: SessionQuota) -> None:
        self._backend, self._quota = backend, quota

    def tools(self) -> Sequence[ToolSpec]:
        """List the tools as they are in a session where nothing has happened."""
        return self._backend.tools()

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when that list changes; returns how to stop."""
        return self._backend.on_tools_changed(listener)

    def join(self, handle: str | None, origin: str) -> tuple[McpSession, bool] | None:
        """Return the session with this handle, or a new one."""
        if handle is not None:
            found = self._backend.find(handle)
            return None if found is None else (found, False)
        if reason := self._quota.full(origin):
            raise Busy(reason, hint="Pass the session you already have.")
        opened = self._backend.open()
        self._quota.count(opened, origin)
        return opened, True

    async def discard(self, session: McpSession) -> None:
        """Close a session whose handle never reached its client."""
        await session.close()


async def post(http: HttpRequest, message: Incoming, stateless: StatelessDispatcher) -> None:
    """Answer one request; when the client hangs up, the work is cancelled."""
    if isinstance(message, RpcNotification):
        request_meta.check_version(http.headers.get(VERSION_HEADER, ""))
        await http.reply(202)
    elif isinstance(message, RpcRequest):
        await _request(http, message, stateless)
    else:
        raise HttpRefusal(400, "The server asks nothing, so there is nothing to answer.")


async def _request(http: HttpRequest, request: RpcRequest, stateless: StatelessDispatcher) -> None:
    if request.method == "subscriptions/listen" and not http.accepts(EVENT_STREAM):
        raise HttpRefusal(406, f"Accept must name {EVENT_STREAM}.")
    stream = ReplayBuffer().reply()
    context = RequestContext(request, stream, stateless, http.client)
    started: list[Coroutine[Any, Any, Message]] = []
    try:
        meta = _read_meta(http, request)
        stateless.receive(context, meta, lambda _, work: started.append(work))
    except RpcError as error:
        await http.reply(_status(error), rpc.error(request.id, error))
        return
    if started:
        await http.stay(_work(http, context, started.pop(), stream))
    else:
        await deliver(http, stream)


def _read_meta(http: HttpRequest, request: RpcRequest) -> RequestMeta:
    if again := http.repeated & _ROUTING:
        raise RpcError(HEADER_MISMATCH, f"The header {again.pop()} appears more than once.")
    return request_meta.read_meta(request, http.headers)


async def _work(
    http: HttpRequest,
    context: RequestContext,
    work: Coroutine[Any, Any, Message],
    stream: ReplyStream,
) -> None:
    async with asyncio.TaskGroup() as group:
        working = group.create_task(context.settle(work))
        await deliver(http, stream, status=lambda: _status(context.error))
        working.cancel()


def _status(error: RpcError | None) -> int:
    """Return the HTTP status of an answer that is not a stream."""
    if error is None or error.code == INTERNAL_ERROR:
        return 200
    return 404 if error.code == METHOD_NOT_FOUND else 400
