"""Where in a script something happened."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec


class CallFrame(NamedTuple):
    """A function in a script; line and column count from 1, and 0 means unknown.

    A tuple, because traces name places hundreds of thousands of times.
    """

    function: str = ""
    url: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        name = self.function or "(anonymous)"
        if not self.url:
            return name
        column = f":{self.column}" if self.column > 0 else ""
        return f"{name} {short(self.url)}:{self.line}{column}"


class StackFrame(msgspec.Struct, rename="camel", gc=False):
    """One line of a stack trace in an event's arguments."""

    function_name: str = ""
    url: str = ""
    line_number: int = 0
    column_number: int = 0

    def place(self) -> CallFrame:
        """Say the same as a place; timeline events already count lines from 1."""
        return CallFrame(self.function_name, self.url, self.line_number, self.column_number)


def top_frame(stack: list[StackFrame]) -> CallFrame | None:
    """Return the innermost frame that lies in a script, if any does."""
    for frame in stack:
        if frame.url:
            return frame.place()
    return None


def short(url: str) -> str:
    """Shorten a URL to its last path segment, for lines that give the whole URL elsewhere."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https", "file", "chrome-extension"):
        return url if len(url) <= 60 else url[:59] + "…"
    return parts.path.rsplit("/", 1)[-1] or parts.netloc + parts.path
