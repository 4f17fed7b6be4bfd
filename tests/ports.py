"""Ports for servers that somebody else is going to start."""

from __future__ import annotations

import random
import socket

# Below what Linux and macOS hand out to outgoing connections, one of which could otherwise take
# the port before the server does.
FIRST, LAST = 20_000, 32_000
# The tests of every worker seed `random` alike.
_DICE = random.SystemRandom()


def free_port() -> int:
    """Return a port of this machine that nobody uses."""
    while True:
        port = _DICE.randint(FIRST, LAST)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
