"""Synchronous connection: requests to the daemon over a socket or a WebSocket, one at a time."""

from __future__ import annotations

import socket
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tabmux.errors import DeadlineExceeded
from tabmux.library import wire

# Longer than a session takes to close its pages.
CLOSE_SECONDS = 25.0
CHUNK = 1 << 18


class SyncConnection(ABC):
    """What requests and answers go over; threads that share one take turns.

    Args:
        folders: Where the session's tools may read and write.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders
        self._last = 0
        self._turn = threading.Lock()
        self.has_ended = False

    def introduce(self) -> None:
        """Say who we are; calls may follow. A link that is not let in is closed."""
        try:
            self.request("initialize", wire.introduction(self._folders))
        except BaseException:
            self.close()
            raise
        self.send(wire.notification("notifications/initialized", {}))

    def request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Ask, and return the result."""
        with self._turn:
            self._last += 1
            try:
                self._send_request(wire.request(self._last, method, params))
                return wire.result_of(self._answer(self._last))
            except TimeoutError as error:
                raise DeadlineExceeded(
                    "The daemon did not answer.", hint="See tabmux logs."
                ) from error
            except (ConnectionError, EOFError) as error:
                self.has_ended = True
                raise wire.lost() from error
            except KeyboardInterrupt:
                with suppress(OSError):
                    params = {"requestId": self._last}
                    self.send(wire.notification("notifications/cancelled", params))
                raise

    def _send_request(self, message: bytes) -> None:
        """Send one, or say that the link had ended before: what came of it in part counts not."""
        try:
            self.send(message)
        except (ConnectionError, EOFError) as error:
            self.has_ended = True
            raise wire.CallNotSent from error

    def _answer(self, ident: int) -> dict[str, Any]:
        end = time.monotonic() + wire.ANSWER_SECONDS
        while (left := end - time.monotonic()) > 0:
            message = wire.read_message(self.receive(left))
            if answer := wire.answer_to(message, self._folders):
                self.send(answer)
            elif message.get("id") == ident:
                return message
        raise TimeoutError

    @abstractmethod
    def send(self, message: bytes) -> None:
        """Send one message."""

    @abstractmethod
    def receive(self, seconds: float) -> bytes:
        """Return the next message."""

    @abstractmethod
    def close(self) -> None:
        """Hang up, and wait until the daemon has done with us."""


class SyncSocketConnection(SyncConnection):
    """A connection over the daemon's socket, one line a message."""

    def __init__(self, joined: socket.socket, folders: Sequence[Path]) -> None:
        super().__init__(folders)
        self._socket = joined
        self._arrived: list[bytes] = []

    @classmethod
    def over(cls, joined: socket.socket, folders: Sequence[Path]) -> SyncSocketConnection:
        """Use a socket whose session is agreed on."""
        made = cls(joined, folders)
        made.introduce()
        return made

    def send(self, message: bytes) -> None:
        """Send one line."""
        self._socket.settimeout(wire.ANSWER_SECONDS)
        self._socket.sendall(message + b"\n")

    def receive(self, seconds: float) -> bytes:
        """Return the next line."""
        self._socket.settimeout(seconds)
        while not self._arrived or b"\n" not in self._arrived[-1]:
            data = self._socket.recv(CHUNK)
            if not data:
                raise EOFError
            self._arrived.append(data)
        line, _, rest = b"".join(self._arrived).partition(b"\n")
        self._arrived = [rest] if rest else []
        return line

    def close(self) -> None:
        """Hang up, and wait until the daemon has done with us."""
        with self._socket, suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
            self._socket.settimeout(CLOSE_SECONDS)
            while self._socket.recv(CHUNK):
                pass
