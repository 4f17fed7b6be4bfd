"""Extension link: one connected extension, messages to it and messages from it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import msgspec

from tabmux.bridge.bridge_limits import DEFAULT_LIMITS, BridgeLimits
from tabmux.bridge.messages import Message
from tabmux.concurrency import Listeners

logger = logging.getLogger(__name__)

MessageListener = Callable[[Message], None]


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
        limits: How much may wait for it.
    """

    def __init__(
        self,
        name: str,
        browser: BrowserInfo,
        capabilities: frozenset[str] = frozenset(),
        key_id: str = "",
        limits: BridgeLimits = DEFAULT_LIMITS,
    ) -> None:
        self.name, self.browser = name, browser
        self.capabilities, self.key_id = capabilities, key_id
        self.closed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.last_heard = time.monotonic()
        self._limits = limits
        self._listeners: Listeners[Message] = Listeners()
        self._waiting: deque[str] = deque()
        self._waiting_bytes = 0
        self._has_waiting = asyncio.Event()

    @property
    def relays_cdp(self) -> bool:
        """Whether the extension relays CDP, and so can be a browser."""
        return "cdp" in self.capabilities

    def send(self, message: Message) -> None:
        """Queue a message; nothing is sent on a link that is closed."""
        if self.closed.done():
            return
        text = msgspec.json.encode(message).decode()
        self._waiting.append(text)
        self._waiting_bytes += len(text)
        self._has_waiting.set()
        if self._waiting_bytes > self._limits.waiting_bytes:
            self.close("the extension reads too slowly")

    def on_message(self, listener: MessageListener) -> Callable[[], None]:
        """Call `listener` with every message from now on; returns how to stop."""
        return self._listeners.add(partial(_call_safely, listener))

    def close(self, reason: str) -> None:
        """End the link."""
        if not self.closed.done():
            self.closed.set_result(reason)
        self._has_waiting.set()

    def deliver(self, message: Message) -> None:
        """Hand a message to those who listen; one that fails does not harm the others."""
        self.last_heard = time.monotonic()
        self._listeners(message)

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


def _call_safely(listener: MessageListener, message: Message) -> None:
    try:
        listener(message)
    except Exception:  # the transport loop is a rim
        logger.exception("A listener failed on %s", message.get("type"))
