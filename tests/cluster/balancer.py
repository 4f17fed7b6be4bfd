"""A round-robin balancer without sticky sessions: every request goes to the next server."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator

LARGEST_HEAD = 1 << 16
_BAD_GATEWAY = b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Balancer:
    """One address for several servers; who cannot be reached is passed over."""

    def __init__(self, *ports: int) -> None:
        self._ports, self._turns = ports, itertools.count()
        self.port = 0

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}/mcp"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request, and hang up."""
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            request = head + await reader.readexactly(_length(head))
            upstream = await self._reach()
            if upstream is None:
                writer.write(_BAD_GATEWAY)
                await writer.drain()
                return
            await self._relay(request, upstream, reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.transport.abort() if writer.is_closing() else writer.close()

    async def _relay(
        self,
        request: bytes,
        upstream: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        answer, ask = upstream
        try:
            ask.write(request.replace(b"\r\n", b"\r\nconnection: close\r\n", 1))
            async with asyncio.TaskGroup() as group:
                copying = group.create_task(_copy(answer, writer))
                watching = group.create_task(reader.read())
                copying.add_done_callback(lambda _: watching.cancel())
                watching.add_done_callback(lambda _: copying.cancel())
        finally:
            ask.close()

    async def _reach(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        turn = next(self._turns)
        for at in range(len(self._ports)):
            with contextlib.suppress(OSError):
                port = self._ports[(turn + at) % len(self._ports)]
                return await asyncio.open_connection("127.0.0.1", port)
        return None


async def _copy(answer: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while chunk := await answer.read(1 << 16):
            writer.write(chunk)
            await writer.drain()


def _length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    return 0


@contextlib.asynccontextmanager
async def balancer(*ports: int) -> AsyncIterator[Balancer]:
    """Balance among servers on these ports of loopback."""
    balancing = Balancer(*ports)
    server = await asyncio.start_server(
        balancing.serve, "127.0.0.1", 0, limit=LARGEST_HEAD, backlog=1000
    )
    balancing.port = server.sockets[0].getsockname()[1]
    async with server:
        yield balancing
