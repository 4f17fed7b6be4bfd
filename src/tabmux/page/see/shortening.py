"""Shortening: a snapshot that is too long loses what matters least, and says what it lost."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from tabmux.page.see.many_lines import candidates

_LINE = re.compile(
    r'( *)(?:uid=(\S+) )?(?:([\w…-]+)(?: |$))?(?:"([^"\\]*(?:\\.[^"\\]*)*)"(?: |$))?(.*)', re.DOTALL
)
_QUOTED = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"')
_REMARK = re.compile(
    r'(?:description|placeholder|roledescription|keyshortcuts)="[^"\\]*(?:\\.[^"\\]*)*" ?'
)
_ADDRESS = re.compile(r'url="([^"\\]*(?:\\.[^"\\]*)*)" ?')
# Without these a page cannot be used.
_FIELDS = frozenset({
    "button", "checkbox", "combobox", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio",
    "radio", "searchbox", "slider", "spinbutton", "switch", "tab", "textbox", "treeitem",
    "ColorWell", "Date", "DateTime", "InputTime", "DisclosureTriangle", "iframe", "Video", "Audio",
    "clickable", "RootWebArea", "dialog", "alertdialog", "alert",
})  # fmt: skip
_PICTURES = frozenset({"img", "graphics-symbol", "graphics-object", "SvgRoot", "Canvas"})
_NAMES = {"": "text", "img": "image", "…": "count"}
# What is cut shorter than this shows only its start.
_ROOM_FOR_ENDS = 40
_BACKSLASH = "\\"
# A page of which a step leaves less than this share of the room had little else.
_BARE = 0.1
# What the line takes that says what is left out.
_NOTE_LENGTH = 250


@dataclass(frozen=True)
class Line:
    """One line of a snapshot, taken apart; text has no role."""

    indent: str
    uid: str
    role: str
    name: str
    rest: str

    @classmethod
    def read(cls, text: str) -> Line:
        """Take a line apart."""
        found = _LINE.match(text)
        return cls(*(part or "" for part in found.groups())) if found else cls("", "", "", "", text)

    @property
    def text(self) -> str:
        """The line as it is printed."""
        uid, name = f"uid={self.uid}" if self.uid else "", f'"{self.name}"' if self.name else ""
        return self.indent + " ".join(filter(None, (uid, self.role, name, self.rest)))

    @property
    def is_plain(self) -> bool:
        """Whether it can only be read."""
        return not self.uid


Lines = list[Line]
Step = Callable[[Lines], Lines]


def shortened(text: str, budget: int) -> str:
    """Return a snapshot of at most so many characters; 0 means any number."""
    if budget <= 0 or len(text) <= budget:
        return text
    room = max(budget - _NOTE_LENGTH, budget // 2)
    read, unread = candidates(text.split("\n"), budget)
    before = [Line.read(line) for line in read]
    lines, fits = _after(_STEPS, before, room, _length)
    if fits:
        shown = [line.text for line in lines]
    else:
        lines, _ = _after(_LAST_STEPS, lines, room, _joined_length)
        shown = list(_joined(lines))
    left = unread + Counter(line.role for line in before) - Counter(line.role for line in lines)
    return "\n".join([*shown, _note(left, len(text))])


def _after(
    steps: Sequence[Step], lines: Lines, room: int, length: Callable[[Line], int]
) -> tuple[Lines, bool]:
    """Take steps until the lines fit, and say whether they do."""
    for step in steps:
        before, lines = lines, step(lines)
        taken = sum(map(length, lines))
        if taken <= room:
            is_bare = taken <= room * _BARE and len(lines) < len(before)
            return _refilled(before, lines, room - taken, length) if is_bare else lines, True
    return _within(lines, room) if steps is _LAST_STEPS else lines, False


def _refilled(before: Lines, kept: Lines, room: int, length: Callable[[Line], int]) -> Lines:
    """Put back what went last, from the start of the page, as far as there is room."""
    stays, found = {id(line) for line in kept}, Lines()
    for line in before:
        if id(line) not in stays:
            room -= length(line)
            if room < 0:
                continue
        found.append(line)
    return found


def _length(line: Line) -> int:
    return len(line.text) + 1


def _without_addresses(lines: Lines) -> Lines:
    """Leave out where links lead, unless their name is none, or that of others as well."""
    places = defaultdict[str, set[str]](set)
    for line in lines:
        if line.role == "link":
            places[line.name].add(line.rest)
    return [
        replace(line, rest=_ADDRESS.sub("", line.rest).strip())
        if line.role == "link" and line.name and len(places[line.name]) == 1
        else line
        for line in lines
    ]


def _capped(most: int, roles: frozenset[str] | None, lines: Lines) -> Lines:
    """Show the start and the end of what is long; the page's own line stays as it is."""
    return [
        replace(line, name=cut(line.name, most), rest=_QUOTED.sub(_cut_value(most), line.rest))
        if line.role != "RootWebArea" and (roles is None or line.role in roles or line.is_plain)
        else line
        for line in lines
    ]


def cut(text: str, most: int) -> str:
    """Return a text; of one that is too long, its start, and its end where there is room."""
    if len(text) <= most:
        return text
    if most < _ROOM_FOR_ENDS:
        return f"{text[: most - 1].rstrip(_BACKSLASH + ' ')}…"
    end = most // 4
    # A backslash belongs to the character after it.
    start, rest = text[: most - end - 3].rstrip(_BACKSLASH + " "), text[len(text) - end :]
    escaped = len(text[: -len(rest)]) - len(text[: -len(rest)].rstrip(_BACKSLASH))
    return f"{start} … {rest[1:] if escaped % 2 else rest}"


def _cut_value(most: int) -> Callable[[re.Match[str]], str]:
    return lambda found: f'"{cut(found[1], most)}"'


def _without_repeats(lines: Lines) -> Lines:
    """Leave out pictures, wrappers without a word, and texts that have been read before."""
    said, kept = set[tuple[str, str]](), Lines()
    for line in lines:
        if line.is_plain and line.role != "…":
            if not line.name or (line.role, line.name) in said:
                continue
            said.add((line.role, line.name))
        elif line.role in _PICTURES and not line.name:
            continue
        kept.append(line)
    return kept


def _flat(lines: Lines) -> Lines:
    """Keep of the depth only the outermost levels."""
    return [replace(line, indent=line.indent[:2]) for line in lines]


def _without_texts(lines: Lines) -> Lines:
    return [line for line in lines if not line.is_plain]


def _without_options(lines: Lines) -> Lines:
    return [line for line in lines if line.role != "option" or "selected" in line.rest]


def _without_structure(lines: Lines) -> Lines:
    """Keep what can be used, and the headings that tell where it is."""
    return [line for line in lines if line.role in _FIELDS | {"link", "option", "heading"}]


def _without_remarks(lines: Lines) -> Lines:
    """Keep of attributes what is needed to use an element."""
    return [replace(line, rest=_REMARK.sub("", line.rest).strip()) for line in lines]


def _without_repeated_links(lines: Lines) -> Lines:
    """Keep one of the links that have one name and lead to one place."""
    said, kept = set[tuple[str, str]](), Lines()
    for line in lines:
        if line.role != "link" or not line.name or (line.name, line.rest) not in said:
            kept.append(line)
        said.add((line.name, line.rest))
    return kept


# In this order, until the rest fits.
_STEPS: tuple[Step, ...] = (
    _without_addresses,
    partial(_capped, 300, None),
    _without_repeats,
    partial(_capped, 120, None),
    _flat,
    partial(_capped, 60, frozenset({"link", "heading"})),
    partial(_capped, 30, frozenset()),
    _without_texts,
    _without_options,
    _without_structure,
    _without_remarks,
    partial(_capped, 30, None),
)
# With links side by side.
_LAST_STEPS: tuple[Step, ...] = (
    partial(_capped, 20, frozenset({"link"})),
    _without_repeated_links,
)


def _within(lines: Lines, room: int) -> Lines:
    """Drop headings from the end, then links, and then what is left."""
    excess, dropped = sum(map(_joined_length, lines)) - room, set[int]()
    for worth in range(3):
        for place in range(len(lines) - 1, 0, -1):
            if excess > 0 and _worth(lines[place]) == worth:
                dropped.add(place)
                excess -= _joined_length(lines[place])
    return [line for place, line in enumerate(lines) if place not in dropped]


def _joined(lines: Lines) -> Iterator[str]:
    """Print links that have nothing but a name side by side."""
    for bare, run in groupby(lines, _is_bare_link):
        if bare:
            yield "links: " + ", ".join(f'{line.uid} "{line.name}"' for line in run)
        else:
            yield from (line.text.strip() for line in run)


def _is_bare_link(line: Line) -> bool:
    return line.role == "link" and bool(line.uid and line.name) and not line.rest


def _joined_length(line: Line) -> int:
    return len(line.uid) + len(line.name) + 6 if _is_bare_link(line) else len(line.text) + 1


def _worth(line: Line) -> int:
    if line.role == "heading":
        return 0
    # Pages have as many of these as of links.
    often = ("clickable", "DisclosureTriangle")
    return 2 if line.role in _FIELDS and line.role not in often else 1


def _note(left: Counter[str], length: int) -> str:
    kinds = ", ".join(_counted(left))
    lost = f" Left out: {kinds}." if kinds else ""
    return (
        f"(Shortened from {length} characters.{lost} "
        "take_snapshot with a uid shows that part whole, filePath writes all.)"
    )


def _counted(left: Counter[str]) -> Iterator[str]:
    """Say how many of each kind there are; of many kinds, the most frequent."""
    most = left.most_common(6)
    for role, count in most:
        name = _NAMES.get(role, role)
        yield f"{count} {name}{'' if count == 1 else 'es' if name.endswith('x') else 's'}"
    if others := left.total() - sum(count for _, count in most):
        yield f"{others} others"
