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

from tabmux.cli.daemon_client import connect_or_start
from tabmux.daemon_connection import (
    SESSION_VARIABLE,
    environment_flags,
    introduce,
    is_restarting,
    read_line,
    remarks,
    with_absolute_paths,
)
from tabmux.errors import BrowserTrouble
from tabmux.folders import daemon_socket
from tabmux.json_text import BadJson, decoded

CHUNK = 1 << 16
ANSWER_SECONDS = 30.0
# A daemon that ends so soon and has answered nothing, several times one after the other, would
# end again.
RESTART_SECONDS = 3.0
MOST_RESTARTS = 5
LOST_MESSAGE = (
    "Error [outcome_unknown]: The tabmux daemon ended during this call, so how far it came is "
    "unknown. Another daemon takes over, with an empty session: call list_pages, then go on."
)
# What only requests of the newest revision have.
_MODERN = "io.modelcontextprotocol/protocolVersion"
# A response begins like this; requests of the server have a method in place of the result.
_RESPONSE = re.compile(rb'\{"jsonrpc":"2\.0","id":("(?:[^"\\]|\\.)*"|-?\d+),"(?:result|error)"')
# Enough for the longest id that the daemon takes.
_LINE_START_BYTES = 2000
_INTRODUCTION = ("initialize", "notifications/initialized")
# Messages of an introduction, at most.
_MOST_SET_UP = 50
# What a client has set up for its connection, which another daemon must be told again.
_SET_UP = ("logging/setLevel", "resources/subscribe")


def relay(flags: Sequence[str]) -> int:
    """Join the daemon and pass bytes both ways until one side ends; returns the exit code.

    Args:
        flags: What the user wrote. They are for this client's session; a daemon that must be
            started takes what concerns everybody.
    """
    try:
        return StdioRelay(with_absolute_paths(flags)).run()
    except BrokenPipeError:
        return 0  # nobody reads any more


class StdioRelay:
    """A client's way to the daemon. When the daemon is killed, it goes on with another one."""

    def __init__(self, flags: Sequence[str]) -> None:
        self._flags = flags
        self._requests = PendingRequests()
        # What no other connection is called: a request is known by it in the next daemon, too.
        self._name = os.urandom(16).hex()
        self._session = ""
        self._connection, _ = self._connect()
        self._restarted, self._restarts = -RESTART_SECONDS, 0
        # Held by whoever writes to the daemon, and while there is none.
        self._writing = threading.Lock()
        self._finished = False

    def run(self) -> int:
        """Pass bytes until the client has finished or the daemon was stopped."""
        threading.Thread(target=self._copy_to_daemon, daemon=True).start()
        while True:
            self._copy_from_daemon()
            # A daemon that is stopped in order takes its socket away first.
            is_back = os.path.exists(daemon_socket()) or is_restarting()
            if self._finished or not is_back:
                return 0
            self._reconnect()

    def _copy_from_daemon(self) -> None:
        while data := self._receive():
            _write_all(1, data)
            self._requests.note_output(data)
            self._restarts = 0

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
        """Introduce the client to a new daemon, and ask it what the old one has not answered."""
        with self._writing:
            _write_all(1, b"\n" if self._requests.inside_a_line else b"")
            self._connection.close()
            self._refuse_to_start_for_ever()
            self._requests.cut_line()
            self._connection, resumed = self._connect()
            for line in self._requests.waiting:
                self._ask_again(line, resumed)
            self._restarted = time.monotonic()
            sys.stderr.write("tabmux: the daemon ended; another one has taken over.\n")

    def _ask_again(self, line: bytes, resumed: bool) -> None:
        """Send a request to the new daemon, which knows what the old one had begun.

        A call of one that knows nothing of the session is answered here: it may have been made.
        """
        if line in self._requests.introduction:
            return  # said already
        message = decoded(line)
        if resumed or message["method"] != "tools/call":
            with suppress(OSError):
                self._connection.sendall(line)
        else:
            response = _lost_response(message)
            self._requests.note_output(response)
            _write_all(1, response)

    def _refuse_to_start_for_ever(self) -> None:
        soon = time.monotonic() - self._restarted < RESTART_SECONDS
        self._restarts = self._restarts + 1 if soon else 0
        if self._restarts >= MOST_RESTARTS:
            raise BrowserTrouble("The daemon keeps ending.", hint="tabmux doctor says more.")

    def _connect(self) -> tuple[socket.socket, bool]:
        """Join the daemon, also for a client that has introduced itself before.

        A daemon that is just ending may still take the call, and hangs up. Returns whether the
        session is the one of before, too.
        """
        end = time.monotonic() + ANSWER_SECONDS
        while time.monotonic() < end:
            connection = connect_or_start(self._flags, for_client=True)
            connection.settimeout(ANSWER_SECONDS)
            try:
                answer = self._introduce(connection)
                for line in self._requests.introduction:
                    self._repeat(connection, line)
            except (ConnectionError, TimeoutError):
                connection.close()
                time.sleep(0.02)
                continue
            connection.settimeout(None)
            self._session = str(answer.get("session", ""))
            return connection, bool(answer.get("resumed"))
        raise BrowserTrouble("The daemon does not answer.", hint="tabmux doctor says more.")

    def _introduce(self, connection: socket.socket) -> dict[str, Any]:
        own = {"client": self._name, "resume": self._session}
        flags = [*environment_flags(os.environ), *self._flags]
        session = os.environ.get(SESSION_VARIABLE, "")
        answer = introduce(connection, flags, session, own=own)
        for remark in remarks(answer):
            sys.stderr.write(f"tabmux: {remark}\n")
        return answer

    def _repeat(self, connection: socket.socket, line: bytes) -> None:
        """Say something again that the client has had its answer to, or still waits for."""
        connection.sendall(line)
        ident = decoded(line).get("id")
        if ident is None or self._requests.is_waiting(ident):
            return
        while True:
            said = read_line(connection)
            found = _RESPONSE.match(said)
            if found and decoded(found[1]) == ident:
                return
            _write_all(1, said)


class PendingRequests:
    """The requests that wait for an answer, and how the client introduced itself."""

    def __init__(self) -> None:
        # What the client said first, to be said again to another daemon.
        self.introduction: list[bytes] = []
        self._waiting: dict[str | int, bytes] = {}
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
                alone = json.dumps(message).encode() + b"\n" if message is not said else line
                self._remember(message, alone)

    def note_output(self, data: bytes) -> None:
        """Take note of what the daemon wrote, wherever it is cut."""
        first, *more = data.split(b"\n")
        self._add_to_line(first)
        for following in more:
            self._end_line()
            self._add_to_line(following)

    def is_waiting(self, ident: str | int) -> bool:
        """Whether a request waits for its answer."""
        return ident in self._waiting

    @property
    def waiting(self) -> list[bytes]:
        """The requests that wait, each a line."""
        return list(self._waiting.values())

    def cut_line(self) -> None:
        """Note that the line which the daemon was writing will never be complete."""
        self._line_start = b""

    def _remember(self, message: dict[str, Any], line: bytes) -> None:
        method, ident = message["method"], message.get("id")
        if method in _INTRODUCTION:
            self.introduction = [line] if ident is not None else [*self.introduction[:1], line]
        elif method in _SET_UP and len(self.introduction) < _MOST_SET_UP:
            self.introduction = [each for each in self.introduction if each != line] + [line]
        if isinstance(ident, str | int):
            self._waiting[ident] = line
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


def _lost_response(request: Mapping[str, Any]) -> bytes:
    """Answer a call that the daemon took with it."""
    result: dict[str, Any] = {"content": [{"type": "text", "text": LOST_MESSAGE}], "isError": True}
    result["_meta"] = {"code": "outcome_unknown"}
    params = request.get("params")
    if isinstance(params, dict) and _MODERN in (params.get("_meta") or ()):
        result["resultType"] = "complete"
    message = {"jsonrpc": "2.0", "id": request["id"], "result": result}
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
