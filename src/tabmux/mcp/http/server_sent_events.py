"""Server-sent events: an HTTP answer as a stream of messages, or as JSON when it is just one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tabmux.mcp.http.http_request import JSON, Headers, HttpRefusal, HttpRequest
from tabmux.mcp.http.replay_buffer import MessageStream

EVENT_STREAM = "text/event-stream"
PING_SECONDS = 15.0
RETRY_MILLISECONDS = 1_000

_HEADERS = (
    ("content-type", EVENT_STREAM),
    ("cache-control", "no-cache, no-transform"),
    ("x-accel-buffering", "no"),
)
_PING = b": ping\n\n"


def event(data: bytes, *, ident: str = "", name: str = "message") -> bytes:
    """Frame one event; the data is one line, as JSON is."""
    number = b"id: " + ident.encode() + b"\n" if ident else b""
    return b"event: " + name.encode() + b"\n" + number + b"data: " + data + b"\n\n"


def primer(stream: MessageStream, after: int) -> bytes:
    """Frame an event without data, that lets a client resume before it has received any."""
    return f"id: {stream.name}-{after}\nretry: {RETRY_MILLISECONDS}\ndata: \n\n".encode()


async def begin(http: HttpRequest, headers: Headers = ()) -> None:
    """Start an answer that is a stream of events."""
    http.is_stream = True
    await http.start(200, [*_HEADERS, *headers])


async def play(
    http: HttpRequest, stream: MessageStream, after: int, *, numbered: bool = False
) -> None:
    """Send the messages of a stream that follow a number, until it ends or has a new reader.

    Numbered ones are kept, for the client can ask for them again.
    """
    reader = stream.attach()
    while found := await _next(http, stream, after, reader):
        after, frame = found
        await http.write(event(frame, ident=f"{stream.name}-{after}" if numbered else ""))
        if not numbered:
            stream.release(after)
    await http.write(b"", more=False)


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
) -> None:
    """Send what a request's stream says: as a stream of events, or as JSON when it is just one."""
    if await _is_one_answer(http, stream):
        await http.reply(status(), stream.frame(stream.last) or b"", headers)
        stream.read = stream.last
        return
    await begin(http, headers)
    if resumable:
        await http.write(primer(stream, 0))
    await play(http, stream, 0, numbered=resumable)


async def _next(
    http: HttpRequest, stream: MessageStream, after: int, reader: object
) -> tuple[int, bytes] | None:
    """Wait for the next message; meanwhile keep the line from looking dead."""
    while not http.is_gone:
        try:
            async with asyncio.timeout(PING_SECONDS):
                return await stream.next(after, reader)
        except TimeoutError:
            await http.write(_PING)
    return None


async def _is_one_answer(http: HttpRequest, stream: MessageStream) -> bool:
    if not http.accepts(EVENT_STREAM):
        await stream.ended()
        return True
    if not http.accepts(JSON):
        return False
    try:
        async with asyncio.timeout(http.timings.plain_json):
            await stream.settled()
    except TimeoutError:
        return False
    return stream.is_done and stream.last == 1
