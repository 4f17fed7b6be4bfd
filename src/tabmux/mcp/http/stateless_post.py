"""Stateless requests over HTTP: each a POST that says everything about itself."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from tabmux.mcp import rpc
from tabmux.mcp.dispatch import request_meta
from tabmux.mcp.dispatch.request_context import RequestContext
from tabmux.mcp.dispatch.request_meta import METHOD_HEADER, NAME_HEADER, VERSION_HEADER, RequestMeta
from tabmux.mcp.dispatch.stateless import StatelessDispatcher
from tabmux.mcp.http.http_request import HttpRefusal, HttpRequest
from tabmux.mcp.http.replay_buffer import ReplayBuffer, ReplyStream
from tabmux.mcp.http.response_stream import deliver
from tabmux.mcp.http.server_sent_events import EVENT_STREAM
from tabmux.mcp.rpc import Incoming, Message, RpcError, RpcNotification, RpcRequest
from tabmux.mcp.schema import HEADER_MISMATCH, INTERNAL_ERROR, METHOD_NOT_FOUND

_ROUTING = {VERSION_HEADER, METHOD_HEADER, NAME_HEADER}


async def post(ask: HttpRequest, message: Incoming, stateless: StatelessDispatcher) -> None:
    """Answer one request; when the client hangs up, the work is cancelled."""
    if isinstance(message, RpcNotification):
        request_meta.check_version(ask.headers.get(VERSION_HEADER, ""))
        await ask.reply(202)
    elif isinstance(message, RpcRequest):
        await _request(ask, message, stateless)
    else:
        raise HttpRefusal(400, "The server asks nothing, so there is nothing to answer.")


async def _request(ask: HttpRequest, request: RpcRequest, stateless: StatelessDispatcher) -> None:
    if request.method == "subscriptions/listen" and not ask.accepts(EVENT_STREAM):
        raise HttpRefusal(406, f"Accept must name {EVENT_STREAM}.")
    stream = ReplayBuffer().reply()
    exchange = RequestContext(request, stream, stateless, ask.client)
    started: list[Coroutine[Any, Any, Message]] = []
    try:
        opened = _opened(ask, request)
        stateless.receive(exchange, opened, lambda _, work: started.append(work))
    except RpcError as fault:
        await ask.reply(_status(fault), rpc.error(request.id, fault))
        return
    if started:
        await ask.stay(_work(ask, exchange, started.pop(), stream))
    else:
        await deliver(ask, stream)


def _opened(ask: HttpRequest, request: RpcRequest) -> RequestMeta:
    if again := ask.repeated & _ROUTING:
        raise RpcError(HEADER_MISMATCH, f"The header {again.pop()} appears more than once.")
    return request_meta.read_meta(request, ask.headers)


async def _work(
    ask: HttpRequest,
    exchange: RequestContext,
    work: Coroutine[Any, Any, Message],
    stream: ReplyStream,
) -> None:
    async with asyncio.TaskGroup() as group:
        working = group.create_task(exchange.settle(work))
        await deliver(ask, stream, status=lambda: _status(exchange.fault))
        working.cancel()


def _status(fault: RpcError | None) -> int:
    """Return the HTTP status of an answer that is not a stream."""
    if fault is None or fault.code == INTERNAL_ERROR:
        return 200
    return 404 if fault.code == METHOD_NOT_FOUND else 400
