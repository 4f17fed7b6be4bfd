"""Source maps: which source file each part of a script came from."""

from __future__ import annotations

import base64
import binascii
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes, urljoin

import msgspec

from tabmux.json_text import decoder
from tabmux.page_text import url_parts

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
XSSI_PREFIX = b")]}'"
INLINE = "sourceMappingURL=data:"


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

    def original_positions(
        self, positions: Iterable[GeneratedPosition], url: str = ""
    ) -> dict[GeneratedPosition, OriginalPosition]:
        """Return where positions (line, column) of the script came from, as far as it is known.

        Args:
            positions: Places in the script, counted from 0.
            url: Where the map is; sources that are relative are relative to it.
        """
        if self.sections:
            return self._positions_in_sections(positions, url)
        found = _PositionSearch(positions).run(self.mappings)
        return {at: self._original_position(*segment, url) for at, segment in found.items()}

    def sizes(self, text: str) -> dict[str, int]:
        """Count the characters of a script that each source accounts for."""
        totals: defaultdict[str, int] = defaultdict(int)
        for line, segments in zip(text.split("\n"), _sources_by_line(self.mappings), strict=False):
            starts = [column for column, _ in segments]
            ends = [*starts[1:], len(line)]
            for (column, source), end in zip(segments, ends, strict=False):
                if 0 <= source < len(self.sources):
                    totals[self.sources[source] or ""] += max(0, min(end, len(line)) - column)
        return dict(totals)

    def _positions_in_sections(
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
            position = self.sections[inside[-1]].map.original_positions([within], url).get(within)
            if position is not None:
                found[at] = position
        return found

    def _original_position(
        self, source: int, line: int, column: int, name: int, url: str
    ) -> OriginalPosition:
        written = self.sources[source] if 0 <= source < len(self.sources) else None
        known = self.names[name] if 0 <= name < len(self.names) else ""
        return OriginalPosition(
            _source_url(written or "?", self.source_root or "", url), line, column, known
        )


class _Section(msgspec.Struct):
    offset: _Offset
    map: SourceMap


_decode_map = decoder(SourceMap)


def parse_source_map(text: str | bytes) -> SourceMap | None:
    """Read a source map, or None when it is none."""
    data = text.encode() if isinstance(text, str) else text
    if data.startswith(XSSI_PREFIX):
        data = data.partition(b"\n")[2]
    try:
        return _decode_map(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def inline_source_map(script: str) -> SourceMap | None:
    """Read the source map that a script carries in its own last comment."""
    at = script.rfind(INLINE)
    if at < 0:
        return None
    header, comma, data = script[at + len(INLINE) :].partition(",")
    if not comma:
        return None
    data = data.split(None, 1)[0] if data.strip() else ""
    try:
        packed = base64.b64decode(data) if "base64" in header else unquote_to_bytes(data)
    except binascii.Error:
        return None
    return parse_source_map(packed)


class _PositionSearch:
    """Walks over the mappings once, keeping nothing but what is looked for.

    Every number builds on the one before it, so there is no shortcut, and a map may hold millions.
    """

    def __init__(self, positions: Iterable[GeneratedPosition]) -> None:
        self.found: dict[GeneratedPosition, Segment] = {}
        self._wanted = sorted(set(positions), reverse=True)
        self._line = 0
        # Column in the script; source, line, column and name in what it came from.
        self._sums = [0, 0, 0, 0, 0]
        self._previous: Segment | None = None

    def run(self, mappings: str) -> dict[GeneratedPosition, Segment]:
        """Return the last segment at or before each position."""
        for values, mark in _segments(mappings):
            self._segment(values)
            if mark == ";" and not self._next_line():
                break
        return self.found

    def _segment(self, values: list[int]) -> None:
        if not values:
            return
        for field, value in enumerate(values[:5]):
            self._sums[field] += value
        column, source, line, origin_column, name = self._sums
        self._answer_before((self._line, column))
        named = name if len(values) > 4 else -1
        self._previous = (source, line, origin_column, named) if len(values) > 3 else None

    def _next_line(self) -> bool:
        """Go on with the next line; tells whether anything is left to find."""
        self._line += 1
        self._sums[0] = 0
        self._answer_before((self._line, 0))
        self._previous = None
        return bool(self._wanted)

    def _answer_before(self, end: GeneratedPosition) -> None:
        """The segment before `end` is the answer to everything wanted before it."""
        while self._wanted and self._wanted[-1] < end:
            position = self._wanted.pop()
            if self._previous is not None:
                self.found[position] = self._previous


def _sources_by_line(mappings: str) -> Iterator[list[tuple[int, int]]]:
    """Give the (column, source) pairs of each line; -1 is no source."""
    column = source = 0
    found: list[tuple[int, int]] = []
    for values, mark in _segments(mappings):
        if values:
            column += values[0]
            source += values[1] if len(values) > 1 else 0
            found.append((column, source if len(values) > 1 else -1))
        if mark == ";":
            yield found
            column, found = 0, []


def _segments(mappings: str) -> Iterator[tuple[list[int], str]]:
    """Decode the numbers of each segment, with the mark behind it; ";" ends a line.

    A number is written in base-64 digits of five bits, and its lowest bit is its sign.
    """
    values: list[int] = []
    value = shift = 0
    for letter in mappings:
        digit = DIGITS.get(letter)
        if digit is None:
            yield values, letter
            values = []
            continue
        # No number has more than 32 bits; what goes on as if would only cost time.
        value += (digit & 31) << min(shift, 60)
        shift += 5
        if digit < 32:
            values.append(-(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    yield values, ";"


def _source_url(source: str, root: str, url: str) -> str:
    path = f"{root.rstrip('/')}/{source}" if root else source
    if url_parts(path).scheme or not url.startswith(("http:", "https:")):
        return path
    try:
        return urljoin(url, path)
    except ValueError:
        return path  # one of them is no address
