"""Ephemerons: the entries of weak maps, which V8 writes as two edges that hold together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tabmux.analysis.heap.graph.arrays import Ints, Longs
from tabmux.analysis.heap.graph.graph import Graph

_KEY = " / part of key ("
_TABLE = " pair in WeakMap (table @"

UNGATED, NO_PARTNER = -1, -2


@dataclass(frozen=True, eq=False)
class Ephemerons:
    """The edges that belong to an entry, with the id of the weak map's table for each.

    Attributes:
        partner: The node the entry's other edge leaves, or SHUT when there is none.
    """

    edges: Longs
    table: Longs
    partner: Ints

    @classmethod
    def of(cls, graph: Graph) -> Ephemerons:
        """Find the entries by the names V8 gives their edges."""
        entries = _entries(graph)
        is_entry = np.zeros(len(graph.strings), np.bool_)
        is_entry[list(entries)] = True
        internal = np.flatnonzero(graph.edges.of_kind("internal"))
        edges = internal[is_entry[graph.edges.name[internal]]]
        found = [entries[name] for name in graph.edges.name[edges].tolist()]
        number: dict[str, int] = {}
        pairs = [number.setdefault(pair, len(number)) for pair, _ in found]
        return cls(
            edges=edges,
            table=np.array([table for _, table in found], np.int64),
            partner=_partners(np.array(pairs, np.int64), graph.edges.source[edges]),
        )


def _entries(graph: Graph) -> dict[int, tuple[str, int]]:
    """Find the names of entries; what follows the number is the same for both edges of one."""
    named = ((i, text) for i, text in enumerate(graph.strings) if _KEY in text and _TABLE in text)
    split = ((i, text[text.index(_KEY) :], text[text.rindex(_TABLE) :]) for i, text in named)
    ids = ((i, pair, end[len(_TABLE) : -1]) for i, pair, end in split)
    return {i: (pair, int(table)) for i, pair, table in ids if table.isdecimal()}


def _partners(pairs: Longs, source: Ints) -> Ints:
    partner = np.full(len(pairs), NO_PARTNER, np.int32)
    order = np.argsort(pairs, kind="stable")
    same = np.flatnonzero(pairs[order][1:] == pairs[order][:-1])
    left, right = order[same], order[same + 1]
    partner[left], partner[right] = source[right], source[left]
    return partner
