"""Session sockets: the extension of each session at `/session/<id>`, and commands to it."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections import Counter
from collections.abc import Callable

from starlette.websockets import WebSocketDisconnect

from tabmux.bridge.bridge_limits import DEFAULT_LIMITS, BridgeLimits
from tabmux.bridge.extension_socket import REVOKED, ExtensionSocket
from tabmux.bridge.messages import (
    RESPONSE,
    ExtensionNotification,
    Forward,
    Malformed,
    Message,
    is_without_tab,
    read,
    tab_of,
)
from tabmux.concurrency import Listeners
from tabmux.errors import BrowserTrouble, Busy, DeadlineExceeded, Misuse

logger = logging.getLogger(__name__)

_SESSION_ID = re.compile(r"[A-Za-z0-9_.:~-]{1,200}")

# Asks an extension to open the socket of a session, and tells it what the session is called;
# says whether one was asked.
RequestSocket = Callable[[str, str], bool]


def is_session_id(text: str) -> bool:
    """Whether this can be the id of a session."""
    return _SESSION_ID.fullmatch(text) is not None


class SessionSockets:
    """The sockets at `/session/<id>`, one for each session.

    Args:
        forward: Where messages go that answer no command.
        counters: Counts what went wrong.
        request_socket: Asks an extension to open the socket of a session.
        limits: How long to wait, and how much may wait.
    """

    def __init__(
        self,
        forward: Forward,
        counters: Counter[str],
        request_socket: RequestSocket,
        limits: BridgeLimits = DEFAULT_LIMITS,
    ) -> None:
        self._forward, self._counters = forward, counters
        self._request_socket, self._limits = request_socket, limits
        self._sockets: dict[str, _SessionSocket] = {}
        # Also those that are not yet ready for commands.
        self._connected: set[str] = set()
        self._arrivals: dict[str, asyncio.Event] = {}
        self._changed: Listeners[[]] = Listeners()

    def sessions(self) -> list[str]:
        """Return the sessions that have an extension."""
        return list(self._sockets)

    def has(self, session: str) -> bool:
        """Whether a session has an extension, or is about to."""
        return session in self._connected

    def on_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever a session gets an extension or loses it."""
        return self._changed.add(listener)

    async def run(
        self,
        session: str,
        kind: str,
        payload: Message,
        *,
        tab: int | None = None,
        name: str = "",
        command_id: str | None = None,
    ) -> Message:
        """Have a session's extension carry out a command, and return what it answers.

        Args:
            session: Whose extension is meant.
            kind: What to do, such as `browser_navigate`.
            payload: How.
            tab: In which tab; otherwise in that of the last response.
            name: What users call the session.
            command_id: The id of the command on the wire.
        """
        socket = self._sockets.get(session) or await self._requested_socket(session, name)
        ident = command_id or secrets.token_hex(8)
        message: Message = {"id": ident, "type": kind, "payload": payload}
        if (chosen := socket.tab if tab is None else tab) is not None:
            message |= {"tabId": chosen, "payload": {"tabId": chosen, **payload}}
        return await socket.ask(message)

    async def serve(
        self,
        session: str,
        socket: ExtensionSocket,
        *,
        is_key_valid: Callable[[], bool],
        welcome: Message | None = None,
    ) -> None:
        """Hold the socket of a session until it closes, or its key is revoked."""
        held = _SessionSocket(session, socket, self._forward, self._counters, self._limits)
        self._connected.add(session)
        try:
            if welcome is not None:
                await socket.send(welcome)
            self._sockets[session] = held
            if arrival := self._arrivals.get(session):
                arrival.set()
            self._changed()
            await held.read_all(is_key_valid)
        finally:
            self._connected.discard(session)
            self._sockets.pop(session, None)
            held.fail_pending()
            self._changed()

    async def _requested_socket(self, session: str, name: str) -> _SessionSocket:
        if is_session_id(session) and self._request_socket(session, name):
            arrival = self._arrivals.setdefault(session, asyncio.Event())
            try:
                async with asyncio.timeout(self._limits.session_socket_seconds):
                    await arrival.wait()
                return self._sockets[session]
            except (TimeoutError, KeyError):
                pass
            finally:
                self._arrivals.pop(session, None)
        raise BrowserTrouble(
            "No extension is connected for this session.",
            hint="Start the browser with the extension, or see tabmux extension list.",
        )


class _SessionSocket:
    """The extension of one session."""

    def __init__(
        self,
        session: str,
        socket: ExtensionSocket,
        forward: Forward,
        counters: Counter[str],
        limits: BridgeLimits,
    ) -> None:
        # The tab that the extension named last.
        self.tab: int | None = None
        self._session, self._socket, self._forward = session, socket, forward
        self._counters, self._limits = counters, limits
        self._pending: dict[str, asyncio.Future[Message]] = {}
        self._notifications: asyncio.Queue[ExtensionNotification] = asyncio.Queue(
            limits.waiting_notifications
        )

    async def ask(self, message: Message) -> Message:
        """Send a command and wait for its response."""
        name, seconds = message["id"], self._limits.command_seconds
        if name in self._pending:
            raise Misuse(f"A command {name!r} is under way already.")
        if len(self._pending) >= self._limits.pending_commands:
            raise Busy(f"{len(self._pending)} commands of this session are under way.")
        response: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._pending[name] = response
        try:
            async with asyncio.timeout(seconds):
                await self._socket.send(message)
                return self._with_tab_noted(await response)
        except TimeoutError:
            raise DeadlineExceeded(
                f"The extension did not answer {message['type']} within {seconds:g} s.",
                hint="See with browser_tabs how things stand, then try again. "
                "If nothing is answered, ask the user to reload the extension.",
            ) from None
        except WebSocketDisconnect:
            raise _disconnected() from None
        finally:
            self._pending.pop(name, None)

    def _with_tab_noted(self, response: Message) -> Message:
        """Remember the tab of a response, and tell the session; whoever asked may be another."""
        tab = tab_of(response.get("data"))
        if is_without_tab(response, self.tab):
            self.tab = None
        if tab is not None and tab != self.tab:
            self.tab = tab
            told = {"type": RESPONSE, "id": response.get("id")}
            self._enqueue(ExtensionNotification(self._session, tab, told))
        return response

    async def read_all(self, is_key_valid: Callable[[], bool]) -> None:
        """Read until the socket closes; notifications are forwarded in their order."""
        async with asyncio.TaskGroup() as group:
            others = [
                group.create_task(self._forward_all()),
                group.create_task(self._watch_key(is_key_valid)),
            ]
            try:
                while True:
                    await self._read()
            except WebSocketDisconnect:
                for task in others:
                    task.cancel()

    def fail_pending(self) -> None:
        """Fail the commands that still wait for a response."""
        for response in self._pending.values():
            if not response.done():
                response.set_exception(_disconnected())

    async def _read(self) -> None:
        try:
            message = read(await self._socket.receive())
            if message.get("type") == "ping":
                await self._socket.send({"type": "pong"})
            else:
                self._receive(message)
        except Malformed as error:
            self._counters["malformed"] += 1
            await self._socket.send({"type": "error", "message": str(error)})

    def _receive(self, message: Message) -> None:
        kind = message.get("type")
        if kind == RESPONSE:
            self._receive_response(message)
        elif not isinstance(kind, str):
            raise Malformed("The message has no type.")
        elif kind != "error":
            tab = tab_of(message) or tab_of(message.get("payload"))
            self.tab = self.tab if tab is None else tab
            self._enqueue(ExtensionNotification(self._session, tab, message))

    def _receive_response(self, message: Message) -> None:
        waiting = self._pending.get(str(message.get("id")))
        if waiting is None or waiting.done():
            self._counters["unexpected"] += 1  # unknown, double or too late
            return
        waiting.set_result(message)

    def _enqueue(self, notification: ExtensionNotification) -> None:
        if self._notifications.full():
            self._notifications.get_nowait()
            self._counters["dropped"] += 1
        self._notifications.put_nowait(notification)

    async def _watch_key(self, is_key_valid: Callable[[], bool]) -> None:
        while True:
            await asyncio.sleep(self._limits.key_check_seconds)
            if not is_key_valid():
                break
        await self._socket.close(REVOKED, "the pairing was revoked")

    async def _forward_all(self) -> None:
        while True:
            notification = await self._notifications.get()
            try:
                await self._forward(notification)
            except OSError as error:
                self._counters["undelivered"] += 1
                logger.warning("A message of an extension was not delivered: %s", error)
            except Exception:  # the transport loop is a rim
                self._counters["undelivered"] += 1
                logger.exception("A message of an extension could not be delivered")


def _disconnected() -> BrowserTrouble:
    return BrowserTrouble("The extension has disconnected.", hint="Try again when it is back.")
