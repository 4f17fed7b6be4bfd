"""Locators: elements named by role and name instead of a uid, found in a snapshot."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tabmux.errors import Misuse
from tabmux.page_text import in_quotes, visible_line

_LINE = re.compile(r'(?:uid=(?P<uid>\S+) )?(?P<role>[\w…-]+)?(?: "(?P<name>(?:[^"\\]|\\.)*)")?')
_LOCATOR = re.compile(r'(?P<role>[A-Za-z][\w-]*)(?: "(?P<name>.*)")?')


@dataclass(frozen=True)
class SnapshotLine:
    """One line of a rendering, and the closest named thing it stands in."""

    line: str
    uid: str
    role: str
    name: str
    place: str


def rows(text: str) -> Iterator[SnapshotLine]:
    """Read a rendering line by line."""
    above: list[tuple[int, str]] = []
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        while above and above[-1][0] >= indent:
            above.pop()
        found = _LINE.match(line.strip())
        uid, role, name = (found["uid"], found["role"], found["name"]) if found else ("", "", "")
        place = above[-1][1] if above else ""
        yield SnapshotLine(line.strip(), uid or "", role or "", name or "", place)
        named = role not in (None, "RootWebArea") and (name or uid)
        words = (f'{role} "{name}"' if name else f"{role} {uid}") if named else ""
        above.append((indent, words or place))


def is_locator(text: str) -> bool:
    """Whether a text names an element by its role, such as button "Save"."""
    return _LOCATOR.fullmatch(text.strip()) is not None and "_" not in text.split('"')[0]


def locate(text: str, locator: str) -> str:
    """Return the uid of the one element that a locator means."""
    wanted = _LOCATOR.fullmatch(locator.strip())
    if wanted is None:
        raise Misuse(f"{in_quotes(locator)} names no element.", hint='Write it as role "name".')
    role, name = wanted["role"], (wanted["name"] or "").lower()
    of_role = [row for row in rows(text) if row.uid and row.role == role]
    exact = [row for row in of_role if row.name.lower() == name or not name]
    close = exact or [row for row in of_role if name in row.name.lower()]
    if len(close) == 1 or (close and not name):
        return close[0].uid
    if not close:
        known = ", ".join(f'"{visible_line(row.name, 80)}"' for row in of_role[:10]) or "none"
        raise Misuse(
            f"No {role} is named {in_quotes(wanted['name'] or '')}.",
            hint=f"There are: {known}.",
            code="not_found",
        )
    lines = "; ".join(visible_line(row.line, 150) for row in close[:5])
    raise Misuse(f"{visible_line(locator)} means {len(close)} elements: {lines}.", code="ambiguous")
