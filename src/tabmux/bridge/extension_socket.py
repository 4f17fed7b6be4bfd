"""Extension socket: a WebSocket of an extension, its close codes, and the loop of a link on it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from contextlib import suppress

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from tabmux.bridge.bridge_limits import BridgeLimits
from tabmux.bridge.extension_link import ExtensionLink
from tabmux.bridge.messages import Malformed, Message, parse
from tabmux.bridge.pairing import PairedKeys

logger = logging.getLogger(__name__)

# Close codes; 4000 to 4999 are free for applications.
NORMAL = 1000
TOO_LONG = 1009
TRY_LATER = 1013
BAD_HANDSHAKE = 4400
UNKNOWN_KEY = 4401
REVOKED = 4403
WRONG_PROTOCOL = 4406
ALREADY_CONNECTED = 4409

LONGEST_MESSAGE = 4 * 1024 * 1024
# These carry results, and may be as long as the socket allows.
_LONG_MESSAGES = ("cdpResult", "cdpEvent", "toolResult", "reply")
_REVOKED = "the pairing was revoked"


class ExtensionSocket:
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


class LinkLoop:
    """Carries the messages of a link over its socket, in both directions.

    Args:
        link: The link.
        socket: Its socket.
        keys: Where its key may be revoked.
        counters: Counts what went wrong.
        limits: How long to wait.
    """

    def __init__(
        self,
        link: ExtensionLink,
        socket: ExtensionSocket,
        keys: PairedKeys,
        counters: Counter[str],
        limits: BridgeLimits,
    ) -> None:
        self._link, self._socket, self._keys = link, socket, keys
        self._counters, self._limits = counters, limits

    async def run(self) -> None:
        """Run until the link is closed, by either side or because its key was revoked."""
        closed = self._link.closed
        async with asyncio.TaskGroup() as group:
            reading = group.create_task(self._read_all())
            writing = group.create_task(self._write_all())
            watching = group.create_task(self._watch())
            await asyncio.wait({closed})
            await asyncio.wait({writing}, timeout=self._limits.flush_seconds)
            for task in (writing, watching, reading):
                task.cancel()
        code = REVOKED if closed.result() == _REVOKED else NORMAL
        await self._socket.close(code, closed.result())

    async def _read_all(self) -> None:
        while not self._link.closed.done():
            try:
                self._receive(await self._socket.receive())
            except Malformed as error:
                self._counters["malformed"] += 1
                self._link.send({"type": "error", "message": str(error)})
            except WebSocketDisconnect as end:
                if end.code == TOO_LONG:
                    self._counters["oversized"] += 1
                self._link.close(f"the extension has disconnected ({end.code})")

    def _receive(self, text: str) -> None:
        message, link = parse(text), self._link
        kind = message["type"]
        if len(text) > LONGEST_MESSAGE and kind not in _LONG_MESSAGES:
            raise Malformed(f"{kind}: the message is too long.")
        if kind == "ping":
            link.last_heard = time.monotonic()
            link.send({"type": "pong"})
        elif kind == "unpair":
            self._keys.forget(link.key_id)
            link.close("the extension was unpaired by its user")
        else:
            if kind == "error":
                logger.info("Extension %s complains: %s", link.name, message["message"][:200])
            link.deliver(message)

    async def _write_all(self) -> None:
        try:
            while (text := await self._link.next_outgoing()) is not None:
                await self._socket.write(text)
        except WebSocketDisconnect:
            self._link.close("the extension has disconnected")

    async def _watch(self) -> None:
        """Close the link when its key is revoked, or when it has been silent for too long."""
        link = self._link
        while not link.closed.done():
            await asyncio.wait({link.closed}, timeout=self._limits.key_check_seconds)
            if link.key_id and not self._keys.has(link.key_id):
                link.send({"type": "revoked"})
                link.close(_REVOKED)
            elif time.monotonic() - link.last_heard > self._limits.silence_seconds:
                link.close("the extension has been silent for too long")
