"""WebSocket transport: the link to a browser that somebody else started."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import picows

from tabmux.cdp.transports import Closed, Receive
from tabmux.errors import BrowserTrouble

MAX_MESSAGE = 256 * 1024 * 1024
CONNECT_SECONDS = 10.0
_DATA = (picows.WSMsgType.TEXT, picows.WSMsgType.BINARY, picows.WSMsgType.CONTINUATION)


class WebSocketTransport(picows.WSListener):
    """One WebSocket to a browser that somebody else started.

    No compression and no pings: both only cost time locally.
    """

    def __init__(self) -> None:
        self._transport: picows.WSTransport | None = None
        self._parts: list[bytes] = []
        self._early: list[bytes] = []
        self._receive: Receive | None = None
        self._closed: Closed | None = None
        self._reason: str | None = None

    def start(self, receive: Receive, closed: Closed) -> None:
        """Begin to deliver messages, those that came early first."""
        self._receive, self._closed = receive, closed
        early, self._early = self._early, []
        for message in early:
            receive(message)
        if self._reason is not None:
            closed(self._reason)

    def send(self, message: bytes) -> None:
        """Queue one message."""
        if self._transport is not None:
            self._transport.send(picows.WSMsgType.TEXT, message)

    def close(self) -> None:
        """Close the socket at once; Chrome needs no closing handshake."""
        if self._transport is not None:
            self._transport.disconnect()

    def on_ws_connected(self, transport: picows.WSTransport) -> None:
        """Keep the socket."""
        self._transport = transport

    def on_ws_frame(self, transport: picows.WSTransport, frame: picows.WSFrame) -> None:
        """Join fragments and hand on whole messages."""
        if frame.msg_type == picows.WSMsgType.CLOSE:
            transport.disconnect()
            return
        if frame.msg_type not in _DATA:
            return
        self._parts.append(frame.get_payload_as_bytes())
        if not frame.fin:
            return
        message = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        self._parts = []
        if self._receive is None:
            self._early.append(message)
        else:
            self._receive(message)

    def on_ws_disconnected(self, transport: picows.WSTransport) -> None:
        """Tell the owner that the link is gone."""
        self._transport = None
        self._reason = "the WebSocket was closed"
        if self._closed is not None:
            self._closed(self._reason)


async def connect_websocket(
    url: str, headers: Mapping[str, str] | None = None, timeout: float = CONNECT_SECONDS
) -> WebSocketTransport:
    """Open a WebSocket to a browser's debugging endpoint.

    Args:
        url: The ws:// or wss:// address.
        headers: Sent with the handshake, for endpoints behind a gateway.
        timeout: Seconds until the attempt is given up.
    """
    try:
        async with asyncio.timeout(timeout):
            _, listener = await picows.ws_connect(
                WebSocketTransport,
                url,
                max_frame_size=MAX_MESSAGE,
                extra_headers=dict(headers or {}),
                max_redirects=0,
            )
    except TimeoutError as error:
        raise BrowserTrouble(f"{url} did not answer within {timeout:g} s") from error
    except (OSError, picows.WSError) as error:
        raise BrowserTrouble(f"Could not open {url}: {error}") from error
    if not isinstance(listener, WebSocketTransport):
        # What picows 2.3 answers where the other side hangs up instead of agreeing.
        raise BrowserTrouble(f"Could not open {url}: the connection was closed")
    return listener
