"""A local HTTP server, as small as Chromium accepts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

IDLE_SECONDS = 600.0
_NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


@dataclass(frozen=True)
class Site:
    """Answers every GET from memory, so that the site never decides a measurement."""

    answers: Mapping[str, bytes]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection until it is closed."""
        ends = (ConnectionError, asyncio.IncompleteReadError, TimeoutError)
        # The loop ends connections that are idle; asyncio of Python 3.11 would report that.
        with suppress(*ends, asyncio.CancelledError):
            async with asyncio.timeout(IDLE_SECONDS):
                while True:
                    head = await reader.readuntil(b"\r\n\r\n")
                    writer.write(self.answers.get(_path(head), _NOT_FOUND))
        writer.close()


@asynccontextmanager
async def open_site(pages: Mapping[str, str]) -> AsyncIterator[str]:
    """Serve the pages on a free port of 127.0.0.1 and yield the origin."""
    site = Site({path: _answer(html) for path, html in pages.items()})
    server = await asyncio.start_server(site.serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


def _path(head: bytes) -> str:
    target = head.split(b" ", 2)[1].decode("ascii", "replace")
    return target.partition("?")[0]


def _answer(html: str) -> bytes:
    body = html.encode()
    return (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\n"
        b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    )
