"""Daemon client: calls tools for the command line, over the daemon's socket."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tabmux import __version__, daemon_connection
from tabmux.cli.terminal import spinner
from tabmux.daemon_connection import CONTROL_SECONDS, connect, lost_daemon, silent_daemon
from tabmux.errors import DaemonTrouble, Misuse
from tabmux.json_text import decoded

CHUNK = 1 << 16
# A call ends by its own deadline, in the daemon; this is for one that does not.
ANSWER_SECONDS = 600.0
# When a call takes longer than this, is the daemon alive? It has a while to say so.
PING_EVERY_SECONDS = 5.0
PING_SECONDS = 10.0


def connect_or_start(flags: Sequence[str] = (), *, for_client: bool = False) -> socket.socket:
    """Connect to the daemon, and start it first if need be; a terminal shows that it takes long.

    Args:
        flags: What the daemon is to be started with.
        for_client: Whether the flags are a client's, of which the daemon takes only what
            concerns everybody.
    """
    return daemon_connection.connect_or_start(
        flags, for_client=for_client, waiting=lambda: spinner("Starting the daemon")
    )


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
