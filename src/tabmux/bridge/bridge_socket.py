"""Bridge socket: one WebSocket of the bridge, and the close codes that say why it ended."""

from __future__ import annotations

from contextlib import suppress

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from tabmux.bridge.messages import Malformed, Message

# Close codes; 4000 to 4999 are free for applications.
NORMAL = 1000
TOO_LONG = 1009
TRY_LATER = 1013
BAD_HANDSHAKE = 4400
UNKNOWN_KEY = 4401
REVOKED = 4403
WRONG_PROTOCOL = 4406
ALREADY_CONNECTED = 4409


class BridgeSocket:
    """A WebSocket that was accepted."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket

    async def receive(self) -> str:
        """Wait for a message; ends with WebSocketDisconnect."""
        event = await self._websocket.receive()
        if event["type"] != "websocket.receive":
            raise WebSocketDisconnect(event.get("code", 1006), event.get("reason"))
        text = event.get("text")
        if text is None:
            raise Malformed("Binary messages are not understood.")
        return str(text)

    async def send(self, message: Message) -> None:
        """Send a message."""
        await self.write(msgspec.json.encode(message).decode())

    async def write(self, text: str) -> None:
        """Send text as it is."""
        try:
            await self._websocket.send_text(text)
        except (OSError, RuntimeError) as error:
            raise WebSocketDisconnect(1006, str(error)) from error

    async def close(self, code: int, reason: str) -> None:
        """Close it, unless it is closed already."""
        with suppress(RuntimeError, OSError, WebSocketDisconnect):
            await self._websocket.close(code, reason[:120])
