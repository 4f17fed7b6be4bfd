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
from tabmux.errors import DaemonTrouble, Misuse
from tabmux.folders import daemon_socket
from tabmux.json_text import decoded

CHUNK = 1 << 16
START_SECONDS = 15.0
# What the daemon answers out of its own memory.
CONTROL_SECONDS = 5.0
# A call ends by its own deadline, in the daemon; this is for one that does not.
ANSWER_SECONDS = 600.0
# When a call takes longer than this, is the daemon alive? It has a while to say so.
PING_EVERY_SECONDS = 5.0
PING_SECONDS = 10.0


def connect(seconds: float = CONTROL_SECONDS) -> socket.socket | None:
    """Connect to the daemon; None when none runs."""
    connection = socket.socket(socket.AF_UNIX)
    try:
        _connect(connection, seconds)
    except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
        connection.close()
        return None
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(connection: socket.socket, seconds: float) -> None:
    connection.settimeout(seconds)
    end = time.monotonic() + seconds
    while True:
        try:
            connection.connect(daemon_socket())
            break
        except (BlockingIOError, TimeoutError) as error:  # the former from a full queue on Linux
            if time.monotonic() > end:
                raise silent_daemon() from error
            time.sleep(0.02)
    connection.settimeout(None)


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
    raise DaemonTrouble(
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
            env=_environment(),
        )

    def failure() -> str:
        if not process.poll():
            return ""
        os.lseek(output, 0, os.SEEK_SET)
        said = os.read(output, 4000).decode(errors="replace").strip()
        return said.rpartition("Error: ")[2]  # without the usage of a command nobody called

    return failure


def _environment() -> Mapping[str, str]:
    if not any(name.startswith("TABMUX_") and name != "TABMUX_SESSION" for name in os.environ):
        return os.environ  # without the settings, which take long to load
    from tabmux.settings import with_absolute_paths

    return with_absolute_paths(os.environ)


class AnswerLines:
    """The lines of a connection to the daemon, none of which is waited for without end."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._arrived: list[bytes] = []

    def write(self, line: bytes) -> None:
        """Send a line."""
        self._connection.settimeout(CONTROL_SECONDS)
        try:
            self._connection.sendall(line + b"\n")
        except TimeoutError as error:
            raise silent_daemon() from error
        except ConnectionError as error:
            raise lost_daemon() from error

    def read(self, seconds: float, *, ping: bool = False) -> bytes:
        """Return the next line, or nothing when the daemon has hung up.

        Args:
            seconds: For the next piece of the answer.
            ping: Ask meanwhile on a second connection whether the daemon is alive, and give up
                when it is not.
        """
        while not self._arrived or b"\n" not in self._arrived[-1]:
            data = self._receive(seconds, ping)
            if not data:
                return b""
            self._arrived.append(data)
        line, _, rest = b"".join(self._arrived).partition(b"\n")
        self._arrived = [rest] if rest else []
        return line + b"\n"

    def _receive(self, seconds: float, ping: bool) -> bytes:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._connection.settimeout(min(left, PING_EVERY_SECONDS) if ping else left)
            try:
                return self._connection.recv(CHUNK)
            except TimeoutError:
                if ping and not _answers_ping():
                    break
            except ConnectionError:
                return b""
        raise silent_daemon()


def silent_daemon() -> DaemonTrouble:
    """Return the error to raise when the daemon runs but says nothing."""
    return DaemonTrouble(
        "The daemon runs but does not answer.",
        hint="tabmux logs may say why; tabmux daemon restart ends it, by force if need be.",
    )


def lost_daemon() -> DaemonTrouble:
    """Return the error to raise when the daemon hangs up before it has answered."""
    return DaemonTrouble("The daemon ended the connection.", hint="See tabmux logs.")


def _answers_ping() -> bool:
    try:
        with connect() or socket.socket(socket.AF_UNIX) as second:
            lines = AnswerLines(second)
            lines.write(b"ping")
            return bool(lines.read(PING_SECONDS))
    except (OSError, DaemonTrouble):
        return False


class DaemonClient:
    """A small MCP client over the daemon's socket."""

    def __init__(self, connection: socket.socket) -> None:
        self._lines = AnswerLines(connection)
        self._last = 0

    def hello(self, session: str, *, create: bool) -> dict[str, Any]:
        """Say who we are and which session we want."""
        greeting = {"version": __version__, "session": session, "create": create}
        self._lines.write(b"hello " + json.dumps(greeting).encode())
        answer: dict[str, Any] = decoded(self._lines.read(CONTROL_SECONDS) or b"{}")
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
        self._lines.write(json.dumps(message).encode())
        while line := self._lines.read(ANSWER_SECONDS, ping=True):
            answer = decoded(line)
            if heard is not None and answer.get("method") == "notifications/progress":
                heard(str(answer["params"].get("message", "")))
            if answer.get("id") == self._last:
                if error := answer.get("error"):
                    raise Misuse(str(error.get("message")))
                result: dict[str, Any] = answer["result"]
                return result
        raise lost_daemon()

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call a tool; on a terminal, what it says of its progress is shown meanwhile."""
        params = {"name": tool, "arguments": arguments, "_meta": {"progressToken": tool}}
        with spinner(tool) as tell:
            return self.request("tools/call", params, lambda step: tell(f"{tool}: {step}"))

    def tools(self) -> list[dict[str, Any]]:
        """List the tools."""
        found: list[dict[str, Any]] = self.request("tools/list", {})["tools"]
        return found


@contextmanager
def session_client(session: str | None = None) -> Iterator[DaemonClient]:
    """Work in a session: the one named, that of TABMUX_SESSION, or the command line's own."""
    name = session or os.environ.get("TABMUX_SESSION") or "cli"
    with connect_or_start(for_client=True) as connection:
        made = DaemonClient(connection)
        made.hello(name, create=True)
        yield made
