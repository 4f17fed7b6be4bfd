"""Promises: what a page shows while its answer is still to come."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SIGNS = ('…"', '..."', " progressbar", " busy")
_UID = r"(?:uid=\S+\ )"
_DOTTED = r'"(?:[^"\\]|\\.){0,60}?(?:…|\.\.\.)"'
# What is busy, a progress without an end, a button that cannot be used while it says something.
_BUSY = re.compile(
    rf"""{_UID}[\w-]{{1,40}}\ (?:.*\ )?busy\b | {_UID}progressbar\b(?!.*\ value=) |
    {_UID}button\ {_DOTTED}\ disabled\b""",
    re.VERBOSE,
)
# A short text that ends in dots may only be called so: that it is worth a moment is all it tells.
_DOTS = re.compile(rf"{_UID}?(?:(?:text|status|alert|log)\ )?{_DOTTED}$", re.VERBOSE)


def is_busy(before: str, after: str) -> bool:
    """Whether a rendering says, as the one before did not, that something is under way."""
    return any(_BUSY.match(line) for line in _new_lines(before, after))


def is_promised(before: str, after: str) -> bool:
    """Whether a rendering may say, as the one before did not, that something is to follow."""
    return any(_BUSY.match(line) or _DOTS.match(line) for line in _new_lines(before, after))


def without_focus(text: str) -> str:
    """Return a rendering that does not tell which element has the focus."""
    return text.replace(" focused", "")


def _new_lines(before: str, after: str) -> Iterator[str]:
    """Return lines that were not there, if any of them can be one that promises something."""
    if not any(sign in after for sign in _SIGNS):
        return
    known = {line.strip() for line in before.split("\n")}
    yield from (line for each in after.split("\n") if (line := each.strip()) not in known)
