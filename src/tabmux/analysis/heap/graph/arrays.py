"""Arrays: the array types of the heap analysis, and a few operations numpy lacks."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Codes = NDArray[np.uint8]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]


def elements(array: Codes | Mask | Ints | Longs) -> memoryview[int]:
    """Give access to single elements, three times as fast as the array's own."""
    return array.data


def any_of(array: Codes | Ints, values: Iterable[int]) -> Mask:
    """Mark the elements that equal one of a few values."""
    found = np.zeros(len(array), np.bool_)
    for value in values:
        found |= array == value
    return found


def ranges(starts: Longs, counts: Longs) -> Longs:
    """Concatenate the ranges that begin at `starts` and are `counts` long."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if ends.size else 0
    shifts: Longs = np.repeat(starts - (ends - counts), counts)
    return shifts + np.arange(total)


def runs(values: Longs | Ints) -> tuple[Longs, Longs]:
    """Find where each run of equal values begins, and where it ends."""
    changes = np.flatnonzero(values[1:] != values[:-1]) + 1
    bounds = np.concatenate(([0], changes, [len(values)])) if len(values) else np.zeros(1, np.int64)
    return bounds[:-1], bounds[1:]


def offsets(counts: Longs) -> Longs:
    """Turn the sizes of consecutive groups into the bounds between them."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)))
