"""File journal: the actions that one server began, for the next one on the same machine.

A line is written to a file before an action begins, and another one when its client has the
answer. A killed process takes nothing back of what it has written, so nobody waits for a disk.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from tabmux.sessions.call_journal import begun_before

# About ten thousand actions; the file before is kept beside it.
MOST_BYTES = 1 << 20
_BEGUN, _ANSWERED = b"+", b"-"


class FileJournal:
    """A call journal in a file.

    Args:
        path: The file. What is in it was begun by servers that have ended.
        most_bytes: How long it may become before another one is begun.
    """

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES) -> None:
        self._path, self._most = path, most_bytes
        self._before = path.with_suffix(".old")
        self._unanswered: set[str] = set()
        for each in (self._before, path):
            _read(each, self._unanswered)
        self._descriptor = _open(path)
        self._bytes = os.fstat(self._descriptor).st_size

    async def begin(self, key: str) -> None:
        """Note that the action of a request begins; raises for one that was begun before."""
        if key in self._unanswered:
            self._unanswered.discard(key)
            self.answered(key)
            raise begun_before()
        self._write(_BEGUN, key)

    def answered(self, key: str) -> None:
        """Note that the client has the answer; the same key may be used again."""
        self._write(_ANSWERED, key)

    def unanswered(self, prefix: str) -> list[str]:
        """Return the keys with this beginning that servers before had begun and not answered."""
        return [key for key in self._unanswered if key.startswith(prefix)]

    def close(self) -> None:
        """Write no more."""
        os.close(self._descriptor)
        # Another file may get the number.
        self._descriptor = -1

    def _write(self, sign: bytes, key: str) -> None:
        line = sign + key.encode("unicode_escape") + b"\n"
        with suppress(OSError):  # a full disk ends no call
            self._bytes += os.write(self._descriptor, line)
        if self._bytes > self._most:
            self._turn_over()

    def _turn_over(self) -> None:
        # Also where there is no other file: it is tried again when as much was written.
        self._bytes = 0
        with suppress(OSError):
            with suppress(FileNotFoundError):  # somebody has deleted it
                os.replace(self._path, self._before)
            following = _open(self._path)
            os.close(self._descriptor)
            self._descriptor = following


def _open(path: Path) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
    return os.open(path, flags, 0o600)


def _read(path: Path, found: set[str]) -> None:
    """Add the keys that were begun in a journal, and take out those that were answered."""
    with suppress(FileNotFoundError):
        for line in path.read_bytes().split(b"\n")[:-1]:
            key = line[1:].decode("unicode_escape", errors="replace")
            if line.startswith(_BEGUN):
                found.add(key)
            else:
                found.discard(key)
