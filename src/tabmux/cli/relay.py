"""MCP over standard input and output, relayed to the daemon byte by byte."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from collections.abc import Mapping, Sequence

from tabmux import __version__
from tabmux.cli.link import join
from tabmux.errors import Misuse

CHUNK = 1 << 16
# As in config.py, which takes too long to load here.
RULES = ("allow_url", "deny_url", "no_javascript_evaluation", "read_only", "redact_headers")


def relay(flags: Sequence[str]) -> int:
    """Join the daemon and pass bytes both ways until one side ends; returns the exit code.

    Args:
        flags: What the user wrote. A daemon that must be started gets all of it; one that
            runs adds the browsers that it does not know yet.
    """
    flags = _absolute(flags)
    with join(flags) as link:
        _greet(link, [*flags, *_rules(os.environ)])
        threading.Thread(target=_upward, args=(link,), daemon=True).start()
        while data := link.recv(CHUNK):
            _write_all(1, data)
    return 0


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
    answer = json.loads(_line(link) or b"{}")
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
            break
        line += byte
    return line


def _upward(link: socket.socket) -> None:
    while data := os.read(0, CHUNK):
        try:
            link.sendall(data)
        except OSError:
            return
    link.shutdown(socket.SHUT_WR)


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
