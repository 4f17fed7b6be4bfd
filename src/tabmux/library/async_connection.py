"""Asynchronous connection: requests to the daemon over a socket or a WebSocket, many at once."""

from __future__ import annotations

import asyncio
import socket
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from tabmux.errors import DeadlineExceeded
from tabmux.library import wire

# Longer than a session takes to close its pages.
CLOSE_SECONDS = 25.0


class AsyncConnection(ABC):
    """What requests and answers go over; a kind of link says how bytes are sent.

    Args:
        folders: Where the session's tools may read and write.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._last = 0
        self._ended = asyncio.Event()

    @property
    def has_ended(self) -> bool:
        """Whether the link is no more, or is just found to be so."""
        return self._ended.is_set() or self.is_closing

    async def introduce(self) -> None:
        """Say who we are; calls may follow. A link that is not let in is closed."""
        try:
            await self.request("initialize", wire.introduction(self._folders))
        except BaseException:
            self.abort()
            raise
        self.send(wire.notification("notifications/initialized", {}))

    async def request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Ask, and return the result; a caller who is cancelled cancels the request."""
        if self.has_ended:
            raise wire.CallNotSent
        self._last += 1
        ident = self._last
        answer = self._waiting[ident] = asyncio.get_running_loop().create_future()
        try:
            self.send(wire.request(ident, method, params))
            if self.is_closing:
                raise wire.CallNotSent
            async with asyncio.timeout(wire.ANSWER_SECONDS):
                return wire.result_of(await answer)
        except TimeoutError as error:
            raise DeadlineExceeded("The daemon did not answer.", hint="See tabmux logs.") from error
        except asyncio.CancelledError:
            self.send(wire.notification("notifications/cancelled", {"requestId": ident}))
            raise
        finally:
            self._waiting.pop(ident, None)

    async def close(self) -> None:
        """Hang up, and wait until the daemon has done with us."""
        if self.has_ended:
            return
        self.hang_up()
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._ended.wait()
        except TimeoutError:
            self.abort()

    def receive(self, data: bytes) -> None:
        """Take one message of the daemon."""
        message = wire.read_message(data)
        waiting = self._waiting.get(cast(int, message.get("id")))
        if "method" in message:
            if answer := wire.answer_to(message, self._folders):
                self.send(answer)
        elif waiting is not None and not waiting.done():
            waiting.set_result(message)

    def lose(self) -> None:
        """Fail what waits: the link has ended."""
        self._ended.set()
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(wire.lost())

    @property
    def is_closing(self) -> bool:
        """Whether the link takes nothing more, so that what was sent last has not gone out."""
        return False

    @abstractmethod
    def send(self, message: bytes) -> None:
        """Send one message."""

    @abstractmethod
    def hang_up(self) -> None:
        """Say that nothing more will come."""

    @abstractmethod
    def abort(self) -> None:
        """End the link at once."""


class AsyncSocketConnection(AsyncConnection, asyncio.Protocol):
    """A connection over the daemon's socket, one line a message."""

    _transport: asyncio.Transport | None = None

    def __init__(self, folders: Sequence[Path]) -> None:
        super().__init__(folders)
        self._arrived: list[bytes] = []

    @classmethod
    async def over(cls, joined: socket.socket, folders: Sequence[Path]) -> AsyncSocketConnection:
        """Use a socket whose session is agreed on."""
        joined.setblocking(False)
        loop = asyncio.get_running_loop()
        _, made = await loop.create_unix_connection(lambda: cls(folders), sock=joined)
        await made.introduce()
        return made

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the link."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Cut what comes into lines."""
        *lines, rest = data.split(b"\n")
        for line in lines:
            whole = b"".join([*self._arrived, line])
            self._arrived.clear()
            self.receive(whole)
        if rest:
            self._arrived.append(rest)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note the end of the link."""
        self.lose()

    @property
    def is_closing(self) -> bool:
        """Whether the link takes nothing more, so that what was sent last has not gone out."""
        return self._transport is not None and self._transport.is_closing()

    def send(self, message: bytes) -> None:
        """Send one line."""
        if self._transport is not None and not self.is_closing:
            self._transport.write(message + b"\n")

    def hang_up(self) -> None:
        """Close our half: the daemon closes its own when it has done."""
        if self._transport is not None and self._transport.can_write_eof():
            self._transport.write_eof()

    def abort(self) -> None:
        """End the link at once."""
        if self._transport is not None:
            self._transport.abort()
