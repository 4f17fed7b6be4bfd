from __future__ import annotations

import asyncio
import json

from tabmux.mcp.dispatch.calls_in_flight import CallsInFlight
from tabmux.mcp.dispatch.request_context import RequestContext
from tabmux.mcp.http.replay_buffer import ReplayBuffer
from tabmux.mcp.rpc import Message, RpcRequest
from tests.clock import AT_ONCE


async def work() -> Message:
    return {}


async def test_call_that_is_cancelled_before_it_began_is_settled_too() -> None:
    stream = ReplayBuffer().reply()
    async with asyncio.timeout(AT_ONCE), asyncio.TaskGroup() as group:
        calls = CallsInFlight(group)
        calls.start(RequestContext(RpcRequest(1, "tools/call", {}), stream, None), work())
        calls.cancel(1)
        await stream.ended()
    assert len(calls) == 0
    frame = stream.frame(1)
    assert frame is not None
    assert json.loads(frame)["error"]["message"] == "The request was cancelled."
