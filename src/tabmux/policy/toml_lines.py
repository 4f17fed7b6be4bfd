"""TOML lines: in which line of a text a table, a key or a value stands."""

from __future__ import annotations

import re
import tomllib
from typing import Any

_HEADER = re.compile(r"\s*\[[^\[].*\]\s*(#.*)?")
_KEY = re.compile(r"""\s*([A-Za-z0-9_.\-]+|"[^"]*"|'[^']*')\s*=""")
_ERROR = re.compile(r"at line (\d+)")

KeyPath = tuple[str, ...]


class TomlLines:
    """Finds lines again, which the parser does not tell."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        self._known: dict[KeyPath, int] = {}
        table: KeyPath = ()
        for number, line in enumerate(self._lines, 1):
            if header := _header(line):
                table = header
                self._known.setdefault(table, number)
            elif found := _KEY.match(line):
                word = found[1]
                # In quotation marks, a dot is part of the key.
                steps = (word[1:-1],) if word[0] in "\"'" else tuple(word.split("."))
                self._known.setdefault((*table, *steps), number)

    def of(self, path: KeyPath) -> int:
        """Return the line of a table or a key; that of what it is in where it has none itself."""
        while path:
            below = (line for known, line in self._known.items() if known[: len(path)] == path)
            if (found := self._known.get(path) or next(below, None)) is not None:
                return found
            path = path[:-1]
        return 1

    def of_item(self, start: int, value: Any, message: str) -> int:
        """Return the line of the entry of a list that a message quotes; else the first line."""
        entries = value if isinstance(value, list) else ()
        wrong = next((e for e in entries if isinstance(e, str) and e and e in message), None)
        for number, line in enumerate(self._lines[start - 1 :], start):
            if wrong is not None and wrong in line:
                return number
        return start

    def of_error(self, message: str) -> int:
        """Return the line that the parser's own message names; the last when it names none."""
        found = _ERROR.search(message)
        return int(found[1]) if found else max(len(self._lines), 1)


def _header(line: str) -> KeyPath | None:
    """Return the table that a line begins."""
    if not _HEADER.fullmatch(line):
        return None
    try:
        table: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return None
    path = []
    while isinstance(table, dict) and table:
        name, table = next(iter(table.items()))
        path.append(name)
    return tuple(path)
