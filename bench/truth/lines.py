"""Lines of a snapshot, read as an agent reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_LINE = re.compile(r'^( *)uid=(\S+) (\S+)(?: "((?:[^"\\]|\\.)*)")?(.*)$')
# Of a snapshot that was shortened, links that have nothing but a name stand side by side.
_LINKS = re.compile(r"^ *links: (?=\S+ \")")
_LINK = re.compile(r'(\S+) "((?:[^"\\]|\\.)*)"(?:, |$)')
_DETAIL = re.compile(r' ([\w-]+)(?:="((?:[^"\\]|\\.)*)")?')
CONTROLS = frozenset({
    "button", "checkbox", "combobox", "link", "listbox", "menuitem", "menuitemcheckbox",
    "menuitemradio", "option", "radio", "searchbox", "slider", "spinbutton", "switch", "tab",
    "textbox", "treeitem", "ColorWell", "Date", "DateTime", "InputTime", "DisclosureTriangle",
    "clickable",
})  # fmt: skip


@dataclass(frozen=True)
class Line:
    """One element that the snapshot names.

    Attributes:
        frame: The uid of the document that it is in.
        ordinal: Which of the elements with this role and name it is.
    """

    uid: str
    role: str
    name: str
    details: dict[str, str]
    frame: str
    ordinal: int = 0
    text: str = field(default="", compare=False)

    @property
    def key(self) -> tuple[str, str, int]:
        """What finds it again in a snapshot of the same page, loaded again."""
        return self.role, self.name, self.ordinal

    @property
    def is_control(self) -> bool:
        """Whether it is there to be used, and can be."""
        return self.role in CONTROLS


def read(text: str) -> list[Line]:
    """The elements of a snapshot, in order."""
    return list(_lines(text))


def _lines(text: str) -> Iterator[Line]:
    documents: list[tuple[int, str]] = []
    seen: dict[tuple[str, str], int] = {}
    for row in _rows(text):
        if (found := _LINE.match(row)) is None:
            continue
        indent, uid, role, name = len(found[1]), found[2], found[3], _plain(found[4])
        documents = [each for each in documents if each[0] < indent]
        if role == "RootWebArea":
            documents.append((indent, uid))
        ordinal = seen[role, name] = seen.get((role, name), -1) + 1
        details = {key: _plain(value) for key, value in _DETAIL.findall(found[5])}
        yield Line(
            uid, role, name, details, documents[-1][1] if documents else "", ordinal, row.strip()
        )


def _rows(text: str) -> Iterator[str]:
    for row in text.splitlines():
        if (start := _LINKS.match(row)) is None:
            yield row
        else:
            links = _LINK.findall(row, start.end())
            yield from (f'uid={uid} link "{name}"' for uid, name in links)


def _plain(quoted: str | None) -> str:
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], quoted or "")
