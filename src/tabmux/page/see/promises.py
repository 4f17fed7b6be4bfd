"""Promises: what a page shows while its answer is still to come."""

from __future__ import annotations

import re

_DOTS = ('…"', '..."')
_SIGNS = (*_DOTS, " progressbar", " busy")
_UID = r"(?:uid=\S+\ )"
_WORDS = r'"(?:[^"\\]|\\.){0,60}?(?:…|\.\.\.)"'
# What is busy, what tells of a progress without an end, and short texts that end in dots. In menus
# there are such names, too, so of controls only those that are disabled count.
_PROMISE = re.compile(
    rf"""{_UID}\S+.*\ busy\b | {_UID}progressbar\b(?!.*\ value=) |
    {_UID}?(?:(?:text|status|alert|log)\ )?{_WORDS}$ | {_UID}button\ {_WORDS}\ disabled\b""",
    re.VERBOSE,
)


def is_promised(before: str, after: str) -> bool:
    """Whether a rendering says, as the one before did not, that something is to follow."""
    if not any(sign in after for sign in _SIGNS):
        return False
    known = {line.strip() for line in before.split("\n")}
    lines = (line.strip() for line in after.split("\n"))
    return any(_PROMISE.match(line) for line in lines if line not in known)


def without_focus(text: str) -> str:
    """Return a rendering that does not tell which element has the focus."""
    return text.replace(" focused", "")
