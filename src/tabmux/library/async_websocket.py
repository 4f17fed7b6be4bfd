"""Asynchronous WebSocket connection: the library's link to a daemon on another machine."""

from __future__ import annotations

import asyncio

import picows

from tabmux.library import wire
from tabmux.library.async_connection import AsyncConnection
from tabmux.library.server_url import ServerUrl

_DATA = (picows.WSMsgType.TEXT, picows.WSMsgType.BINARY, picows.WSMsgType.CONTINUATION)


class AsyncWebSocketConnection(AsyncConnection):
    """A connection over a WebSocket, one text frame a message."""

    def __init__(self) -> None:
        super().__init__(())
        self._transport: picows.WSTransport | None = None
        self._parts: list[bytes] = []

    @classmethod
    async def to(cls, server: ServerUrl) -> AsyncWebSocketConnection:
        """Connect, and say who we are."""
        made = cls()
        try:
            async with asyncio.timeout(wire.CONNECT_SECONDS):
                await picows.ws_connect(
                    lambda: _FrameListener(made),
                    server.websocket,
                    max_frame_size=wire.LARGEST_MESSAGE,
                    extra_headers={"Sec-WebSocket-Protocol": "mcp"},
                    max_redirects=0,
                )
        except TimeoutError as error:
            raise server.refused("it did not answer") from error
        except (OSError, picows.WSError) as error:
            raise server.refused(error) from error
        await made.introduce()
        return made

    def send(self, message: bytes) -> None:
        """Send one frame."""
        if self._transport is not None:
            self._transport.send(picows.WSMsgType.TEXT, message)

    def hang_up(self) -> None:
        """Say goodbye; the server closes when it has done."""
        if self._transport is not None:
            self._transport.send_close(picows.WSCloseCode.OK)

    def abort(self) -> None:
        """End the link at once."""
        if self._transport is not None:
            self._transport.disconnect()

    def open(self, transport: picows.WSTransport) -> None:
        """Keep the link."""
        self._transport = transport

    def frame(self, frame: picows.WSFrame) -> None:
        """Join fragments and take whole messages."""
        if frame.msg_type == picows.WSMsgType.CLOSE:
            self.abort()
        elif frame.msg_type in _DATA:
            self._parts.append(frame.get_payload_as_bytes())
            if frame.fin:
                message = b"".join(self._parts)
                self._parts.clear()
                self.receive(message)

    def closed(self) -> None:
        """Note the end of the link."""
        self._transport = None
        self.lose()


class _FrameListener(picows.WSListener):
    """Hands what picows says to a connection."""

    def __init__(self, connection: AsyncWebSocketConnection) -> None:
        self._connection = connection

    def on_ws_connected(self, transport: picows.WSTransport) -> None:
        self._connection.open(transport)

    def on_ws_frame(self, transport: picows.WSTransport, frame: picows.WSFrame) -> None:
        self._connection.frame(frame)

    def on_ws_disconnected(self, transport: picows.WSTransport) -> None:
        self._connection.closed()
