"""Forwarding: a request that another daemon answers is passed on to it, and its answer back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from urllib.parse import unquote, urlsplit

import httptools

from tabmux.mcp.http.http_request import CALL_HEADER, HttpRequest
from tabmux.mcp.http.server_sent_events import PING_SECONDS

logger = logging.getLogger(__name__)

CONNECT_SECONDS = 1.0
SEND_SECONDS = 15.0
# Between two looks whether the other daemon still answers for the session.
LOOK_SECONDS = 0.25
# A stream of events is never silent for longer; another answer may come when a call has ended.
STREAM_SILENCE = 4 * PING_SECONDS
LONGEST_SILENCE = 3600.0
MOST_HEADERS = 64 * 1024
_CHUNK = 1 << 16
# The answer to a request that reached a daemon which does not answer for its session.
MOVED_HEADER = "tabmux-moved"

_NOT_SENT = {
    "authorization", "connection", "content-length", "expect", "host", "keep-alive", "origin",
    "te", "trailer", "transfer-encoding", "upgrade", "tabmux-forwarded",
}  # fmt: skip
_NOT_RETURNED = {"connection", "date", "keep-alive", "server", "transfer-encoding", CALL_HEADER}


class PeerMoved(Exception):
    """The other daemon does not answer for the session any more; it has done nothing."""


class PeerUnreachable(Exception):
    """The other daemon was not reached; it has done nothing."""


class PeerBroken(Exception):
    """The other daemon broke off; how far it came is unknown."""


class ForwardedExchange:
    """One request on its way through this daemon.

    Args:
        http: The client's request.
        body: Its body.
        signature: What shows the other daemon who we are.
        still_answers: Whether the other one still answers for the session.
    """

    def __init__(
        self,
        http: HttpRequest,
        body: bytes,
        signature: tuple[str, str],
        still_answers: Callable[[], bool],
    ) -> None:
        self._http, self._body, self._signature = http, body, signature
        self._still_answers = still_answers
        self._parser = httptools.HttpResponseParser(self)
        self._headers: list[tuple[str, str]] = []
        self._chunks: list[bytes] = []
        self._size = 0
        self._has_head = self._complete = False
        # The key of the call that was answered, if it was an action.
        self.call = ""

    async def run(self, address: str) -> None:
        """Ask a daemon, and pass its answer back as it comes."""
        parts = urlsplit(address)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                reader, writer = await asyncio.open_connection(parts.hostname, parts.port or 80)
        except (OSError, TimeoutError) as error:
            raise PeerUnreachable(str(error)) from error
        try:
            await self._send(writer, parts.netloc)
            await self._receive(reader)
        except (OSError, httptools.HttpParserError) as error:
            raise PeerBroken(str(error)) from error
        finally:
            writer.transport.abort()

    async def _send(self, writer: asyncio.StreamWriter, host: str) -> None:
        lines = [f"{self._http.method} {self._http.target} HTTP/1.1", f"host: {host}"]
        lines += [f"{name}: {value}" for name, value in self._request_headers()]
        lines += [f"content-length: {len(self._body)}", "connection: close", "", ""]
        writer.write("\r\n".join(lines).encode("latin-1") + self._body)
        async with asyncio.timeout(SEND_SECONDS):
            await writer.drain()

    def _request_headers(self) -> Sequence[tuple[str, str]]:
        kept = [(k, v) for k, v in self._http.raw_headers if k not in _NOT_SENT]
        return [*(pair for pair in kept if not pair[0].startswith("sec-")), self._signature]

    async def _receive(self, reader: asyncio.StreamReader) -> None:
        while not self._complete:
            chunk = await self._next(reader)
            if not chunk:
                raise PeerBroken("it hung up")
            self._parser.feed_data(chunk)
            if not self._has_head and self._size > MOST_HEADERS:
                raise PeerBroken("its headers are too long")
            if self._has_head:
                await self._pass_back()

    async def _next(self, reader: asyncio.StreamReader) -> bytes:
        """Wait for more, as long as the other daemon answers for the session."""
        is_stream = self._has_head and self._http.has_begun
        left = STREAM_SILENCE if is_stream else LONGEST_SILENCE
        while left > 0:
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    return await reader.read(_CHUNK)
            except TimeoutError:
                left -= LOOK_SECONDS
            if not self._still_answers():
                raise PeerBroken("its lease has ended")
        raise PeerBroken("it is silent")

    async def _pass_back(self) -> None:
        if not self._http.has_begun:
            await self._begin()
        chunks, self._chunks = self._chunks, []
        if chunks or self._complete:
            await self._http.write(b"".join(chunks), more=not self._complete)

    async def _begin(self) -> None:
        found = dict(self._headers)
        if MOVED_HEADER in found:
            raise PeerMoved
        self.call = unquote(found.get(CALL_HEADER, ""))
        kept = [(name, value) for name, value in self._headers if name not in _NOT_RETURNED]
        await self._http.start(self._parser.get_status_code(), kept)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Note a header."""
        self._size += len(name) + len(value)
        self._headers.append((name.decode("latin-1").lower(), value.decode("latin-1")))

    def on_headers_complete(self) -> None:
        """Note that the body follows."""
        self._has_head = True

    def on_body(self, body: bytes) -> None:
        """Note a part of the body."""
        self._chunks.append(body)

    def on_message_complete(self) -> None:
        """Note that this was all."""
        self._complete = True
