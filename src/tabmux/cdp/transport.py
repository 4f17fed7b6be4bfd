"""CDP transport: what a connection needs of the link beneath it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Receive = Callable[[bytes], None]
Closed = Callable[[str], None]


class Transport(Protocol):
    """A link to one browser that carries whole JSON messages.

    A transport is made open. `start` says where messages and the end of the link go;
    nothing is delivered before it. `closed` is called exactly once, with a reason.
    """

    def start(self, receive: Receive, closed: Closed) -> None:
        """Begin to deliver messages."""

    def send(self, message: bytes) -> None:
        """Queue one message; never blocks."""

    def close(self) -> None:
        """Close the link; `closed` still follows."""
