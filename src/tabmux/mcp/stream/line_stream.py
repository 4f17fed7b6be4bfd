"""Line streams: MCP over a stream of bytes, one message a line, as stdio and sockets carry it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from typing import Protocol

from tabmux.mcp import rpc
from tabmux.mcp.backend import Backend, McpSession
from tabmux.mcp.connection import Connection
from tabmux.mcp.dispatch.request_context import MessageWriter
from tabmux.mcp.rpc import Id, Message, RpcError
from tabmux.mcp.schema import INTERNAL_ERROR, INVALID_REQUEST

logger = logging.getLogger(__name__)

LONGEST_LINE = 64 * 1024 * 1024
# Answers that are nearly ready still reach a script that closed its end after the last request.
GRACE_SECONDS = 0.5

_CHUNK = 256 * 1024


class ByteSource(Protocol):
    """Where bytes come from; asyncio.StreamReader is one."""

    async def read(self, n: int = -1, /) -> bytes:
        """Return some bytes, or none at the end."""


class ByteSink(Protocol):
    """Where bytes go; asyncio.StreamWriter is one."""

    def write(self, data: bytes, /) -> None:
        """Queue bytes."""

    async def drain(self) -> None:
        """Wait until the queue is short again."""


async def serve_stream(
    backend: Backend,
    source: ByteSource,
    sink: ByteSink,
    *,
    version: str,
    join: Callable[[], McpSession] | None = None,
    keeps_session: bool = False,
    name: str = "",
    introduced: Message | None = None,
) -> None:
    """Serve one client until its end of the stream closes.

    Args:
        backend: Where sessions come from.
        source: What the client sends.
        sink: What goes to the client.
        version: Our version, as the client is told.
        join: Returns the session to attach to; a new one when absent.
        keeps_session: Whether the session goes on when the client has left.
        name: A name of the connection that no other has, also not in the next server.
        introduced: The parameters of an `initialize` that has been answered before.
    """
    writer = LineWriter(sink)
    async with asyncio.TaskGroup() as group:
        connection = Connection(
            backend,
            writer,
            group,
            version=version,
            join=join,
            keeps_session=keeps_session,
            name=name,
        )
        try:
            if introduced is not None:
                connection.resume(introduced)
            async for line in lines(source):
                receive_frame(connection, writer, line)
        except ConnectionError:
            logger.debug("The client has gone away")
        finally:
            await connection.close(GRACE_SECONDS)


async def lines(source: ByteSource, longest: int = LONGEST_LINE) -> AsyncIterator[bytes | None]:
    """Cut a stream into lines; None stands for one that was too long."""
    rest, overlong = bytearray(), False
    while chunk := await source.read(_CHUNK):
        first, *more = chunk.split(b"\n")
        rest += first
        for following in more:
            yield None if overlong else bytes(rest)
            rest, overlong = bytearray(following), False
        if len(rest) > longest:
            rest, overlong = bytearray(), True
    if rest:
        yield bytes(rest)


def receive_frame(connection: Connection, writer: MessageWriter, frame: bytes | None) -> None:
    """Hand one message to its connection; what is no message is answered with an error."""
    if frame is not None and (not frame or frame.isspace()):
        return
    try:
        if frame is None:
            raise RpcError(INVALID_REQUEST, f"A message must not exceed {LONGEST_LINE} bytes.")
        message = rpc.parse(frame)
        connection.receive(message, writer)
    except RpcError as error:
        writer.send(rpc.error(error.ident, error))
    except Exception:  # the transport loop is a rim: the connection outlives one message
        logger.exception("A message failed")
        writer.send(rpc.error(None, RpcError(INTERNAL_ERROR, "The message could not be read.")))


class LineWriter:
    """Writes messages as lines."""

    def __init__(self, sink: ByteSink) -> None:
        self._sink = sink

    def send(self, frame: bytes) -> None:
        """Write a message."""
        self._sink.write(frame + b"\n")

    finish = send

    def abandon(self, ident: Id) -> None:
        """Say nothing: whoever cancelled expects no answer."""

    async def drained(self) -> None:
        """Wait for a slow reader; one that is gone shows at the other end of the stream."""
        try:
            await self._sink.drain()
        except ConnectionError:
            logger.debug("The client no longer reads")
