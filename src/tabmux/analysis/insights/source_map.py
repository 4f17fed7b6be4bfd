"""Source maps: how much of a script came from which source file."""

from __future__ import annotations

import base64
import binascii
from collections import defaultdict
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

import msgspec

from tabmux.analysis.source_map import DIGITS

MARK = "sourceMappingURL=data:"


class SourceMap(msgspec.Struct, rename="camel"):
    """The part of a source map that tells sizes."""

    sources: list[str | None] = []
    mappings: str = ""

    def sizes(self, text: str) -> dict[str, int]:
        """Count the characters of a script that each source accounts for."""
        totals: defaultdict[str, int] = defaultdict(int)
        for line, segments in zip(text.split("\n"), _lines(self.mappings), strict=False):
            starts = [column for column, _ in segments]
            ends = [*starts[1:], len(line)]
            for (column, source), end in zip(segments, ends, strict=False):
                if 0 <= source < len(self.sources):
                    totals[self.sources[source] or ""] += max(0, min(end, len(line)) - column)
        return dict(totals)


def parse(text: str | bytes) -> SourceMap | None:
    """Read a source map, or None when it is none."""
    try:
        return msgspec.json.decode(text, type=SourceMap)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def inline(script: str) -> SourceMap | None:
    """Read the source map that a script carries in its own last comment."""
    at = script.rfind(MARK)
    if at < 0:
        return None
    header, comma, data = script[at + len(MARK) :].partition(",")
    if not comma:
        return None
    data = data.split(None, 1)[0] if data.strip() else ""
    try:
        return parse(base64.b64decode(data) if "base64" in header else unquote_to_bytes(data))
    except binascii.Error:
        return None


def _lines(mappings: str) -> Iterator[list[tuple[int, int]]]:
    """Give the (column, source) pairs of each line; -1 is no source."""
    source = 0
    for line in mappings.split(";"):
        column, segments = 0, []
        for segment in line.split(","):
            values = _numbers(segment)
            if not values:
                continue
            column += values[0]
            source += values[1] if len(values) > 1 else 0
            segments.append((column, source if len(values) > 1 else -1))
        yield segments


def _numbers(segment: str) -> list[int]:
    """Decode one segment: base-64 digits of five bits, the lowest bit of a number its sign."""
    numbers, value, shift = [], 0, 0
    for letter in segment:
        digit = DIGITS.get(letter, 0)
        value += (digit & 31) << shift
        if digit & 32:
            shift += 5
            continue
        numbers.append(-(value >> 1) if value & 1 else value >> 1)
        value, shift = 0, 0
    return numbers
