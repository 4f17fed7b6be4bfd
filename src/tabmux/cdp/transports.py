"""CDP transports: what a connection needs of one, and pipes."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections import deque
from collections.abc import Callable
from typing import Protocol

READ_SIZE = 1 << 18
# The code by which a browser says that it does not know a command.
UNKNOWN_METHOD = -32601

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


class PipeTransport:
    """A pair of pipes to a browser that we started; messages end with a NUL byte.

    The browser exits by itself when our end closes, so no Chrome outlives a killed server,
    and no debugging port is open to others.

    Args:
        read_fd: Where the browser writes; owned and closed by this object.
        write_fd: Where the browser reads; owned and closed by this object.
    """

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd, self._write_fd = read_fd, write_fd
        os.set_blocking(read_fd, False)
        os.set_blocking(write_fd, False)
        self._loop = asyncio.get_running_loop()
        self._parts: list[bytes] = []
        self._out: deque[memoryview] = deque()
        self._open = True
        self._receive: Receive
        self._closed: Closed

    def start(self, receive: Receive, closed: Closed) -> None:
        """Begin to deliver messages."""
        self._receive, self._closed = receive, closed
        self._loop.add_reader(self._read_fd, self._readable)

    def send(self, message: bytes) -> None:
        """Write at once what the pipe takes, and queue the rest."""
        if not self._open:
            return
        rest = memoryview(message + b"\0")
        if not self._out:
            rest = self._write(rest)
            if not rest:
                return
            self._loop.add_writer(self._write_fd, self._writable)
        self._out.append(rest)

    def close(self) -> None:
        """Close both ends; the browser notices and exits."""
        self._finish("the pipe was closed")

    def _readable(self) -> None:
        try:
            chunk = os.read(self._read_fd, READ_SIZE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._finish(f"reading from the browser failed: {error}")
            return
        if not chunk:
            self._finish("the browser closed its pipe")
            return
        self._split(chunk)

    def _split(self, chunk: bytes) -> None:
        first, *others = chunk.split(b"\0")
        self._parts.append(first)
        for part in others:
            message = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
            self._parts = [part]
            self._receive(message)

    def _writable(self) -> None:
        while self._open and self._out:
            rest = self._write(self._out[0])
            if rest:
                self._out[0] = rest
                return
            self._out.popleft()
        if self._open:
            self._loop.remove_writer(self._write_fd)

    def _write(self, data: memoryview) -> memoryview:
        while data:
            try:
                data = data[os.write(self._write_fd, data) :]
            except (BlockingIOError, InterruptedError):
                return data
            except OSError as error:
                self._finish(f"writing to the browser failed: {error}")
                return data[:0]
        return data

    def _finish(self, reason: str) -> None:
        if not self._open:
            return
        self._open = False
        self._out.clear()
        self._loop.remove_reader(self._read_fd)
        self._loop.remove_writer(self._write_fd)
        for fd in (self._read_fd, self._write_fd):
            with contextlib.suppress(OSError):
                os.close(fd)
        self._closed(reason)
