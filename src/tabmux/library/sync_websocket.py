"""Synchronous WebSocket connection: the library's link to a daemon on another machine."""

from __future__ import annotations

from contextlib import ExitStack

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tabmux.library import wire
from tabmux.library.server_url import ServerUrl
from tabmux.library.sync_connection import SyncConnection


class SyncWebSocketConnection(SyncConnection):
    """A connection over a WebSocket, one text frame a message."""

    def __init__(self, link: ClientConnection, stack: ExitStack) -> None:
        super().__init__(())
        self._link, self._stack = link, stack

    @classmethod
    def to(cls, server: ServerUrl) -> SyncWebSocketConnection:
        """Connect, and say who we are."""
        stack = ExitStack()
        try:
            connecting = connect(
                server.websocket,
                subprotocols=[Subprotocol("mcp")],
                compression=None,
                max_size=wire.LARGEST_MESSAGE,
                open_timeout=wire.CONNECT_SECONDS,
                proxy=None,
            )
            made = cls(stack.enter_context(connecting), stack)
        except (OSError, WebSocketException) as error:
            raise server.refused(error) from error
        made.introduce()
        return made

    def send(self, message: bytes) -> None:
        """Send one frame."""
        try:
            self._link.send(message.decode())
        except ConnectionClosed as error:
            raise EOFError from error

    def receive(self, seconds: float) -> bytes:
        """Return the next frame."""
        try:
            data = self._link.recv(timeout=seconds)
        except ConnectionClosed as error:
            raise EOFError from error
        return data.encode() if isinstance(data, str) else data

    def close(self) -> None:
        """Say goodbye; the server closes when it has done."""
        self._stack.close()
