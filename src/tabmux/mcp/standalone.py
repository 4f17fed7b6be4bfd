"""Stateless requests over HTTP: each a POST that says everything about itself."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from tabmux.mcp import envelope, rpc
from tabmux.mcp.asgi import Ask, Refusal
from tabmux.mcp.delivery import deliver
from tabmux.mcp.envelope import METHOD_HEADER, NAME_HEADER, VERSION_HEADER, Envelope
from tabmux.mcp.events import ReplyStream, Tape
from tabmux.mcp.exchange import Exchange
from tabmux.mcp.rpc import Fault, Incoming, Message, Notification, Request
from tabmux.mcp.schema import HEADER_MISMATCH, INTERNAL_ERROR, METHOD_NOT_FOUND
from tabmux.mcp.sse import EVENT_STREAM
from tabmux.mcp.stateless import Stateless

_ROUTING = {VERSION_HEADER, METHOD_HEADER, NAME_HEADER}


async def post(ask: Ask, message: Incoming, stateless: Stateless) -> None:
    """Answer one request; when the client hangs up, the work is cancelled."""
    if isinstance(message, Notification):
        envelope.check_version(ask.headers.get(VERSION_HEADER, ""))
        await ask.reply(202)
    elif isinstance(message, Request):
        await _request(ask, message, stateless)
    else:
        raise Refusal(400, "The server asks nothing, so there is nothing to answer.")


async def _request(ask: Ask, request: Request, stateless: Stateless) -> None:
    if request.method == "subscriptions/listen" and not ask.accepts(EVENT_STREAM):
        raise Refusal(406, f"Accept must name {EVENT_STREAM}.")
    stream = Tape().reply()
    exchange = Exchange(request, stream, stateless, ask.client)
    started: list[Coroutine[Any, Any, Message]] = []
    try:
        opened = _opened(ask, request)
        stateless.receive(exchange, opened, lambda _, work: started.append(work))
    except Fault as fault:
        await ask.reply(_status(fault), rpc.error(request.id, fault))
        return
    if started:
        await ask.stay(_work(ask, exchange, started.pop(), stream))
    else:
        await deliver(ask, stream)


def _opened(ask: Ask, request: Request) -> Envelope:
    if again := ask.repeated & _ROUTING:
        raise Fault(HEADER_MISMATCH, f"The header {again.pop()} appears more than once.")
    return envelope.opened(request, ask.headers)


async def _work(
    ask: Ask, exchange: Exchange, work: Coroutine[Any, Any, Message], stream: ReplyStream
) -> None:
    async with asyncio.TaskGroup() as group:
        working = group.create_task(exchange.settle(work))
        await deliver(ask, stream, status=lambda: _status(exchange.fault))
        working.cancel()


def _status(fault: Fault | None) -> int:
    """Return the HTTP status of an answer that is not a stream."""
    if fault is None or fault.code == INTERNAL_ERROR:
        return 200
    return 404 if fault.code == METHOD_NOT_FOUND else 400
