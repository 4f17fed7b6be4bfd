"""CDP channel: commands, events and streams of one flattened session."""

from __future__ import annotations

import asyncio
import base64
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tabmux.errors import BrowserGone, PageCrashed, TabmuxError

if TYPE_CHECKING:
    from tabmux.cdp.cdp_connection import CdpConnection

logger = logging.getLogger(__name__)

Params = dict[str, Any]
EventHandler = Callable[[Params], None]
Sink = Callable[[bytes], object]

CALL_SECONDS = 30.0
CHUNK_BYTES = 1 << 20
# These wake a crashed renderer, or do not need it.
_REVIVING = frozenset({"Page.navigate", "Page.reload", "Page.close", "Page.navigateToHistoryEntry"})


class Channel:
    """One flattened CDP session: the browser itself, a tab, a frame or a worker."""

    def __init__(
        self,
        connection: CdpConnection,
        ident: str,
        target: Params | None = None,
        parent: Channel | None = None,
    ) -> None:
        self._connection, self.parent = connection, parent
        self.children: set[Channel] = set()
        if parent is not None:
            parent.children.add(self)
        self._handlers: dict[str, list[EventHandler]] = {}
        self._close_listeners: list[Callable[[TabmuxError], None]] = []
        self._flood_handler: Callable[[bytes], None] | None = None
        self._error: TabmuxError | None = None
        self.id = ident
        self.target: Params = target or {}
        self.crashed = False

    @property
    def is_open(self) -> bool:
        """Whether the target is still attached."""
        return self._error is None

    @property
    def browser(self) -> Channel:
        """The channel of the browser that this one is part of."""
        return self._connection.browser

    def call(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout: float = CALL_SECONDS
    ) -> asyncio.Future[Params]:
        """Send a command and return the future of its result.

        The command is on its way when this returns, so several calls made before
        the first await travel in one flight.
        """
        return self._connection.call(self, method, params, timeout)

    def send(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send a command whose result nobody waits for."""
        self._connection.send(self, method, params)

    def on(self, event: str, handler: EventHandler) -> Callable[[], None]:
        """Call `handler` with the parameters of each such event; returns how to stop."""
        self._handlers.setdefault(event, []).append(handler)
        self._connection.count_handlers(event.encode(), 1)

        def stop() -> None:
            if handler in self._handlers.get(event, ()):
                self._handlers[event].remove(handler)
                self._connection.count_handlers(event.encode(), -1)

        return stop

    @contextmanager
    def expecting(self, event: str) -> Iterator[asyncio.Future[Params]]:
        """Give a future of the first such event inside the block."""
        first: asyncio.Future[Params] = asyncio.get_running_loop().create_future()

        def note(params: Params) -> None:
            if not first.done():
                first.set_result(params)

        stop = self.on(event, note)
        try:
            yield first
        finally:
            stop()

    def on_close(self, listener: Callable[[TabmuxError], None]) -> None:
        """Call `listener` once, with the reason, when the target goes away."""
        self._close_listeners.append(listener)

    def on_flood(self, handler: Callable[[bytes], None]) -> None:
        """Give `handler` console messages that come too fast, as they are; see `read`."""
        self._flood_handler = handler

    def hand_over(self, message: bytes) -> bool:
        """Hand a message over unread, if somebody keeps such messages."""
        if self._flood_handler is None:
            return False
        self._flood_handler(message)
        return True

    def read(self, message: bytes) -> Params:
        """Return the parameters of an event that was handed over unread."""
        return self._connection.read(message)

    def child(self, session: str) -> Channel | None:
        """Return the channel that an attach event named."""
        return self._connection.channels.get(session)

    def hand_messages(self, session: str, taker: Callable[[bytes], None] | None) -> None:
        """Hand over all messages of another CDP session as they are, or no longer."""
        self._connection.hand_messages(session, taker)

    def send_for(self, session: str, method: str, params: object) -> int:
        """Send a command of a CDP session whose messages are handed over; returns its id."""
        return self._connection.send_for(session, method, params)

    def refusal(self, method: str) -> TabmuxError | None:
        """Say why a command cannot be sent now; a crashed renderer would never answer."""
        if self._error is not None:
            return self._error
        if not self._connection.is_open:
            return BrowserGone("The connection to the browser is closed.")
        if self.crashed and method not in _REVIVING and not method.startswith("Target."):
            return _crash_error()
        return None

    def crash(self) -> None:
        """Fail what is pending: after a renderer crash Chrome answers nothing more."""
        self.crashed = True
        self._connection.fail_pending(self, _crash_error())

    def revive(self) -> None:
        """Take commands again, after a navigation gave the tab a new renderer."""
        self.crashed = False

    def dispatch(self, event: str, params: Params) -> None:
        """Hand an event to its handlers; one that fails does not harm the others."""
        for handler in tuple(self._handlers.get(event, ())):
            try:
                handler(params)
            except Exception:  # the transport loop is a rim
                logger.exception("A handler of %s failed", event)

    def close(self, error: TabmuxError) -> None:
        """Mark the channel as gone and fail what is pending on it."""
        if self._error is not None:
            return
        self._error = error
        for event, handlers in self._handlers.items():
            self._connection.count_handlers(event.encode(), -len(handlers))
        self._handlers.clear()
        self._connection.fail_pending(self, error)
        listeners, self._close_listeners = self._close_listeners, []
        for listener in listeners:
            try:
                listener(error)
            except Exception:  # the transport loop is a rim
                logger.exception("A listener to the end of a channel failed")


async def read_stream(channel: Channel, stream: str, sink: Sink, size: int = CHUNK_BYTES) -> None:
    """Read a stream to its end; `sink` takes the bytes in another thread, `size` at a time."""
    more = True
    try:
        while more:
            piece = await channel.call("IO.read", {"handle": stream, "size": size})
            await asyncio.to_thread(_pour, piece, sink)
            more = not piece["eof"]
    finally:
        if channel.is_open:
            channel.send("IO.close", {"handle": stream})


def _pour(piece: Params, sink: Sink) -> None:
    data = piece["data"]
    sink(base64.b64decode(data) if piece.get("base64Encoded") else data.encode())


def _crash_error() -> PageCrashed:
    return PageCrashed(
        "The tab has crashed.", hint="Call navigate_page (a reload will do) to bring it back."
    )
