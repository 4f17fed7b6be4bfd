"""What passes between a client and the daemon, as far as a relay must know it."""

from __future__ import annotations

import json
import re
from typing import Any

# An answer begins like this; requests of the server have a method in place of the result.
_ANSWER = re.compile(rb'\{"jsonrpc":"2\.0","id":("(?:[^"\\]|\\.)*"|-?\d+),"(?:result|error)"')
# Enough for the longest id that the daemon takes.
_HEAD = 2000
_OPENING = ("initialize", "notifications/initialized")


class Talk:
    """The requests that wait for an answer, and how the client introduced itself."""

    def __init__(self) -> None:
        # What the client said first, to be said again to another daemon.
        self.opening: list[bytes] = []
        self._waiting: dict[str | int, None] = {}
        # The beginning of the line that the daemon is writing.
        self._head = b""

    @property
    def inside_a_line(self) -> bool:
        """Whether the daemon has begun a line and not ended it."""
        return bool(self._head)

    def asked(self, line: bytes) -> None:
        """Take note of a line of the client."""
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            return
        for message in said if isinstance(said, list) else [said]:
            if isinstance(message, dict) and isinstance(message.get("method"), str):
                self._note(message, line)

    def answered(self, data: bytes) -> None:
        """Take note of what the daemon wrote, wherever it is cut."""
        first, *more = data.split(b"\n")
        self._extend(first)
        for following in more:
            self._settle()
            self._extend(following)

    def abandon(self) -> list[str | int]:
        """Return the requests that wait, and wait for them no longer."""
        waiting = list(self._waiting)
        self._waiting.clear()
        self._head = b""
        return waiting

    def _note(self, message: dict[str, Any], line: bytes) -> None:
        method, ident = message["method"], message.get("id")
        if method in _OPENING:
            self.opening = [line] if ident is not None else [*self.opening[:1], line]
        if isinstance(ident, str | int):
            self._waiting[ident] = None
        elif method == "notifications/cancelled" and isinstance(message.get("params"), dict):
            cancelled = message["params"].get("requestId")
            if isinstance(cancelled, str | int):
                self._waiting.pop(cancelled, None)

    def _extend(self, piece: bytes) -> None:
        if len(self._head) < _HEAD:
            self._head += piece[:_HEAD]

    def _settle(self) -> None:
        if found := _ANSWER.match(self._head):
            self._waiting.pop(json.loads(found[1]), None)
        self._head = b""
