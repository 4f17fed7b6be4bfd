"""Commands, replies and events of one browser, over one link with flattened sessions."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec

from tabmux.cdp.event_rate import CONSOLE_EVENT, EventRates, session_id_of
from tabmux.cdp.transport import Transport
from tabmux.errors import (
    BrowserGone,
    DeadlineExceeded,
    PageCrashed,
    PageGone,
    ProtocolFault,
    TabmuxError,
)

logger = logging.getLogger(__name__)

Params = dict[str, Any]
EventHandler = Callable[[Params], None]

CALL_SECONDS = 30.0
SWEEP_SECONDS = 0.1
# Chromium 156 drops the whole connection at a command above 100 MB.
MAX_COMMAND = 90 * 1024 * 1024
# These wake a crashed renderer, or do not need it.
_REVIVING = frozenset({"Page.navigate", "Page.reload", "Page.close", "Page.navigateToHistoryEntry"})


class _Fault(msgspec.Struct):
    message: str
    code: int = 0
    data: Any = None


class _Message(msgspec.Struct):
    id: int = 0
    method: str = ""
    sessionId: str = ""
    params: Params = {}
    result: Params = {}
    error: _Fault | None = None


class _Pending:
    __slots__ = ("channel", "deadline", "future", "method")

    def __init__(
        self, future: asyncio.Future[Params], channel: Channel, method: str, deadline: float
    ) -> None:
        self.future, self.channel, self.method, self.deadline = future, channel, method, deadline


class CdpConnection:
    """One link to one browser. `browser` is its own channel; tabs and frames get others.

    Replies and events are handled inside the read callback, so handlers are plain functions
    and must not block; a handler that wants to call Chrome sends, and lets a task await.
    Whoever awaits a call goes on before the events that Chrome sent after its reply are handled.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._pending: dict[int, _Pending] = {}
        self._last_id = 0
        self._decode = msgspec.json.Decoder(_Message).decode
        self._encode = msgspec.json.Encoder().encode
        self._sweeping = False
        self._floods = EventRates()
        # How many replies are not heard yet by who awaits them, and what Chrome said after them.
        self._unheard = 0
        self._held: list[bytes] = []
        # How many handlers want an event, by name, over all channels: the rest is never decoded.
        self._wanted: dict[bytes, int] = {}
        self.closed = self._loop.create_future()
        self.browser = Channel(self, "")
        self.channels: dict[str, Channel] = {"": self.browser}
        for event in ("Target.attachedToTarget", "Target.detachedFromTarget"):
            self._want(event.encode(), 1)
        self._want(b"Inspector.targetCrashed", 1)
        transport.start(self._receive, self._lost)

    @property
    def is_open(self) -> bool:
        """Whether commands can still be sent."""
        return not self.closed.done()

    def close(self) -> None:
        """Close the link; everything pending fails at once."""
        self._transport.close()

    def lose(self, reason: str) -> None:
        """Give the link up for lost, and close it."""
        self._lost(reason)
        self._transport.close()

    def _call(
        self, channel: Channel, method: str, params: Mapping[str, Any] | None, timeout: float
    ) -> asyncio.Future[Params]:
        future: asyncio.Future[Params] = self._loop.create_future()
        if (refusal := channel.refusal(method)) is not None:
            _fail(future, refusal)
            return future
        self._last_id += 1
        pending = _Pending(future, channel, method, time.monotonic() + timeout)
        self._pending[self._last_id] = pending
        try:
            self._write(self._last_id, channel, method, params)
        except ProtocolFault as error:
            del self._pending[self._last_id]
            _fail(future, error)
            return future
        if not self._sweeping:
            self._sweeping = True
            self._loop.call_later(SWEEP_SECONDS, self._sweep)
        return future

    def _send(self, channel: Channel, method: str, params: Mapping[str, Any] | None) -> None:
        if channel.refusal(method) is None:
            self._last_id += 1
            self._write(self._last_id, channel, method, params)

    def _write(
        self, ident: int, channel: Channel, method: str, params: Mapping[str, Any] | None
    ) -> None:
        command: Params = {"id": ident, "method": method, "params": params or {}}
        if channel.id:
            command["sessionId"] = channel.id
        message = self._encode(command)
        if len(message) > MAX_COMMAND:
            raise ProtocolFault(f"{method} with {len(message)} bytes is more than Chrome takes.")
        self._transport.send(message)

    def _want(self, event: bytes, change: int) -> None:
        self._wanted[event] = self._wanted.get(event, 0) + change

    def _receive(self, message: bytes) -> None:
        if self._held:
            self._held.append(message)
            return
        # Chrome writes the method first; a proxy that reorders keys takes the slow path.
        if message.startswith(b'{"method":"'):
            event = message[11 : message.index(b'"', 11)]
            if self._wanted.get(event, 0) <= 0 or (
                event == CONSOLE_EVENT and self._leaves(message)
            ):
                return
        try:
            decoded = self._decode(message)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            logger.warning("Dropped a message of %d bytes: %s", len(message), error)
            return
        if not decoded.method:
            self._reply(decoded)
        elif self._unheard > 0:
            self._held.append(message)
            self._loop.call_soon(self._go_on)
        else:
            self._event(decoded)

    def _heard(self) -> None:
        self._unheard -= 1

    def _go_on(self) -> None:
        """Handle what was held back until the replies before it were heard."""
        held, self._held = self._held, []
        for message in held:
            self._receive(message)

    def _reply(self, message: _Message) -> None:
        pending = self._pending.pop(message.id, None)
        if pending is None or pending.future.done():
            return
        # The future wakes who awaits it in the next turn of the loop, right after this.
        self._unheard += 1
        self._loop.call_soon(self._heard)
        if message.error is None:
            pending.future.set_result(message.result)
        else:
            error = message.error
            _fail(pending.future, ProtocolFault(f"{pending.method}: {error.message}"))

    def _event(self, message: _Message) -> None:
        method, params = message.method, message.params
        channel = self.channels.get(message.sessionId)
        if channel is None:
            return
        if method == "Target.attachedToTarget":
            session = params["sessionId"]
            self.channels[session] = Channel(self, session, params["targetInfo"], channel)
        if method == "Inspector.targetCrashed":
            channel.crash()
        channel.dispatch(method, params)
        if method == "Target.detachedFromTarget":
            self._drop(params["sessionId"])

    def _leaves(self, message: bytes) -> bool:
        """Leave what floods us unread: to decode it takes twenty times as long as to keep it."""
        session = session_id_of(message)
        if not self._floods.carry(session, self._loop.time()):
            return False
        channel = self.channels.get(session.decode("ascii", "replace"))
        return channel is not None and channel.leave(message)

    def _drop(self, session: str) -> None:
        """Forget a channel and those below it, of whose end Chromium 156 says nothing."""
        gone = self.channels.pop(session, None)
        self._floods.forget(session.encode())
        if gone is None:
            return
        for child in [c.id for c in self.channels.values() if c.parent is gone]:
            self._drop(child)
        gone.close(PageGone("The tab was closed."))

    def _sweep(self) -> None:
        now = time.monotonic()
        late = [i for i, p in self._pending.items() if p.deadline <= now or p.future.done()]
        for ident in late:
            pending = self._pending.pop(ident)
            _fail(pending.future, DeadlineExceeded(f"Chrome did not answer {pending.method}."))
        self._sweeping = bool(self._pending)
        if self._sweeping:
            self._loop.call_later(SWEEP_SECONDS, self._sweep)

    def _fail_pending(self, channel: Channel | None, error: TabmuxError) -> None:
        doomed = [i for i, p in self._pending.items() if channel is None or p.channel is channel]
        for ident in doomed:
            _fail(self._pending.pop(ident).future, error)

    def _lost(self, reason: str) -> None:
        if self.closed.done():
            return
        while self._held:
            self._unheard = 0  # nothing is held back any more
            self._go_on()
        error = BrowserGone(
            f"The connection to the browser was lost: {reason}.",
            hint="Call list_browsers to see where it stands.",
        )
        self.closed.set_result(reason)
        for channel in list(self.channels.values()):
            channel.close(error)
        self.channels.clear()
        self._fail_pending(None, error)


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
        self._handlers: dict[str, list[EventHandler]] = {}
        self._closers: list[Callable[[TabmuxError], None]] = []
        self._keeper: Callable[[bytes], None] | None = None
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
        return self._connection._call(self, method, params, timeout)

    def send(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send a command whose result nobody waits for."""
        self._connection._send(self, method, params)

    def on(self, event: str, handler: EventHandler) -> Callable[[], None]:
        """Call `handler` with the parameters of each such event; returns how to stop."""
        self._handlers.setdefault(event, []).append(handler)
        self._connection._want(event.encode(), 1)

        def stop() -> None:
            if handler in self._handlers.get(event, ()):
                self._handlers[event].remove(handler)
                self._connection._want(event.encode(), -1)

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

    def on_close(self, closer: Callable[[TabmuxError], None]) -> None:
        """Call `closer` once, with the reason, when the target goes away."""
        self._closers.append(closer)

    def on_flood(self, keeper: Callable[[bytes], None]) -> None:
        """Give `keeper` console messages that come too fast, as they are; see `read`."""
        self._keeper = keeper

    def leave(self, message: bytes) -> bool:
        """Hand a message over unread, if somebody keeps such messages."""
        if self._keeper is None:
            return False
        self._keeper(message)
        return True

    def read(self, message: bytes) -> Params:
        """Return the parameters of an event that was handed over unread."""
        return self._connection._decode(message).params

    def child(self, session: str) -> Channel | None:
        """Return the channel that an attach event named."""
        return self._connection.channels.get(session)

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
        self._connection._fail_pending(self, _crash_error())

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
            self._connection._want(event.encode(), -len(handlers))
        self._handlers.clear()
        self._connection._fail_pending(self, error)
        closers, self._closers = self._closers, []
        for closer in closers:
            closer(error)


def _crash_error() -> PageCrashed:
    return PageCrashed(
        "The tab has crashed.", hint="Call navigate_page (a reload will do) to bring it back."
    )


def _fail(future: asyncio.Future[Params], error: TabmuxError) -> None:
    if not future.done():
        future.set_exception(error)
        # Asking for it marks it as seen: calls of a flight may be dropped after the first failure.
        future.exception()
