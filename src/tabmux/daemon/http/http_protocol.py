"""HTTP protocol: ends connections whose headers come too slowly, upgrades only with access."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import cache
from typing import Any, cast
from urllib.parse import unquote

import httptools
from starlette.responses import JSONResponse, Response
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tabmux.daemon.http.http_access import HttpAccess, log_request
from tabmux.mcp.http.http_request import HttpTimings

MOST_HEADER_BYTES = 64 * 1024
MOST_LINE_BYTES = 8_000
MOST_UPGRADE_HEADERS = 100


class HttpProtocol(HttpToolsProtocol):
    """Ends connections whose headers come too slowly or grow too long."""

    _deadline: asyncio.TimerHandle | None = None
    _header_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wind()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unwind()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._wind()

    def on_headers_complete(self) -> None:
        self._unwind()
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        if self._deadline is not None:
            self._header_bytes += len(data)
            if self._header_bytes > MOST_HEADER_BYTES and not self._ends_headers(data):
                self.transport.close()
                return
        super().data_received(data)

    def handle_websocket_upgrade(self) -> None:
        """Check access before anything is upgraded; keep out what would not be read anyway."""
        access: HttpAccess = cast(Any, self.config.app).state.access
        parsed = httptools.parse_url(self.url)
        path = unquote(parsed.path.decode("latin-1"))
        scope = {**self.scope, "path": path, "query_string": parsed.query or b""}
        refusal = access.refusal(scope) or _oversized(self.headers)
        if refusal is None:
            super().handle_websocket_upgrade()
            return
        log_request(scope, refusal.status_code, 0.0)
        fields = b"".join(b"%s: %s\r\n" % pair for pair in refusal.raw_headers)
        status = f"HTTP/1.1 {refusal.status_code} Refused\r\nconnection: close\r\n".encode()
        self.transport.write(status + fields + b"\r\n" + bytes(refusal.body))
        self.transport.close()

    def _ends_headers(self, data: bytes) -> bool:
        return b"\r\n\r\n" in data[:MOST_HEADER_BYTES]

    def _wind(self) -> None:
        self._unwind()
        loop = asyncio.get_running_loop()
        state = cast(Any, self.config.app).state
        seconds = getattr(state, "header_seconds", HttpTimings.header)
        self._deadline = loop.call_later(seconds, self.transport.close)

    def _unwind(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline, self._header_bytes = None, 0


def websocket(**options: Any) -> asyncio.Protocol:
    """Return the protocol of one WebSocket; imported when the first client wants one."""
    protocol = _websocket_protocol()(**options)
    # It would log addresses with their query, which may hold the token.
    protocol.logger = protocol.conn.logger = quiet = logging.getLogger(f"{__name__}.socket")
    quiet.setLevel(logging.WARNING)
    quiet.addFilter(_is_worth_a_line)
    return cast(asyncio.Protocol, protocol)


@cache
def _websocket_protocol() -> Any:
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
    from websockets.exceptions import InvalidState

    class WebSocketProtocol(WebSocketsSansIOProtocol):
        """Ends in order also where the peer says goodbye after bytes that are no text."""

        def data_received(self, data: bytes) -> None:
            try:
                super().data_received(data)
            except InvalidState:  # uvicorn 0.54 closes what is being closed already
                self.transport.write(b"".join(self.conn.data_to_send()))
                self.transport.close()

    return WebSocketProtocol


def _is_worth_a_line(record: logging.LogRecord) -> bool:
    """Anybody may send bytes that are no text; that closes a socket and fills no log."""
    return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError))


def _oversized(headers: Sequence[tuple[bytes, bytes]]) -> Response | None:
    """Refuse an upgrade that the WebSocket library would leave hanging (websockets 17.4)."""
    too_long = any(len(key) + len(value) > MOST_LINE_BYTES for key, value in headers)
    if too_long or len(headers) > MOST_UPGRADE_HEADERS:
        return JSONResponse({"error": "The headers are too long."}, 431)
    return None
