"""Locators: elements named by role and name, test id or CSS instead of a uid."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tabmux.concurrency import with_turns
from tabmux.errors import Misuse
from tabmux.page_text import visible_line

_LINE = re.compile(r'(?:uid=(?P<uid>\S+) )?(?P<role>[\w…-]+)?(?: "(?P<name>(?:[^"\\]|\\.)*)")?')
_ROLE_AND_NAME = re.compile(r'(?P<exact>exact=(?=\w+ "))?(?P<role>[A-Za-z]+)(?: "(?P<name>.*)")?')
_SELECTOR = re.compile(r"(?:frame=(?P<frame>\S+) )?(?P<kind>css|testid)=(?P<value>.+)", re.DOTALL)
# The frame that is the page itself.
_MAIN = "main"
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
    """What an element is named by: a role and perhaps a name, or a CSS selector.

    Attributes:
        text: How it was written.
        role: The role.
        name: The name, or a part of it.
        selector: The selector.
        exact: Whether the name is the whole name, as it is spelled.
        frame: How the addresses begin of the frames that are meant, or `main`; "" for all.
    """

    text: str
    role: str = ""
    name: str = ""
    selector: str = ""
    exact: bool = False
    frame: str = ""

    @classmethod
    def read(cls, text: str) -> Locator | None:
        """Read `button "Save"`, `testid=save` or `css=.save`; None when it is none of them.

        What must not find anything else says `exact=button "Save"` or `frame=main css=.save`.
        """
        if found := _SELECTOR.fullmatch(text.strip()):
            value = found["value"]
            selector = value if found["kind"] == "css" else _test_id_selector(value)
            return cls(text, selector=selector, frame=found["frame"] or "")
        if found := _ROLE_AND_NAME.fullmatch(text.strip()):
            return cls(text, found["role"], found["name"] or "", exact=bool(found["exact"]))
        return None

    async def among(self, found: Iterable[SnapshotLine]) -> list[SnapshotLine]:
        """Return the lines of a rendering that are meant; a whole name beats a part of one."""
        name = self.name if self.exact else self.name.lower()
        whole, in_part = list[SnapshotLine](), list[SnapshotLine]()
        async for row in with_turns(found):
            if row.role != self.role:
                continue
            shown = self._shown(row.name) if name else ""
            if shown == name:
                whole.append(row)
            elif name in shown and not self.exact:
                in_part.append(row)
        return whole or in_part

    def _shown(self, name: str) -> str:
        return unescaped(name) if self.exact else unescaped(name).lower()

    def looks_into(self, url: str, *, is_main: bool) -> bool:
        """Whether an element in the frame of this address can be meant."""
        if self.frame in ("", _MAIN):
            return is_main or not self.frame
        return not is_main and url.startswith(self.frame)


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


def absent(
    locator: Locator, meant: Sequence[SnapshotLine], shown: Iterable[SnapshotLine] = ()
) -> Misuse:
    """Make the error for a locator that means no element of what is shown, or only text."""
    if meant:
        hint = "It is there as plain text without a uid; name it by css= or testid=."
    elif locator.role:
        of_role = (row for row in shown if row.role == locator.role and row.uid)
        first = itertools.islice(of_role, _NAMED)
        names = ", ".join(f'"{visible_line(row.name, 80)}"' for row in first)
        hint = f"There are: {names or 'none'}."
    else:
        hint = "Take a snapshot to see what there is."
    return Misuse(f"No element is {visible_line(locator.text)}.", hint=hint, code="not_found")


def unescaped(text: str) -> str:
    """Return text of a rendering as the page shows it."""
    return re.sub(r"\\(.)", r"\1", text)


def _test_id_selector(value: str) -> str:
    text = value.replace("\\", "\\\\").replace('"', '\\"')
    return ", ".join(f'[{attribute}="{text}"]' for attribute in _TEST_IDS)
