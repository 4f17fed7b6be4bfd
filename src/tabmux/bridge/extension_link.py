"""One extension that has proved who it is: messages to it, and messages from it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from tabmux.bridge.messages import Message

logger = logging.getLogger(__name__)

Listener = Callable[[Message], None]

# What may wait for a reader that does not read, before it is given up.
MOST_WAITING_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class BrowserInfo:
    """Which browser an extension runs in."""

    name: str = ""
    version: str = ""
    profile_id: str = ""


class ExtensionLink:
    """An authenticated connection on `/`.

    Args:
        name: What the browser is called.
        browser: Which browser it is.
        capabilities: What the extension can do besides the tab messages, such as `cdp`.
        key_id: The key by which it proved itself; empty where no proof is asked for.
    """

    def __init__(
        self,
        name: str,
        browser: BrowserInfo,
        capabilities: frozenset[str] = frozenset(),
        key_id: str = "",
    ) -> None:
        self.name, self.browser = name, browser
        self.capabilities, self.key_id = capabilities, key_id
        self.closed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.last_heard = time.monotonic()
        self._listeners: list[Listener] = []
        self._waiting: deque[str] = deque()
        self._waiting_bytes = 0
        self._has_waiting = asyncio.Event()

    @property
    def identity(self) -> tuple[str, str]:
        """What no two live links share."""
        return self.key_id, self.browser.profile_id

    def send(self, message: Message) -> None:
        """Queue a message; nothing is sent on a link that is closed."""
        if self.closed.done():
            return
        text = msgspec.json.encode(message).decode()
        self._waiting.append(text)
        self._waiting_bytes += len(text)
        self._has_waiting.set()
        if self._waiting_bytes > MOST_WAITING_BYTES:
            self.close("the extension reads too slowly")

    def on_message(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every message from now on; returns how to stop."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def close(self, reason: str) -> None:
        """End the link."""
        if not self.closed.done():
            self.closed.set_result(reason)
        self._has_waiting.set()

    def deliver(self, message: Message) -> None:
        """Hand a message to those who listen; one that fails does not harm the others."""
        self.last_heard = time.monotonic()
        for listener in list(self._listeners):
            try:
                listener(message)
            except Exception:  # the transport loop is a rim
                logger.exception("A listener failed on %s", message.get("type"))

    async def next_outgoing(self) -> str | None:
        """Wait for the next message to write; None when the link is closed."""
        while not self._waiting:
            if self.closed.done():
                return None
            self._has_waiting.clear()
            await self._has_waiting.wait()
        text = self._waiting.popleft()
        self._waiting_bytes -= len(text)
        return text
