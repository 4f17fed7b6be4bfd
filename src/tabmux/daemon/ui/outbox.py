"""Outbox: what one viewer is sent, messages in order and of each page the newest picture."""

from __future__ import annotations

import asyncio
import json
import struct
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from tabmux.page.see.live_frames import LiveFrame

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

# A viewer that does not read is given up.
MOST_WAITING = 2_000
WRITE_SECONDS = 20.0
# After which a picture counts as shown although nobody has said so.
ACKNOWLEDGE_SECONDS = 2.0
# The page, the number of the picture, width and height of the viewport.
FRAME_HEADER = struct.Struct(">IIHH")
_MOST_SIDE = 65_535


class Outbox:
    """Writes to one WebSocket; a picture follows when the one before it was acknowledged."""

    def __init__(self) -> None:
        self._messages: deque[str] = deque()
        self._frames: dict[int, LiveFrame] = {}
        # When the next picture of a page may go, by its own pace and by acknowledgement.
        self._due: dict[int, float] = {}
        self._unacknowledged: dict[int, tuple[int, float]] = {}
        self._changed = asyncio.Event()
        self.is_full = False

    def tell(self, message: Mapping[str, Any]) -> None:
        """Queue a message."""
        self.tell_text(compact(message))

    def tell_text(self, text: str) -> None:
        """Queue a message that is JSON already."""
        if len(self._messages) >= MOST_WAITING:
            self.is_full = True
        else:
            self._messages.append(text)
        self._changed.set()

    def show(self, page: int, frame: LiveFrame) -> None:
        """Let a picture be sent; one that waits is replaced by it."""
        self._frames[page] = frame
        self._changed.set()

    def acknowledge(self, page: int, number: int) -> None:
        """Note that a picture was drawn on the viewer's screen."""
        sent = self._unacknowledged.get(page)
        if sent is not None and number >= sent[0]:
            del self._unacknowledged[page]
            self._changed.set()

    def pace(self, page: int, pause: float) -> None:
        """Send no picture of a page before this many seconds have passed."""
        self._due[page] = time.monotonic() + pause

    def forget(self, page: int) -> None:
        """Send no more pictures of a page."""
        for each in (self._frames, self._due, self._unacknowledged):
            each.pop(page, None)

    async def write(self, send: Send, pauses: Mapping[int, float]) -> None:
        """Write until the viewer has gone, or reads too slowly.

        Args:
            send: Sends to the socket.
            pauses: For each page, the seconds between two pictures.
        """
        while not self.is_full:
            self._changed.clear()
            while self._messages:
                await _within_limit(send({"type": "websocket.send", "text": self._next()}))
            for page in [each for each in self._frames if self._may_go(each)]:
                # While another one was sent, the person may have stopped watching this page.
                if (frame := self._frames.pop(page, None)) is None:
                    continue
                self._unacknowledged[page] = (frame.number, time.monotonic() + ACKNOWLEDGE_SECONDS)
                self.pace(page, pauses.get(page, 0.0))
                await _within_limit(send({"type": "websocket.send", "bytes": packed(page, frame)}))
            await self._until_changed()

    def _next(self) -> str:
        return self._messages.popleft()

    def _may_go(self, page: int) -> bool:
        now = time.monotonic()
        _, late = self._unacknowledged.get(page, (0, 0.0))
        return now >= max(late, self._due.get(page, 0.0))

    async def _until_changed(self) -> None:
        """Wait for something new, or until a picture that waits may go."""
        due = [
            max(self._due.get(page, 0.0), self._unacknowledged.get(page, (0, 0.0))[1])
            for page in self._frames
        ]
        left = max(0.0, min(due) - time.monotonic()) if due else None
        try:
            async with asyncio.timeout(left):
                await self._changed.wait()
        except TimeoutError:
            return


def compact(message: Mapping[str, Any]) -> str:
    """Return a message as it is sent."""
    return json.dumps(message, separators=(",", ":"))


def packed(page: int, frame: LiveFrame) -> bytes:
    """Return a picture as it is sent: a header of twelve bytes, and the JPEG."""
    width, height = (min(round(each), _MOST_SIDE) for each in (frame.width, frame.height))
    return FRAME_HEADER.pack(page, frame.number & 0xFFFFFFFF, width, height) + frame.jpeg


async def _within_limit(writing: Awaitable[None]) -> None:
    async with asyncio.timeout(WRITE_SECONDS):
        await writing
