"""MCP over standard input and output, relayed to the daemon byte by byte."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from tabmux import __version__
from tabmux.cli.daemon_client import join, socket_path
from tabmux.cli.talk import Talk
from tabmux.errors import BrowserTrouble, Misuse

CHUNK = 1 << 16
ANSWER_SECONDS = 30.0
# A daemon that ends sooner than this would end again.
RESTART_SECONDS = 3.0
# What JSON-RPC leaves to servers.
LOST = -32000
_LOST = (
    "The tabmux daemon was killed during this call, so how far it came is unknown. "
    "Another daemon takes over, with an empty session: call list_pages, then go on."
)
# As in config.py, which takes too long to load here.
RULES = ("allow_url", "deny_url", "no_javascript_evaluation", "read_only", "redact_headers")


def relay(flags: Sequence[str]) -> int:
    """Join the daemon and pass bytes both ways until one side ends; returns the exit code.

    Args:
        flags: What the user wrote. A daemon that must be started gets all of it; one that
            runs adds the browsers that it does not know yet.
    """
    try:
        return StdioRelay(_absolute(flags)).run()
    except BrokenPipeError:
        return 0  # nobody reads any more


class StdioRelay:
    """A client's way to the daemon. When the daemon is killed, it goes on with another one."""

    def __init__(self, flags: Sequence[str]) -> None:
        self._flags = flags
        self._talk = Talk()
        self._link = _joined(flags)
        self._restarted = -RESTART_SECONDS
        # Held by whoever writes to the daemon, and while there is none.
        self._turn = threading.Lock()
        self._finished = False

    def run(self) -> int:
        """Pass bytes until the client has finished or the daemon was stopped."""
        threading.Thread(target=self._upward, daemon=True).start()
        while True:
            self._downward()
            # A daemon that is stopped in order takes its socket away first.
            if self._finished or not os.path.exists(socket_path()):
                return 0
            self._go_on()

    def _downward(self) -> None:
        while data := self._receive():
            _write_all(1, data)
            self._talk.answered(data)

    def _receive(self) -> bytes:
        try:
            return self._link.recv(CHUNK)
        except ConnectionError:
            return b""

    def _upward(self) -> None:
        line = bytearray()
        while data := os.read(0, CHUNK):
            first, *more = data.split(b"\n")
            line += first
            for following in more:
                self._send(bytes(line) + b"\n")
                line = bytearray(following)
        with self._turn, suppress(OSError):
            self._finished = True
            self._link.sendall(line)
            self._link.shutdown(socket.SHUT_WR)

    def _send(self, line: bytes) -> None:
        with self._turn, suppress(OSError):
            self._talk.asked(line)
            self._link.sendall(line)

    def _go_on(self) -> None:
        """Tell the client what was lost, and introduce it to a new daemon."""
        with self._turn:
            broken = b"\n" if self._talk.inside_a_line else b""
            _write_all(1, broken + b"".join(map(_lost, self._talk.abandon())))
            self._link.close()
            if time.monotonic() - self._restarted < RESTART_SECONDS:
                raise BrowserTrouble("The daemon keeps ending.", hint="tabmux doctor says more.")
            self._link = _joined(self._flags, self._talk.opening)
            self._restarted = time.monotonic()
            sys.stderr.write("tabmux: the daemon was killed; another one has taken over.\n")


def _joined(flags: Sequence[str], opening: Sequence[bytes] = ()) -> socket.socket:
    """Join the daemon for a client that may have introduced itself before.

    A daemon that is just ending may still take the call, and hangs up.
    """
    end = time.monotonic() + ANSWER_SECONDS
    while time.monotonic() < end:
        link = join(flags)
        link.settimeout(ANSWER_SECONDS)
        try:
            _greet(link, [*flags, *_rules(os.environ)])
            for line in opening:
                link.sendall(line)
            if opening:
                _line(link)  # the client has had its answer to this
        except (ConnectionError, TimeoutError):
            link.close()
            time.sleep(0.02)
            continue
        link.settimeout(None)
        return link
    raise BrowserTrouble("The daemon does not answer.", hint="tabmux doctor says more.")


def _lost(ident: str | int) -> bytes:
    """Answer a request that the daemon took with it."""
    error = {"code": LOST, "message": _LOST}
    return json.dumps({"jsonrpc": "2.0", "id": ident, "error": error}).encode() + b"\n"


def _absolute(flags: Sequence[str]) -> list[str]:
    """Give --config a path that the daemon understands as well, wherever it runs."""
    words = list(flags)
    for index, word in enumerate(words):
        if word.startswith("--config="):
            words[index] = "--config=" + os.path.abspath(word.removeprefix("--config="))
        elif index and words[index - 1] == "--config":
            words[index] = os.path.abspath(word)
    return words


def _rules(environment: Mapping[str, str]) -> list[str]:
    """Write as flags which rules the environment sets: a daemon that runs has another one."""
    given = ((name, environment.get(f"TABMUX_{name.upper()}", "")) for name in RULES)
    return [
        f"--{name.replace('_', '-')}={value}"
        for name, text in given
        for value in text.split("\n")
        if value
    ]


def _greet(link: socket.socket, flags: Sequence[str]) -> None:
    hello = {
        "version": __version__,
        "flags": list(flags),
        "session": os.environ.get("TABMUX_SESSION", ""),
        "create": True,
    }
    link.sendall(b"hello " + json.dumps(hello).encode() + b"\n")
    answer = json.loads(_line(link))
    if error := answer.get("error"):
        raise Misuse(str(error))
    if (theirs := answer.get("version")) != __version__:
        sys.stderr.write(
            f"tabmux: the daemon that runs is version {theirs}, this is {__version__}; "
            "`tabmux daemon restart` updates it and ends its sessions.\n"
        )


def _line(link: socket.socket) -> bytes:
    """Read one line and no byte more: what follows belongs to the client."""
    line = b""
    while not line.endswith(b"\n"):
        byte = link.recv(1)
        if not byte:
            raise ConnectionError
        line += byte
    return line


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
