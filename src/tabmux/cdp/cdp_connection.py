"""CDP connection: commands, replies and events of one browser, over one transport."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from tabmux.cdp.channel import Channel, Params
from tabmux.cdp.event_rate import CONSOLE_EVENT, EventRates, session_id_of
from tabmux.cdp.transports import UNKNOWN_METHOD, Receive, Transport
from tabmux.errors import (
    BrowserGone,
    DeadlineExceeded,
    NotInThisBrowser,
    PageGone,
    ProtocolFault,
    TabmuxError,
)
from tabmux.page_text import visible_line

logger = logging.getLogger(__name__)

DEADLINE_CHECK_SECONDS = 0.1
# A look that comes so much later than it should: not Chrome was slow, but we stood still.
LATE_SECONDS = 1.0
# Chromium 156 drops the whole connection at a command above 100 MB.
MAX_COMMAND = 90 * 1024 * 1024
_ANSWER = re.compile(rb'\s*\{\s*"id"\s*:\s*(\d{1,15})')


# What changes nothing in a browser, and shows that it lives.
_UNFENCED = frozenset({"Browser.getVersion", "Target.getTargets", "Target.setDiscoverTargets"})
# Says why nothing may be sent now, if that is so.
Fence = Callable[[], TabmuxError | None]


class _CdpError(msgspec.Struct):
    message: str
    code: int = 0
    data: Any = None


class _Message(msgspec.Struct):
    id: int = 0
    method: str = ""
    sessionId: str = ""
    params: Params = {}
    result: Params = {}
    error: _CdpError | None = None


class _Answer(dict[str, Any]):
    """What a command was answered with; a peer that leaves out what belongs there is at fault."""

    def __missing__(self, key: str) -> Any:
        raise ProtocolFault(f"The browser's answer lacks {key!r}.")


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

    Args:
        transport: The link.
        fence: What may keep commands from being sent.
    """

    def __init__(self, transport: Transport, fence: Fence | None = None) -> None:
        self._transport, self._fence = transport, fence
        self._loop = asyncio.get_running_loop()
        self._pending: dict[int, _Pending] = {}
        self._last_id = 0
        self._decode = msgspec.json.Decoder(_Message).decode
        self._encode = msgspec.json.Encoder().encode
        self._watching_deadlines, self._next_look = False, 0.0
        self._event_rates = EventRates()
        # How many replies their callers have not seen yet, and the messages that came after them.
        self._undelivered = 0
        self._waiting: list[bytes] = []
        # Who takes all messages of a CDP session as they are, instead of its channel.
        self._takers: dict[bytes, Receive] = {}
        # How many handlers want an event, by name, over all channels: the rest is never decoded.
        self._wanted: dict[bytes, int] = {}
        self.closed = self._loop.create_future()
        self.browser = Channel(self, "")
        self.channels: dict[str, Channel] = {"": self.browser}
        for event in ("Target.attachedToTarget", "Target.detachedFromTarget"):
            self.count_handlers(event.encode(), 1)
        self.count_handlers(b"Inspector.targetCrashed", 1)
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

    def call(
        self, channel: Channel, method: str, params: Mapping[str, Any] | None, timeout: float
    ) -> asyncio.Future[Params]:
        """Send a command of a channel and return the future of its result."""
        future: asyncio.Future[Params] = self._loop.create_future()
        if (refusal := self._refusal(channel, method)) is not None:
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
        if not self._watching_deadlines:
            self._watch_deadlines()
        return future

    def send(self, channel: Channel, method: str, params: Mapping[str, Any] | None) -> None:
        """Send a command of a channel whose result nobody waits for."""
        if self._refusal(channel, method) is None:
            self._last_id += 1
            self._write(self._last_id, channel, method, params)

    def _refusal(self, channel: Channel, method: str) -> TabmuxError | None:
        if self._fence is not None and method not in _UNFENCED and (fenced := self._fence()):
            return fenced
        return channel.refusal(method)

    def count_handlers(self, event: bytes, change: int) -> None:
        """Note that an event has more handlers, or fewer; one without any is never decoded."""
        self._wanted[event] = self._wanted.get(event, 0) + change

    def hand_messages(self, session: str, taker: Receive | None) -> None:
        """Hand over all further messages of a CDP session as they are, or no longer."""
        if taker is None:
            self._takers.pop(session.encode(), None)
        else:
            self._takers[session.encode()] = taker

    def send_for(self, session: str, method: str, params: object) -> int:
        """Send a command of a CDP session whose messages are handed over; returns its id."""
        if self._fence is not None and (fenced := self._fence()) is not None:
            raise ProtocolFault(fenced.message)
        self._last_id += 1
        command = {"id": self._last_id, "method": method, "params": params, "sessionId": session}
        message = self._encode(command)
        if len(message) > MAX_COMMAND:
            raise ProtocolFault(f"{method} with {len(message)} bytes is more than Chrome takes.")
        self._transport.send(message)
        return self._last_id

    def fail_pending(self, channel: Channel | None, error: TabmuxError) -> None:
        """Fail what is pending on a channel, or on all."""
        doomed = [i for i, p in self._pending.items() if channel is None or p.channel is channel]
        for ident in doomed:
            _fail(self._pending.pop(ident).future, error)

    def read(self, message: bytes) -> Params:
        """Return the parameters of an event that was handed over unread."""
        return self._decode(message).params

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

    def _receive(self, message: bytes) -> None:
        """Take one message; whatever it does, those that follow it are still heard."""
        try:
            self._handle(message)
        except Exception:  # the transport loop is a rim
            logger.exception("Dropped a message of %d bytes", len(message))

    def _handle(self, message: bytes) -> None:
        if self._takers and (taker := self._takers.get(session_id_of(message))) is not None:
            taker(message)
            return
        if self._waiting:
            self._waiting.append(message)
            return
        # Chrome writes the method first; a proxy that reorders keys takes the slow path.
        if message.startswith(b'{"method":"'):
            event = message[11 : message.find(b'"', 11)]
            if self._wanted.get(event, 0) <= 0 or (
                event == CONSOLE_EVENT and self._hand_over_unread(message)
            ):
                return
        try:
            decoded = self._decode(message)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            self._drop(message, error)
            return
        if not decoded.method:
            self._handle_reply(decoded)
        elif self._undelivered > 0:
            self._waiting.append(message)
            self._loop.call_soon(self._handle_waiting)
        else:
            self._handle_event(decoded)

    def _drop(self, message: bytes, error: Exception) -> None:
        """Leave out a message that cannot be read; a call that it answers fails."""
        logger.warning("Dropped a message of %d bytes: %s", len(message), error)
        answered = _ANSWER.match(message)
        pending = self._pending.pop(int(answered[1]), None) if answered else None
        if pending is not None:
            why = "is nested too deep" if isinstance(error, RecursionError) else "cannot be read"
            _fail(pending.future, ProtocolFault(f"{pending.method}: the answer {why}."))

    def _reply_delivered(self) -> None:
        self._undelivered -= 1

    def _handle_waiting(self) -> None:
        """Handle what was held back until the replies before it were delivered."""
        held, self._waiting = self._waiting, []
        for message in held:
            self._receive(message)

    def _handle_reply(self, message: _Message) -> None:
        pending = self._pending.pop(message.id, None)
        if pending is None or pending.future.done():
            return
        # The future wakes who awaits it in the next turn of the loop, right after this.
        self._undelivered += 1
        self._loop.call_soon(self._reply_delivered)
        if message.error is None:
            pending.future.set_result(_Answer(message.result))
        else:
            kind = NotInThisBrowser if message.error.code == UNKNOWN_METHOD else ProtocolFault
            said = visible_line(message.error.message, 500)
            _fail(pending.future, kind(f"{pending.method}: {said}"))

    def _handle_event(self, message: _Message) -> None:
        method, params = message.method, message.params
        channel = self.channels.get(message.sessionId)
        if channel is None:
            return
        if method == "Target.attachedToTarget":
            if not _is_attachment(params):
                logger.warning("Dropped a %s without a target", method)
                return
            session = params["sessionId"]
            self.channels[session] = Channel(self, session, params["targetInfo"], channel)
        if method == "Inspector.targetCrashed":
            channel.crash()
        channel.dispatch(method, params)
        if method == "Target.detachedFromTarget":
            self._drop_channel(str(params.get("sessionId")))

    def _hand_over_unread(self, message: bytes) -> bool:
        """Keep what floods us unread: to decode it takes twenty times as long as to keep it."""
        session = session_id_of(message)
        if not self._event_rates.count(session, self._loop.time()):
            return False
        channel = self.channels.get(session.decode("ascii", "replace"))
        return channel is not None and channel.hand_over(message)

    def _drop_channel(self, session: str) -> None:
        """Forget a channel and those below it, of whose end Chromium 156 says nothing."""
        gone = self.channels.pop(session, None)
        self._event_rates.forget(session.encode())
        if gone is None:
            return
        for child in list(gone.children):
            self._drop_channel(child.id)
        if gone.parent is not None:
            gone.parent.children.discard(gone)
        gone.close(PageGone("The tab was closed."))

    def _watch_deadlines(self) -> None:
        self._watching_deadlines = True
        self._next_look = time.monotonic() + DEADLINE_CHECK_SECONDS
        self._loop.call_later(DEADLINE_CHECK_SECONDS, self._fail_overdue)

    def _fail_overdue(self) -> None:
        now = time.monotonic()
        if (lost := now - self._next_look) > LATE_SECONDS:
            # The machine slept or the process was stopped: answers may wait that nobody has read.
            for pending in self._pending.values():
                pending.deadline += lost
        late = [i for i, p in self._pending.items() if p.deadline <= now or p.future.done()]
        for ident in late:
            pending = self._pending.pop(ident)
            _fail(pending.future, DeadlineExceeded(f"Chrome did not answer {pending.method}."))
        self._watching_deadlines = False
        if self._pending:
            self._watch_deadlines()

    def _lost(self, reason: str) -> None:
        if self.closed.done():
            return
        while self._waiting:
            self._undelivered = 0  # nothing is held back any more
            self._handle_waiting()
        error = BrowserGone(
            f"The connection to the browser was lost: {reason}.",
            hint="Call list_browsers to see where it stands.",
        )
        self.closed.set_result(reason)
        self.fail_pending(None, error)
        for channel in list(self.channels.values()):
            channel.close(error)
        self.channels.clear()
        self._takers.clear()


def _is_attachment(params: Params) -> bool:
    return isinstance(params.get("sessionId"), str) and isinstance(params.get("targetInfo"), dict)


def _fail(future: asyncio.Future[Params], error: TabmuxError) -> None:
    if not future.done():
        future.set_exception(error)
        # Asking for it marks it as seen: calls of a flight may be dropped after the first failure.
        future.exception()
