"""Response of a POST: plain JSON when it comes soon and alone, else a stream of events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tabmux.mcp.http import server_sent_events
from tabmux.mcp.http.http_request import JSON, Headers, HttpRefusal, HttpRequest
from tabmux.mcp.http.replay_buffer import MessageStream
from tabmux.mcp.http.server_sent_events import EVENT_STREAM

# A call that ends within this time, without a word before, is answered as plain JSON: it costs
# half as much, and the Python SDK's client refuses events of more than 1 MiB (mcp 2.3.0).
JSON_SECONDS = 2.0


def check_accept(http: HttpRequest) -> None:
    """Refuse a client that could read neither form."""
    if not http.accepts(JSON) and not http.accepts(EVENT_STREAM):
        raise HttpRefusal(406, f"Accept must name {JSON} and {EVENT_STREAM}.")


async def deliver(
    http: HttpRequest,
    stream: MessageStream,
    headers: Headers = (),
    *,
    resumable: bool = False,
    status: Callable[[], int] = lambda: 200,
) -> bool:
    """Send what a request's stream says; returns whether that was a stream of events."""
    if await _is_one_answer(http, stream):
        await http.reply(status(), stream.frame(stream.last) or b"", headers)
        return False
    await server_sent_events.begin(http, headers)
    if resumable:
        await http.write(server_sent_events.primer(stream, 0))
    await server_sent_events.play(http, stream, 0, numbered=resumable)
    return True


async def _is_one_answer(http: HttpRequest, stream: MessageStream) -> bool:
    if not http.accepts(EVENT_STREAM):
        await stream.ended()
        return True
    if not http.accepts(JSON):
        return False
    try:
        async with asyncio.timeout(JSON_SECONDS):
            await stream.settled()
    except TimeoutError:
        return False
    return stream.is_done and stream.last == 1
