"""Wires: bytes to a port and what comes back, with nothing in between that would mend them."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.hostile.tally import HANG_SECONDS

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
# For a server that waits for more, and rightly so.
PATIENCE_SECONDS = 2.0


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[Streams]:
    """Connect to a port of this machine for the length of the block."""
    async with asyncio.timeout(HANG_SECONDS):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            yield reader, writer
        finally:
            writer.close()


async def exchange(port: int, data: bytes, patience: float = PATIENCE_SECONDS) -> bytes:
    """Send bytes, say that there are no more, and return what comes back in this time."""
    async with connected(port) as (reader, writer):
        return await send_last(reader, writer, data, patience)


async def exchange_frames(port: int, request: bytes, frames: bytes) -> tuple[bytes, bytes]:
    """Open a WebSocket in order, and go on with these bytes; returns both answers."""
    async with connected(port) as (reader, writer):
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        return head, await send_last(reader, writer, frames, 0.2)


async def send_last(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, data: bytes, patience: float
) -> bytes:
    """Send the last bytes of a connection, and return what comes back in this time."""
    with suppress(OSError):
        writer.write(data)
        writer.write_eof()
    with suppress(TimeoutError, OSError):
        async with asyncio.timeout(patience):
            return await reader.read(4096)
    return b""


def upgrade(port: int, target: str = "/mcp/ws", **headers: str) -> bytes:
    """Return a proper request for a WebSocket."""
    key = base64.b64encode(b"0123456789abcdef").decode()
    more = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return (
        f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n{more}"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
    ).encode()
