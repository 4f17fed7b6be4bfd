"""WebSocket: MCP with a text frame a message, and a session a connection unless one is named."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, deque
from collections.abc import AsyncIterator
from urllib.parse import parse_qsl

from tabmux.mcp.backend import Backend
from tabmux.mcp.connection import Connection
from tabmux.mcp.http.http_limits import HttpLimits, TokenBucket
from tabmux.mcp.http.http_request import (
    SESSION_NAME_QUERY,
    Event,
    Receive,
    Scope,
    Send,
    is_session_name,
)
from tabmux.mcp.http.session_routing import SessionRouter
from tabmux.mcp.rpc import Id
from tabmux.mcp.stream.line_stream import GRACE_SECONDS, receive_frame

logger = logging.getLogger(__name__)

SUBPROTOCOL = "mcp"
HIGH_WATER = 1024 * 1024
MOST_QUEUED = 64 * 1024 * 1024

_TRY_LATER = 1013
_BAD_NAME = 1008


class WebSocketEndpoint:
    """The ASGI application at `/mcp/ws`."""

    def __init__(
        self,
        backend: Backend,
        *,
        version: str,
        limits: HttpLimits,
        router: SessionRouter | None = None,
    ) -> None:
        self._backend, self._version, self._limits = backend, version, limits
        self._router = router
        self._open: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._open.total()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one client until it leaves."""
        await receive()
        client = (scope.get("client") or ("", 0))[0]
        name = dict(parse_qsl(scope["query_string"].decode("latin-1"))).get(SESSION_NAME_QUERY, "")
        if name and not is_session_name(name):
            await send({"type": "websocket.close", "code": _BAD_NAME})
            return
        if name and self._router is not None and not await self._router.is_here(name):
            # Whoever tries again reaches another server.
            await send({"type": "websocket.close", "code": _TRY_LATER})
            return
        if self._is_full(client):
            await send({"type": "websocket.close", "code": _TRY_LATER})
            return
        offered = SUBPROTOCOL if SUBPROTOCOL in scope.get("subprotocols", ()) else None
        await send({"type": "websocket.accept", "subprotocol": offered})
        self._open[client] += 1
        try:
            await self._serve(receive, send, name)
        finally:
            self._open -= Counter([client])

    def _is_full(self, client: str) -> bool:
        most, most_each = self._limits.sessions, self._limits.sessions_each
        return len(self) >= most or self._open[client] >= most_each

    async def _serve(self, receive: Receive, send: Send, name: str) -> None:
        """Serve a session of its own, or the one of this name, which outlives the connection."""
        writer = FrameWriter(self._limits.timings.write)
        async with asyncio.TaskGroup() as group:
            connection = Connection(
                self._backend,
                writer,
                group,
                version=self._version,
                join=lambda: (
                    (self._backend.labelled(name) if name else None) or self._backend.open(name)
                ),
                keeps_session=bool(name),
            )
            writing = group.create_task(writer.write(send))
            reading = group.create_task(self._read(receive, connection, writer))
            try:
                await asyncio.wait([writing, reading], return_when=asyncio.FIRST_COMPLETED)
            finally:
                reading.cancel()
                await connection.close(GRACE_SECONDS)
                writer.end()

    async def _read(self, receive: Receive, connection: Connection, writer: FrameWriter) -> None:
        """Read no faster than one client may ask."""
        rate, burst = self._limits.rate, self._limits.burst
        bucket = TokenBucket(rate, burst, burst, time.monotonic())
        async for frame in _frames(receive):
            if wait := bucket.take(time.monotonic()):
                await asyncio.sleep(wait)
                bucket.take(time.monotonic())
            receive_frame(connection, writer, frame)


async def _frames(receive: Receive) -> AsyncIterator[bytes]:
    while (event := await receive())["type"] == "websocket.receive":
        yield _bytes(event)


def _bytes(event: Event) -> bytes:
    text = event.get("text")
    return event.get("bytes") or b"" if text is None else text.encode()


class FrameWriter:
    """Writes messages as text frames; a client that does not read is given up."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._frames: deque[bytes] = deque()
        self._queued = 0
        self._changed, self._room = asyncio.Event(), asyncio.Event()
        self._is_ending = self._is_given_up = False
        self._room.set()

    def send(self, frame: bytes) -> None:
        """Queue a message."""
        if not self._is_given_up:
            self._frames.append(frame)
            self._count(len(frame))
            self._changed.set()

    finish = send

    def abandon(self, ident: Id) -> None:
        """Say nothing: whoever cancelled expects no answer."""

    async def drained(self) -> None:
        """Wait until the client has taken most of what is queued."""
        await self._room.wait()

    def end(self) -> None:
        """Write what is queued, and no more."""
        self._is_ending = True
        self._changed.set()

    async def write(self, send: Send) -> None:
        """Write until the end."""
        try:
            while frame := await self._next():
                async with asyncio.timeout(self._seconds):
                    await send({"type": "websocket.send", "text": frame.decode()})
                self._count(-len(frame))
        except (TimeoutError, OSError):
            logger.info("A client does not read its socket and is given up")
        finally:
            self._is_given_up = True
            self._frames.clear()
            self._room.set()

    async def _next(self) -> bytes | None:
        while not self._frames and not self._is_ending:
            self._changed.clear()
            await self._changed.wait()
        if self._queued > MOST_QUEUED:
            raise TimeoutError
        return self._frames.popleft() if self._frames else None

    def _count(self, size: int) -> None:
        self._queued += size
        if self._queued < HIGH_WATER:
            self._room.set()
        else:
            self._room.clear()
