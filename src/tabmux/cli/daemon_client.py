"""Daemon client: connects to the daemon's socket, starting it if need be, and calls tools."""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tabmux import __version__
from tabmux.cli.terminal import spinner
from tabmux.errors import BrowserTrouble, Misuse
from tabmux.folders import daemon_socket
from tabmux.json_text import decoded

START_SECONDS = 15.0
ANSWER_SECONDS = 600.0


def connect() -> socket.socket | None:
    """Connect to the daemon; None when none runs."""
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(daemon_socket())
    except (FileNotFoundError, ConnectionRefusedError):
        connection.close()
        return None
    return connection


def connect_or_start(flags: Sequence[str] = (), *, for_client: bool = False) -> socket.socket:
    """Connect to the daemon, and start it first if need be.

    Args:
        flags: What the daemon is to be started with.
        for_client: Whether the flags are a client's, of which the daemon takes only what
            concerns everybody.

    Two clients that come at the same instant both start one; the lock lets one of them live.
    """
    if connection := connect():
        return connection
    failure = start_daemon(flags, "run-for-client" if for_client else "run")
    end = time.monotonic() + START_SECONDS
    with spinner("Starting the daemon"):
        while time.monotonic() < end:
            if connection := connect():
                return connection
            if error := failure():
                raise Misuse(error)
            time.sleep(0.02)
    raise BrowserTrouble(
        f"The daemon did not start within {START_SECONDS:g} s.", hint="tabmux doctor says more."
    )


def start_daemon(flags: Sequence[str], command: str) -> Callable[[], str]:
    """Start the daemon, detached from this terminal; returns how to learn why it failed."""
    import subprocess
    import tempfile

    with tempfile.TemporaryFile() as talk:
        output = os.dup(talk.fileno())
        process = subprocess.Popen(
            [sys.executable, "-m", "tabmux", "daemon", command, *flags],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=talk,
            start_new_session=True,
            cwd="/",
        )

    def failure() -> str:
        if not process.poll():
            return ""
        os.lseek(output, 0, os.SEEK_SET)
        return os.read(output, 2000).decode(errors="replace").strip().removeprefix("Error: ")

    return failure


def send_line(line: str, *, required: bool = True) -> list[str]:
    """Send one control line and return the lines of the answer."""
    connection = connect()
    if connection is None:
        if required:
            raise Misuse("No daemon runs.", hint="Start one with tabmux daemon start.")
        return []
    with connection, connection.makefile("rw", encoding="utf-8") as stream:
        connection.settimeout(ANSWER_SECONDS)
        stream.write(line.strip() + "\n")
        stream.flush()
        lines = []
        while (answer := stream.readline().rstrip("\n")) != "":
            lines.append(answer)
    return lines


def read_words(line: str, *, quoted: bool = False) -> dict[str, str]:
    """Read the key=value words of an answer; those about browsers and extensions are quoted."""
    import shlex

    words = shlex.split(line) if quoted else line.split(" ")
    return {key: value for key, _, value in (word.partition("=") for word in words)}


class DaemonClient:
    """A small MCP client over the daemon's socket."""

    def __init__(self, connection: socket.socket) -> None:
        connection.settimeout(ANSWER_SECONDS)
        self._stream = connection.makefile("rwb")
        self._last = 0

    def hello(self, session: str, *, create: bool) -> dict[str, Any]:
        """Say who we are and which session we want."""
        greeting = {"version": __version__, "session": session, "create": create}
        self._write(b"hello " + json.dumps(greeting).encode())
        answer: dict[str, Any] = decoded(self._stream.readline() or b"{}")
        if error := answer.get("error"):
            raise Misuse(error)
        self.request(
            "initialize",
            {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "tabmux", "version": __version__},
            },
        )
        return answer

    def request(
        self,
        method: str,
        params: Mapping[str, Any],
        heard: Callable[[str], None] | None = None,
    ) -> dict[str, Any]:
        """Ask, and return the result; steps on the way are told to `heard`."""
        self._last += 1
        message = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": params}
        self._write(json.dumps(message).encode())
        while line := self._stream.readline():
            answer = decoded(line)
            if heard is not None and answer.get("method") == "notifications/progress":
                heard(str(answer["params"].get("message", "")))
            if answer.get("id") == self._last:
                if error := answer.get("error"):
                    raise Misuse(str(error.get("message")))
                result: dict[str, Any] = answer["result"]
                return result
        raise BrowserTrouble("The daemon ended the connection.", hint="See tabmux daemon status.")

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call a tool; on a terminal, what it says of its progress is shown meanwhile."""
        params = {"name": tool, "arguments": arguments, "_meta": {"progressToken": tool}}
        with spinner(tool) as tell:
            return self.request("tools/call", params, lambda step: tell(f"{tool}: {step}"))

    def tools(self) -> list[dict[str, Any]]:
        """List the tools."""
        found: list[dict[str, Any]] = self.request("tools/list", {})["tools"]
        return found

    def _write(self, line: bytes) -> None:
        self._stream.write(line + b"\n")
        self._stream.flush()


@contextmanager
def session_client(session: str | None = None) -> Iterator[DaemonClient]:
    """Work in a session: the one named, that of TABMUX_SESSION, or the command line's own."""
    name = session or os.environ.get("TABMUX_SESSION") or "cli"
    with connect_or_start(for_client=True) as connection:
        made = DaemonClient(connection)
        made.hello(name, create=True)
        yield made
