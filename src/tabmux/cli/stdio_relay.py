"""Stdio relay: passes MCP between standard input and output and the daemon, byte by byte."""

from __future__ import annotations

import json
import os
import re
import socket
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from tabmux import __version__
from tabmux.cli.daemon_client import connect_or_start
from tabmux.errors import BrowserTrouble, Misuse
from tabmux.folders import daemon_socket
from tabmux.json_text import BadJson, decoded

CHUNK = 1 << 16
ANSWER_SECONDS = 30.0
# A daemon that ends sooner than this would end again.
RESTART_SECONDS = 3.0
# What JSON-RPC leaves to servers.
LOST_CODE = -32000
LOST_MESSAGE = (
    "The tabmux daemon was killed during this call, so how far it came is unknown. "
    "Another daemon takes over, with an empty session: call list_pages, then go on."
)
_SESSION = "TABMUX_SESSION"
# A response begins like this; requests of the server have a method in place of the result.
_RESPONSE = re.compile(rb'\{"jsonrpc":"2\.0","id":("(?:[^"\\]|\\.)*"|-?\d+),"(?:result|error)"')
# Enough for the longest id that the daemon takes.
_LINE_START_BYTES = 2000
# The flags whose values are paths, without dashes: the settings say the same.
PATH_FLAGS = frozenset(
    ("config", "executablepath", "userdatadir", "allowpath", "filesystemroot", "workspace")
) | {"logfile", "policy"}
_INTRODUCTION = ("initialize", "notifications/initialized")


def relay(flags: Sequence[str]) -> int:
    """Join the daemon and pass bytes both ways until one side ends; returns the exit code.

    Args:
        flags: What the user wrote. They are for this client's session; a daemon that must be
            started takes what concerns everybody.
    """
    try:
        return StdioRelay(_with_absolute_paths(flags)).run()
    except BrokenPipeError:
        return 0  # nobody reads any more


class StdioRelay:
    """A client's way to the daemon. When the daemon is killed, it goes on with another one."""

    def __init__(self, flags: Sequence[str]) -> None:
        self._flags = flags
        self._requests = PendingRequests()
        self._connection = _connect(flags)
        self._restarted = -RESTART_SECONDS
        # Held by whoever writes to the daemon, and while there is none.
        self._writing = threading.Lock()
        self._finished = False

    def run(self) -> int:
        """Pass bytes until the client has finished or the daemon was stopped."""
        threading.Thread(target=self._copy_to_daemon, daemon=True).start()
        while True:
            self._copy_from_daemon()
            # A daemon that is stopped in order takes its socket away first.
            if self._finished or not os.path.exists(daemon_socket()):
                return 0
            self._reconnect()

    def _copy_from_daemon(self) -> None:
        while data := self._receive():
            _write_all(1, data)
            self._requests.note_output(data)

    def _receive(self) -> bytes:
        try:
            return self._connection.recv(CHUNK)
        except ConnectionError:
            return b""

    def _copy_to_daemon(self) -> None:
        line = bytearray()
        while data := os.read(0, CHUNK):
            first, *more = data.split(b"\n")
            line += first
            for following in more:
                self._send(bytes(line) + b"\n")
                line = bytearray(following)
        with self._writing, suppress(OSError):
            self._finished = True
            self._connection.sendall(line)
            self._connection.shutdown(socket.SHUT_WR)

    def _send(self, line: bytes) -> None:
        with self._writing, suppress(OSError):
            self._requests.note_request(line)
            self._connection.sendall(line)

    def _reconnect(self) -> None:
        """Tell the client what was lost, and introduce it to a new daemon."""
        with self._writing:
            broken = b"\n" if self._requests.inside_a_line else b""
            _write_all(1, broken + b"".join(map(_lost_response, self._requests.take_all())))
            self._connection.close()
            if time.monotonic() - self._restarted < RESTART_SECONDS:
                raise BrowserTrouble("The daemon keeps ending.", hint="tabmux doctor says more.")
            self._connection = _connect(self._flags, self._requests.introduction)
            self._restarted = time.monotonic()
            sys.stderr.write("tabmux: the daemon was killed; another one has taken over.\n")


class PendingRequests:
    """The requests that wait for an answer, and how the client introduced itself."""

    def __init__(self) -> None:
        # What the client said first, to be said again to another daemon.
        self.introduction: list[bytes] = []
        self._waiting: dict[str | int, None] = {}
        # The beginning of the line that the daemon is writing.
        self._line_start = b""

    @property
    def inside_a_line(self) -> bool:
        """Whether the daemon has begun a line and not ended it."""
        return bool(self._line_start)

    def note_request(self, line: bytes) -> None:
        """Take note of a line of the client."""
        try:
            said = decoded(line)
        except BadJson:
            return
        for message in said if isinstance(said, list) else [said]:
            if isinstance(message, dict) and isinstance(message.get("method"), str):
                self._remember(message, line)

    def note_output(self, data: bytes) -> None:
        """Take note of what the daemon wrote, wherever it is cut."""
        first, *more = data.split(b"\n")
        self._add_to_line(first)
        for following in more:
            self._end_line()
            self._add_to_line(following)

    def take_all(self) -> list[str | int]:
        """Return the requests that wait, and wait for them no longer."""
        waiting = list(self._waiting)
        self._waiting.clear()
        self._line_start = b""
        return waiting

    def _remember(self, message: dict[str, Any], line: bytes) -> None:
        method, ident = message["method"], message.get("id")
        if method in _INTRODUCTION:
            self.introduction = [line] if ident is not None else [*self.introduction[:1], line]
        if isinstance(ident, str | int):
            self._waiting[ident] = None
        elif method == "notifications/cancelled" and isinstance(message.get("params"), dict):
            cancelled = message["params"].get("requestId")
            if isinstance(cancelled, str | int):
                self._waiting.pop(cancelled, None)

    def _add_to_line(self, piece: bytes) -> None:
        if len(self._line_start) < _LINE_START_BYTES:
            self._line_start += piece[:_LINE_START_BYTES]

    def _end_line(self) -> None:
        if found := _RESPONSE.match(self._line_start):
            self._waiting.pop(decoded(found[1]), None)
        self._line_start = b""


def _connect(flags: Sequence[str], introduction: Sequence[bytes] = ()) -> socket.socket:
    """Join the daemon for a client that may have introduced itself before.

    A daemon that is just ending may still take the call, and hangs up.
    """
    end = time.monotonic() + ANSWER_SECONDS
    while time.monotonic() < end:
        connection = connect_or_start(flags, for_client=True)
        connection.settimeout(ANSWER_SECONDS)
        try:
            _introduce(connection, [*_environment_flags(os.environ), *flags])
            for line in introduction:
                connection.sendall(line)
            if introduction:
                _read_line(connection)  # the client has had its answer to this
        except (ConnectionError, TimeoutError):
            connection.close()
            time.sleep(0.02)
            continue
        connection.settimeout(None)
        return connection
    raise BrowserTrouble("The daemon does not answer.", hint="tabmux doctor says more.")


def _lost_response(ident: str | int) -> bytes:
    """Answer a request that the daemon took with it."""
    error = {"code": LOST_CODE, "message": LOST_MESSAGE}
    return json.dumps({"jsonrpc": "2.0", "id": ident, "error": error}).encode() + b"\n"


def _with_absolute_paths(flags: Sequence[str]) -> list[str]:
    """Give paths a form that the daemon understands as well, wherever it runs."""
    given = {re.sub("[-_]", "", word.partition("=")[0]).lower() for word in flags}
    if not given & PATH_FLAGS:
        return list(flags)  # without the settings, which take long to load
    from tabmux.settings import flag_words, parse_flags

    return flag_words(parse_flags(flags))


def _environment_flags(environment: Mapping[str, str]) -> list[str]:
    """Write as flags what the environment says: a daemon that runs has another one."""
    if not any(name.startswith("TABMUX_") and name != _SESSION for name in environment):
        return []  # without the settings, which take long to load
    from tabmux.settings import flag_words, read_environment

    return flag_words(read_environment(environment))


def _introduce(connection: socket.socket, flags: Sequence[str]) -> None:
    hello = {
        "version": __version__,
        "flags": list(flags),
        "session": os.environ.get(_SESSION, ""),
        "create": True,
    }
    connection.sendall(b"hello " + json.dumps(hello).encode() + b"\n")
    answer = decoded(_read_line(connection))
    if error := answer.get("error"):
        raise Misuse(str(error))
    for note in answer.get("notes", ()):
        sys.stderr.write(f"tabmux: {note}\n")
    if (theirs := answer.get("version")) != __version__:
        sys.stderr.write(
            f"tabmux: the daemon that runs is version {theirs}, this is {__version__}; "
            "`tabmux daemon restart` updates it and ends its sessions.\n"
        )


def _read_line(connection: socket.socket) -> bytes:
    """Read one line and no byte more: what follows belongs to the client."""
    line = b""
    while not line.endswith(b"\n"):
        byte = connection.recv(1)
        if not byte:
            raise ConnectionError
        line += byte
    return line


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
