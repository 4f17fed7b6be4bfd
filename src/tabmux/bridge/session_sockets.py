"""Commands of a session to its extension, and what the extension says unasked."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections import Counter
from collections.abc import Callable

from starlette.websockets import WebSocketDisconnect

from tabmux.bridge.bridge_socket import REVOKED, BridgeSocket
from tabmux.bridge.events import ExtensionNotification, Forward
from tabmux.bridge.messages import Malformed, Message, read, tab_of
from tabmux.errors import BrowserTrouble, Busy, DeadlineExceeded, Misuse

logger = logging.getLogger(__name__)

COMMAND_SECONDS = 30.0
SERVE_SECONDS = 3.0
LOOK_SECONDS = 1.0
MOST_PENDING = 64
MOST_EVENTS = 1_000
_SESSION = re.compile(r"[A-Za-z0-9_.:~-]{1,200}")

Summon = Callable[[str], bool]


def is_session_id(text: str) -> bool:
    """Whether this can be the id of a session."""
    return _SESSION.fullmatch(text) is not None


class SessionSockets:
    """The sockets at `/session/<id>`, one for each session.

    Args:
        forward: Where messages go that answer no command.
        tally: Counts what went wrong.
        summon: Asks an extension to open the socket of a session; says whether one was asked.
    """

    def __init__(self, forward: Forward, tally: Counter[str], summon: Summon) -> None:
        self._forward, self._tally, self._summon = forward, tally, summon
        self._instances: dict[str, _Instance] = {}
        self._claimed: set[str] = set()
        self._arrivals: dict[str, asyncio.Event] = {}
        self._listeners: list[Callable[[], None]] = []

    def sessions(self) -> list[str]:
        """Return the sessions that have an extension."""
        return list(self._instances)

    def on_changed(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever that list changes."""
        self._listeners.append(listener)

    async def run(
        self,
        session: str,
        kind: str,
        payload: Message,
        *,
        tab: int | None = None,
        ident: str | None = None,
        seconds: float = COMMAND_SECONDS,
    ) -> Message:
        """Have a session's extension carry out a command, and return what it answers.

        Args:
            session: Whose extension is meant.
            kind: What to do, such as `browser_navigate`.
            payload: How.
            tab: In which tab; the extension chooses one otherwise.
            ident: The id of the command on the wire.
            seconds: How long the extension may take.
        """
        instance = self._instances.get(session) or await self._summoned(session)
        message: Message = {"id": ident or secrets.token_hex(8), "type": kind, "payload": payload}
        if tab is not None:
            message |= {"tabId": tab, "payload": {"tabId": tab, **payload}}
        return await instance.ask(message, seconds)

    async def serve(
        self,
        session: str,
        socket: BridgeSocket,
        *,
        stands: Callable[[], bool],
        welcome: Message | None = None,
    ) -> None:
        """Hold the socket of a session until it closes, or its key no longer stands."""
        instance = _Instance(session, socket, self._forward, self._tally)
        self._claimed.add(session)
        try:
            if welcome is not None:
                await socket.send(welcome)
            self._instances[session] = instance
            self._changed(session)
            await instance.listen(stands)
        finally:
            self._claimed.discard(session)
            self._instances.pop(session, None)
            instance.end()
            self._changed(session)

    def has(self, session: str) -> bool:
        """Whether a session has an extension, or is about to."""
        return session in self._claimed

    async def _summoned(self, session: str) -> _Instance:
        if is_session_id(session) and self._summon(session):
            arrival = self._arrivals.setdefault(session, asyncio.Event())
            try:
                async with asyncio.timeout(SERVE_SECONDS):
                    await arrival.wait()
                return self._instances[session]
            except (TimeoutError, KeyError):
                pass
            finally:
                self._arrivals.pop(session, None)
        raise BrowserTrouble(
            "No extension is connected for this session.",
            hint="Start the browser with the extension, or see tabmux extension list.",
        )

    def _changed(self, session: str) -> None:
        if session in self._instances and (arrival := self._arrivals.get(session)):
            arrival.set()
        for listener in self._listeners:
            listener()


class _Instance:
    """The extension of one session."""

    def __init__(
        self, session: str, socket: BridgeSocket, forward: Forward, tally: Counter[str]
    ) -> None:
        self._session, self._socket, self._forward = session, socket, forward
        self._tally = tally
        self._pending: dict[str, asyncio.Future[Message]] = {}
        self._events: asyncio.Queue[ExtensionNotification] = asyncio.Queue(MOST_EVENTS)

    async def ask(self, message: Message, seconds: float) -> Message:
        """Send a command and wait for its response."""
        ident = message["id"]
        if ident in self._pending:
            raise Misuse(f"A command {ident!r} is under way already.")
        if len(self._pending) >= MOST_PENDING:
            raise Busy(f"{MOST_PENDING} commands of this session are under way.")
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._pending[ident] = answer
        try:
            async with asyncio.timeout(seconds):
                await self._socket.send(message)
                return await answer
        except TimeoutError:
            raise DeadlineExceeded(
                f"The extension did not answer {message['type']} within {seconds:g} s."
            ) from None
        except WebSocketDisconnect:
            raise _gone() from None
        finally:
            self._pending.pop(ident, None)

    async def listen(self, stands: Callable[[], bool]) -> None:
        """Read until the socket closes; what was said unasked goes on in its order."""
        async with asyncio.TaskGroup() as group:
            others = [
                group.create_task(self._forward_all()),
                group.create_task(self._watch(stands)),
            ]
            try:
                while True:
                    await self._read()
            except WebSocketDisconnect:
                for task in others:
                    task.cancel()

    def end(self) -> None:
        """Fail what still waits."""
        for answer in self._pending.values():
            if not answer.done():
                answer.set_exception(_gone())

    async def _read(self) -> None:
        try:
            message = read(await self._socket.receive())
            if message.get("type") == "ping":
                await self._socket.send({"type": "pong"})
            else:
                self._heard(message)
        except Malformed as error:
            self._tally["malformed"] += 1
            await self._socket.send({"type": "error", "message": str(error)})

    def _heard(self, message: Message) -> None:
        kind = message.get("type")
        if kind == "response":
            self._answered(message)
        elif not isinstance(kind, str):
            raise Malformed("The message has no type.")
        elif kind != "error":
            tab = tab_of(message) or tab_of(message.get("payload"))
            self._enqueue(ExtensionNotification(self._session, tab, message))

    def _answered(self, message: Message) -> None:
        waiting = self._pending.get(str(message.get("id")))
        if waiting is None or waiting.done():
            self._tally["unexpected"] += 1  # unknown, double or too late
            return
        waiting.set_result(message)

    def _enqueue(self, event: ExtensionNotification) -> None:
        if self._events.full():
            self._events.get_nowait()
            self._tally["dropped"] += 1
        self._events.put_nowait(event)

    async def _watch(self, stands: Callable[[], bool]) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if not stands():
                break
        await self._socket.close(REVOKED, "the pairing was revoked")

    async def _forward_all(self) -> None:
        while True:
            event = await self._events.get()
            try:
                await self._forward(event)
            except OSError as error:
                self._tally["undelivered"] += 1
                logger.warning("A message of an extension was not delivered: %s", error)
            except Exception:  # the transport loop is a rim
                self._tally["undelivered"] += 1
                logger.exception("A message of an extension could not be delivered")


def _gone() -> BrowserTrouble:
    return BrowserTrouble("The extension has disconnected.", hint="Try again when it is back.")
