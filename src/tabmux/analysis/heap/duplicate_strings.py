"""Duplicate strings: texts that are in memory more than once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tabmux.analysis.heap.graph.graph import Longs, boolean_values, integer_values
from tabmux.analysis.heap.heap_snapshot import HeapSnapshot
from tabmux.analysis.heap.object_names import TEXT_LENGTH

_Key = tuple[str, int, int]


@dataclass(frozen=True, eq=False)
class DuplicateString:
    """A text, and the strings that hold it.

    Attributes:
        truncated: Whether only the beginning of the text is known.
    """

    value: str
    truncated: bool
    nodes: Longs
    self_size: int
    retained_size: int


def duplicate_strings(heap: HeapSnapshot) -> list[DuplicateString]:
    """Find the repeated strings, the heaviest first."""
    groups: dict[_Key, list[int]] = defaultdict(list)
    for node, key in _string_keys(heap):
        groups[key].append(node)
    found = [_duplicate(heap, key, nodes) for key, nodes in groups.items() if len(nodes) > 1]
    return sorted(found, key=lambda duplicate: -duplicate.retained_size)


def _duplicate(heap: HeapSnapshot, key: _Key, nodes: list[int]) -> DuplicateString:
    strings = np.array(nodes, np.int64)
    return DuplicateString(
        value=key[0],
        truncated=key[1] >= 0 or len(key[0]) >= TEXT_LENGTH,
        nodes=strings,
        self_size=int(heap.size[strings].sum()),
        retained_size=int(heap.retained[strings].sum()),
    )


def _string_keys(heap: HeapSnapshot) -> Iterator[tuple[int, _Key]]:
    """Say for each string what tells it apart: its text, and more where that is cut off."""
    graph = heap.graph
    nodes = np.flatnonzero(graph.nodes.of_kind("string") & (heap.size > 0))
    lengths, hashes = (column[nodes] for column in _truncated_lengths_and_hashes(heap))
    rows = np.column_stack((nodes, graph.nodes.name[nodes], lengths, hashes))
    for node, name, length, code in rows.tolist():
        yield node, (graph.strings[name], length, code)
    for node in _concatenated_strings(heap).tolist():
        # Of a long joined string only the beginning is put together: it proves nothing.
        if len(text := heap.names.text(node)) < TEXT_LENGTH:
            yield node, (text, -1, -1)


def _concatenated_strings(heap: HeapSnapshot) -> Longs:
    """List the joined strings; one with an empty part only stands for its other part."""
    graph = heap.graph
    empty = np.append(graph.named("") & ~heap.names.is_concatenated, np.False_)
    first, second = heap.names.parts
    return np.flatnonzero(
        heap.names.is_concatenated & (heap.size > 0) & ~empty[first] & ~empty[second]
    )


def _truncated_lengths_and_hashes(heap: HeapSnapshot) -> tuple[Longs, Longs]:
    """Read the length and hash of the strings V8 cut off; -1 for the others."""
    cut = boolean_values(heap.graph, "truncated")
    lengths, hashes = (integer_values(heap.graph, name) for name in ("length", "hash"))
    return np.where(cut, lengths, -1), np.where(cut, hashes, -1)
