"""Server-sent events: a stream of messages as an HTTP answer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from tabmux.mcp.http.http_request import HttpRequest
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


async def begin(http: HttpRequest, headers: Iterable[tuple[str, str]] = ()) -> None:
    """Start an answer that is a stream of events."""
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
