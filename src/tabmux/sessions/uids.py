"""The names of elements: which session was shown them, in which snapshot."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Style = Literal["short", "long"]

_SHORT = re.compile(r"([a-z]+)(\d+)_(\d+)")
_LONG = re.compile(r"u:([a-z]+):(\d+):(\d+)")


@dataclass(frozen=True)
class Uid:
    """A session, one of its snapshots, and the number of a node in it."""

    session: str
    epoch: int
    number: int

    def spell(self, style: Style = "short") -> str:
        """Write the uid in one of its two forms."""
        return f"{prefix(self.session, self.epoch, style)}{self.number}"


def parse(text: str) -> Uid | None:
    """Read a uid in either form; None when it is no uid at all."""
    match = _SHORT.fullmatch(text) or _LONG.fullmatch(text)
    return Uid(match[1], int(match[2]), int(match[3])) if match else None


def prefix(session: str, epoch: int, style: Style = "short") -> str:
    """Return what stands before the number in every uid of a snapshot."""
    return f"{session}{epoch}_" if style == "short" else f"u:{session}:{epoch}:"


def letters(index: int) -> str:
    """Return the short name of the session with this number: a to z, aa, ab, …"""
    name = ""
    while index >= 0:
        name = chr(ord("a") + index % 26) + name
        index = index // 26 - 1
    return name
