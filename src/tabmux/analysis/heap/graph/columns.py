"""Tables of integers, read from JSON text straight into arrays."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import DTypeLike, NDArray

from tabmux.analysis.heap.faults import BadSnapshot
from tabmux.analysis.heap.graph.arrays import Longs

# Enough to keep numpy busy, little enough not to hold a second copy of a large file.
PIECE = 4 << 20


def columns(
    raw: msgspec.Raw, fields: Sequence[str], wanted: Mapping[str, DTypeLike], count: int
) -> dict[str, NDArray[Any]]:
    """Read the wanted columns of a table that must have `count` rows."""
    if missing := wanted.keys() - set(fields):
        raise BadSnapshot(
            f"The heap snapshot has no {', '.join(sorted(missing))} column.",
            hint="It may come from an engine other than V8.",
        )
    # Every number takes a digit and a comma, so that an absurd count is noticed before memory is.
    if 2 * count * len(fields) > len(memoryview(raw)):
        raise damaged(f"a table announces {count} rows and has no room for them")
    table = {name: np.empty(count, dtype) for name, dtype in wanted.items()}
    filled = 0
    for block in rows(raw, len(fields)):
        end = filled + len(block)
        if end <= count:
            for name, column in table.items():
                column[filled:end] = block[:, fields.index(name)]
        filled = end
    if filled != count:
        raise damaged(f"a table announces {count} rows and holds {filled}")
    return table


def rows(raw: msgspec.Raw, width: int) -> Iterator[NDArray[np.int64]]:
    """Read a flat array of integers as rows of `width`, a few megabytes at a time."""
    rest = np.empty(0, np.int64)
    for piece in _pieces(memoryview(raw)):
        numbers = np.concatenate((rest, _integers(piece)))
        whole = len(numbers) - len(numbers) % width
        yield numbers[:whole].reshape(-1, width)
        rest = numbers[whole:]
    if rest.size:
        raise damaged("a table ends inside a row")


def table(raw: msgspec.Raw, width: int) -> NDArray[np.int64]:
    """Read a whole small table."""
    return np.concatenate([np.empty((0, width), np.int64), *rows(raw, width)])


def damaged(what: str) -> BadSnapshot:
    """Make the error for a file whose numbers contradict each other."""
    return BadSnapshot(
        f"The heap snapshot is damaged: {what}.", hint="Take a new one with take_heapsnapshot."
    )


def _pieces(text: memoryview) -> Iterator[bytes]:
    """Cut the text between the brackets after commas."""
    if bytes(text[:1]) != b"[":
        raise damaged("a table is not an array")
    position, end = 1, len(text) - 1
    while position < end:
        piece = bytes(text[position : min(end, position + PIECE)])
        if position + len(piece) < end:
            piece = piece[: piece.rfind(b",") + 1]
        if not piece:
            raise damaged("a table holds something other than integers")
        position += len(piece)
        yield piece


def _integers(piece: bytes) -> Longs:
    if b"\n" in piece or b" " in piece:
        piece = piece.translate(None, b" \t\r\n")
    with warnings.catch_warnings():
        # Before 2.4 numpy only warned of text it could not read.
        warnings.simplefilter("error", DeprecationWarning)
        try:
            return np.fromstring(piece, np.int64, sep=",")
        except (ValueError, DeprecationWarning) as error:
            raise damaged("a table holds something other than integers") from error
