"""Locators: elements named by role and name, test id or CSS instead of a uid."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tabmux.errors import Misuse
from tabmux.page_text import visible_line

_LINE = re.compile(r'(?:uid=(?P<uid>\S+) )?(?P<role>[\w…-]+)?(?: "(?P<name>(?:[^"\\]|\\.)*)")?')
_ROLE_AND_NAME = re.compile(r'(?P<role>[A-Za-z]+)(?: "(?P<name>.*)")?')
_SELECTOR = re.compile(r"(?P<kind>css|testid)=(?P<value>.+)", re.DOTALL)
_TEST_IDS = ("data-testid", "data-test-id", "data-test", "data-cy")
# How many of the elements that could be meant an error names.
_LISTED = 5
_NAMED = 10


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


@dataclass(frozen=True)
class Locator:
    """What an element is named by: a role and perhaps a name, or a CSS selector."""

    text: str
    role: str = ""
    name: str = ""
    selector: str = ""

    @classmethod
    def read(cls, text: str) -> Locator | None:
        """Read `button "Save"`, `testid=save` or `css=.save`; None when it is none of them."""
        if found := _SELECTOR.fullmatch(text.strip()):
            value = found["value"]
            selector = value if found["kind"] == "css" else _test_id_selector(value)
            return cls(text, selector=selector)
        if found := _ROLE_AND_NAME.fullmatch(text.strip()):
            return cls(text, found["role"], found["name"] or "")
        return None

    def among(self, found: Iterable[SnapshotLine]) -> list[SnapshotLine]:
        """Return the lines of a rendering that are meant; a whole name beats a part of one."""
        of_role = [row for row in found if row.role == self.role]
        name = self.name.lower()
        exact = [row for row in of_role if not name or _plain(row.name) == name]
        return exact or [row for row in of_role if name in _plain(row.name)]


def only(locator: Locator, found: Sequence[str]) -> str:
    """Return the uid of the one element that was found; each is given as a line with its uid."""
    if len(found) > 1:
        more = f"; and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
        lines = "; ".join(visible_line(line, 150) for line in found[:_LISTED])
        raise Misuse(
            f"{visible_line(locator.text)} means {len(found)} elements: {lines}{more}.",
            hint="Use one of these uids.",
            code="ambiguous",
        )
    return found[0].removeprefix("uid=").partition(" ")[0]


def absent(locator: Locator, shown: Iterable[SnapshotLine] = ()) -> Misuse:
    """Make the error for a locator that means no element of what is shown."""
    rest = list(shown)
    if any(not row.uid for row in locator.among(rest)):
        hint = "It is there as plain text without a uid; name it by css= or testid=."
    elif locator.role:
        of_role = [row for row in rest if row.role == locator.role and row.uid]
        names = ", ".join(f'"{visible_line(row.name, 80)}"' for row in of_role[:_NAMED])
        hint = f"There are: {names or 'none'}."
    else:
        hint = "Take a snapshot to see what there is."
    return Misuse(f"No element is {visible_line(locator.text)}.", hint=hint, code="not_found")


def unescaped(text: str) -> str:
    """Return text of a rendering as the page shows it."""
    return re.sub(r"\\(.)", r"\1", text)


def _plain(name: str) -> str:
    return unescaped(name).lower()


def _test_id_selector(value: str) -> str:
    text = value.replace("\\", "\\\\").replace('"', '\\"')
    return ", ".join(f'[{attribute}="{text}"]' for attribute in _TEST_IDS)
