"""Source maps: which place of which source file a place of a script came from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import msgspec

GeneratedPosition = tuple[int, int]
# Which source, its line and column, and which name; -1 is none.
Segment = tuple[int, int, int, int]

DIGITS = {
    letter: value
    for value, letter in enumerate(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    )
}
# Servers may put this before JSON so that no page can run it as a script.
GUARD = b")]}'"


@dataclass(frozen=True)
class OriginalPosition:
    """A place in a source file; line and column count from 0."""

    source: str
    line: int
    column: int
    name: str = ""


class _Offset(msgspec.Struct):
    line: int = 0
    column: int = 0


class SourceMap(msgspec.Struct, rename="camel"):
    """A source map as its file holds it; one with sections has nothing else."""

    sources: list[str | None] = []
    names: list[str] = []
    source_root: str | None = None
    mappings: str = ""
    sections: list[_Section] = []

    def places(
        self, positions: Iterable[GeneratedPosition], url: str = ""
    ) -> dict[GeneratedPosition, OriginalPosition]:
        """Return where positions (line, column) of the script came from, as far as it is known.

        Args:
            positions: Places in the script, counted from 0.
            url: Where the map is; sources that are relative are relative to it.
        """
        if self.sections:
            return self._in_sections(positions, url)
        found = _Search(positions).run(self.mappings)
        return {at: self._place(*segment, url) for at, segment in found.items()}

    def _in_sections(
        self, positions: Iterable[GeneratedPosition], url: str
    ) -> dict[GeneratedPosition, OriginalPosition]:
        found: dict[GeneratedPosition, OriginalPosition] = {}
        starts = [(each.offset.line, each.offset.column) for each in self.sections]
        for at in positions:
            inside = [n for n, start in enumerate(starts) if start <= at]
            if not inside:
                continue
            line, column = starts[inside[-1]]
            within = (at[0] - line, at[1] - column if at[0] == line else at[1])
            place = self.sections[inside[-1]].map.places([within], url).get(within)
            if place is not None:
                found[at] = place
        return found

    def _place(self, source: int, line: int, column: int, name: int, url: str) -> OriginalPosition:
        written = self.sources[source] if 0 <= source < len(self.sources) else None
        known = self.names[name] if 0 <= name < len(self.names) else ""
        return OriginalPosition(
            _address(written or "?", self.source_root or "", url), line, column, known
        )


class _Section(msgspec.Struct):
    offset: _Offset
    map: SourceMap


def parse_source_map(text: bytes) -> SourceMap | None:
    """Read a source map, or None when it is none."""
    if text.startswith(GUARD):
        text = text.partition(b"\n")[2]
    try:
        return msgspec.json.decode(text, type=SourceMap)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


class _Search:
    """Walks over the mappings once, keeping nothing but what is looked for.

    Every number builds on the one before it, so there is no shortcut, and a map may hold millions.
    """

    def __init__(self, positions: Iterable[GeneratedPosition]) -> None:
        self.found: dict[GeneratedPosition, Segment] = {}
        self._wanted = sorted(set(positions), reverse=True)
        self._line = 0
        # Column in the script; source, line, column and name in what it came from.
        self._sums = [0, 0, 0, 0, 0]
        self._before: Segment | None = None

    def run(self, mappings: str) -> dict[GeneratedPosition, Segment]:
        """Return the last segment at or before each position."""
        values: list[int] = []
        value = shift = 0
        for letter in mappings:
            digit = DIGITS.get(letter)
            if digit is not None:
                value += (digit & 31) << shift
                shift += 5
                if digit < 32:
                    values.append(-(value >> 1) if value & 1 else value >> 1)
                    value = shift = 0
                continue
            self._segment(values)
            values = []
            if letter == ";" and not self._next_line():
                return self.found
        self._segment(values)
        self._next_line()
        return self.found

    def _segment(self, values: list[int]) -> None:
        if not values:
            return
        for field, value in enumerate(values[:5]):
            self._sums[field] += value
        column, source, line, origin_column, name = self._sums
        self._settle((self._line, column))
        named = name if len(values) > 4 else -1
        self._before = (source, line, origin_column, named) if len(values) > 3 else None

    def _next_line(self) -> bool:
        """Go on with the next line; tells whether anything is left to find."""
        self._line += 1
        self._sums[0] = 0
        self._settle((self._line, 0))
        self._before = None
        return bool(self._wanted)

    def _settle(self, end: GeneratedPosition) -> None:
        """The segment before `end` is the answer to everything wanted before it."""
        while self._wanted and self._wanted[-1] < end:
            position = self._wanted.pop()
            if self._before is not None:
                self.found[position] = self._before


def _address(source: str, root: str, url: str) -> str:
    path = f"{root.rstrip('/')}/{source}" if root else source
    if urlsplit(path).scheme or not url.startswith(("http:", "https:")):
        return path
    return urljoin(url, path)
