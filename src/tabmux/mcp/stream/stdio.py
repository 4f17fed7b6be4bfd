"""Stdio: MCP over standard input and output."""

from __future__ import annotations

import asyncio
import logging
import os
import stat
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from tabmux.mcp.backend import Backend
from tabmux.mcp.stream.handshake import Handshake
from tabmux.mcp.stream.line_stream import ByteSink, ByteSource, serve_stream

logger = logging.getLogger(__name__)

FLUSH_SECONDS = 2.0

_BUFFER = 1024 * 1024


async def serve_stdio(
    backend: Backend,
    *,
    stdin: int | None = None,
    stdout: int | None = None,
    version: str,
    handshake: Handshake | None = None,
) -> None:
    """Serve one client until the end of its input, and then end its session.

    Args:
        backend: Where the client's session comes from.
        stdin: A descriptor to read instead of standard input.
        stdout: A descriptor to write instead of standard output.
        version: Our version, as the client is told.
        handshake: What has been read before.
    """
    begun = handshake or Handshake()
    with _input(stdin) as reading, _output(stdout) as writing:
        async with _source(reading, begun.rest) as source, _sink(writing) as sink:
            await serve_stream(backend, source, sink, version=version, introduced=begun.initialize)


@contextmanager
def _input(given: int | None) -> Iterator[int]:
    """Keep standard input to ourselves: a browser that we start must not read from it."""
    if given is not None:
        yield given
        return
    with open(os.devnull, "rb") as nothing, _taken(0, nothing.fileno()) as own:
        yield own


@contextmanager
def _output(given: int | None) -> Iterator[int]:
    """Keep standard output to ourselves: what anyone prints goes to standard error."""
    if given is not None:
        yield given
        return
    sys.stdout.flush()
    with _taken(1, 2) as own:
        yield own
        sys.stdout.flush()


@contextmanager
def _taken(descriptor: int, stand_in: int) -> Iterator[int]:
    own = os.dup(descriptor)
    os.dup2(stand_in, descriptor)
    try:
        yield own
    finally:
        os.dup2(own, descriptor)
        os.close(own)


@asynccontextmanager
async def _source(descriptor: int, begun: bytes) -> AsyncIterator[ByteSource]:
    """Open what is read from.

    Args:
        descriptor: The file or pipe.
        begun: What has been read of the pipe already; a file is never begun.
    """
    if not _can_be_polled(descriptor):
        yield _File(descriptor)
        return
    loop, reader = asyncio.get_running_loop(), asyncio.StreamReader(_BUFFER)
    reader.feed_data(begun)
    with _nonblocking(descriptor) as own:
        protocol = asyncio.StreamReaderProtocol(reader)
        transport, _ = await loop.connect_read_pipe(lambda: protocol, os.fdopen(own, "rb", 0))
        try:
            yield reader
        finally:
            transport.close()


@asynccontextmanager
async def _sink(descriptor: int) -> AsyncIterator[ByteSink]:
    if not _can_be_polled(descriptor):
        yield _File(descriptor)
        return
    loop = asyncio.get_running_loop()
    with _nonblocking(descriptor) as own:
        protocol = asyncio.StreamReaderProtocol(asyncio.StreamReader())
        transport, _ = await loop.connect_write_pipe(lambda: protocol, os.fdopen(own, "wb", 0))
        writer = asyncio.StreamWriter(transport, protocol, None, loop)
        try:
            yield writer
        finally:
            await _flushed(writer)


async def _flushed(writer: asyncio.StreamWriter) -> None:
    """Close, but do not wait for ever on a client that no longer reads."""
    writer.close()
    try:
        async with asyncio.timeout(FLUSH_SECONDS):
            await writer.wait_closed()
    except TimeoutError:
        writer.transport.abort()
    except ConnectionError:
        logger.debug("The client did not take our last words")


@contextmanager
def _nonblocking(descriptor: int) -> Iterator[int]:
    """Yield a copy for asyncio, which makes the open file itself non-blocking; undo that after."""
    try:
        yield os.dup(descriptor)
    finally:
        os.set_blocking(descriptor, True)


def _can_be_polled(descriptor: int) -> bool:
    mode = os.fstat(descriptor).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(descriptor)


class _File:
    """A file on disk, or /dev/null, which asyncio cannot wait for and which never makes us wait."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    async def read(self, n: int = -1, /) -> bytes:
        return await asyncio.to_thread(os.read, self._descriptor, n)

    def write(self, data: bytes, /) -> None:
        while data:
            data = data[os.write(self._descriptor, data) :]

    async def drain(self) -> None:
        pass
