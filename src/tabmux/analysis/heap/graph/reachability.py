"""Reachability: breadth-first search, distances from the roots, and entries of weak maps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tabmux.analysis.heap.graph.graph import Edges, Graph, Ints, Longs, Mask, elements

SYSTEM_DISTANCE = 100_000_000
"""Added to the distance of what only V8 itself can reach, when the page has roots of its own."""
UNREACHED = -5
"""The distance of what no path leads to, the same number as in DevTools."""
DOCUMENT_TREES = "(Document DOM trees)"
# From fewer nodes than this, a plain loop beats the fixed cost of a dozen array operations.
_WIDE = 64
_UNGATED, _NO_PARTNER = -1, -2
_KEY = " / part of key ("
_TABLE = " pair in WeakMap (table @"


@dataclass(frozen=True, eq=False)
class Ephemerons:
    """The edges that belong to an entry, with the id of the weak map's table for each.

    Attributes:
        partner: The node the entry's other edge leaves, or _NO_PARTNER when there is none.
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


class BreadthFirstSearch:
    """A search that can be continued from further sources.

    Args:
        edges: The edges of the graph.
        passable: Which of them may be taken.
        owner: A value per node that spreads along the way from those who have it.
        gates: Per edge a node that must have been reached first, or -1.
        wide: From how many nodes on a step is taken with array operations.
    """

    def __init__(
        self,
        edges: Edges,
        passable: Mask,
        owner: Ints | None = None,
        gates: Ints | None = None,
        wide: int = _WIDE,
    ) -> None:
        count = len(edges.first) - 1
        self.distance: Ints = np.full(count, UNREACHED, np.int32)
        self.owner = owner
        self._edges = edges
        self._passable = passable
        self._gates = gates
        self._wide = wide
        self._last_index: Ints = np.empty(count, np.int32)
        arrays = (edges.first, edges.target, passable, self.distance)
        self._elements = [elements(array) for array in arrays]

    @property
    def reached(self) -> Mask:
        """Mark the nodes that have been reached."""
        return np.not_equal(self.distance, UNREACHED)

    def run(self, sources: Longs, distance: int) -> None:
        """Put the sources at `distance`, and what they lead to one step further each."""
        self.distance[sources] = distance
        frontier: Longs | list[int] = sources
        while len(frontier):
            if len(frontier) < self._wide:
                frontier, distance = self._steps_narrow(frontier, distance)
            else:
                frontier = self._step_wide(np.asarray(frontier, np.int64), distance)
                distance += 1

    def _step_wide(self, frontier: Longs, distance: int) -> Longs:
        """Take one step from a wide frontier, all edges at once."""
        first = self._edges.first
        counts = first[frontier + 1] - first[frontier]
        edges = _ranges(first[frontier], counts)
        children = self._edges.target[edges]
        fresh = self._passable[edges] & (self.distance[children] == UNREACHED)
        if self._gates is not None:
            fresh &= self._open_gates(self._gates[edges], distance)
        children = children[fresh].astype(np.int64)
        self.distance[children] = distance + 1
        if self.owner is not None:
            self.owner[children] = self.owner[np.repeat(frontier, counts)[fresh]]
        return self._unique(children)

    def _unique(self, nodes: Longs) -> Longs:
        """Drop repetitions: of equal nodes only the last to sign keeps its claim."""
        turn = np.arange(len(nodes), dtype=np.int32)
        self._last_index[nodes] = turn
        return np.compress(self._last_index[nodes] == turn, nodes)

    def _open_gates(self, gates: Ints, distance: int) -> Mask:
        # A gate on this very level counts as reached, one found a moment ago does not.
        at = self.distance[gates]
        unlocked: Mask = (gates < 0) | ((at != UNREACHED) & (at <= distance))
        return unlocked

    def _steps_narrow(self, frontier: Longs | list[int], distance: int) -> tuple[list[int], int]:
        """Go on edge by edge, for as long as the frontier is narrow."""
        first, target, passable, reached = self._elements
        free, owner, unreached, wide = self._gates is None, self.owner, UNREACHED, self._wide
        nodes = [int(node) for node in frontier]
        while nodes and len(nodes) < wide:
            following = []
            for node in nodes:
                start = first[node]
                for edge, child in enumerate(target[start : first[node + 1]], start):
                    if reached[child] != unreached or not passable[edge]:
                        continue
                    if free or self._is_gate_open(edge, distance):
                        reached[child] = distance + 1
                        following.append(child)
                        if owner is not None:
                            owner[child] = owner[node]
            nodes, distance = following, distance + 1
        return nodes, distance

    def _is_gate_open(self, edge: int, distance: int) -> bool:
        if self._gates is None or self._gates[edge] < 0:
            return True
        return bool(UNREACHED < self.distance[self._gates[edge]] <= distance)


def distances(graph: Graph, ephemerons: Ephemerons) -> Ints:
    """Measure the way to each object, first from the page's roots and then from V8's."""
    passable = ~graph.edges.weak & ~_misleading_edges(graph)
    passable[ephemerons.edges[ephemerons.partner == _NO_PARTNER]] = False
    search = BreadthFirstSearch(graph.edges, passable, gates=_gates(graph, ephemerons))
    roots = user_roots(graph)
    search.run(roots, 1)
    search.run(np.array([graph.root]), SYSTEM_DISTANCE if roots.size else 0)
    return search.distance


def user_roots(graph: Graph) -> Longs:
    """Find the page's own roots: its globals and documents."""
    targets = np.unique(graph.edges.target[list(graph.edges.leaving(graph.root))])
    own = ~graph.nodes.of_kind("synthetic") | graph.named(DOCUMENT_TREES)
    return targets[own[targets]].astype(np.int64)


def _entries(graph: Graph) -> dict[int, tuple[str, int]]:
    """Find the names of entries; what follows the number is the same for both edges of one."""
    named = ((i, text) for i, text in enumerate(graph.strings) if _KEY in text and _TABLE in text)
    split = ((i, text[text.index(_KEY) :], text[text.rindex(_TABLE) :]) for i, text in named)
    ids = ((i, pair, end[len(_TABLE) : -1]) for i, pair, end in split)
    return {i: (pair, int(table)) for i, pair, table in ids if table.isdecimal()}


def _partners(pairs: Longs, source: Ints) -> Ints:
    partner = np.full(len(pairs), _NO_PARTNER, np.int32)
    order = np.argsort(pairs, kind="stable")
    same = np.flatnonzero(pairs[order][1:] == pairs[order][:-1])
    left, right = order[same], order[same + 1]
    partner[left], partner[right] = source[right], source[left]
    return partner


def _gates(graph: Graph, ephemerons: Ephemerons) -> Ints | None:
    """The value of a weak map's entry is held only once its key and its table both are."""
    if not ephemerons.edges.size:
        return None
    gates = np.full(len(graph.edges.target), _UNGATED, np.int32)
    gates[ephemerons.edges] = ephemerons.partner
    return gates


def _misleading_edges(graph: Graph) -> Mask:
    """Mark shortcuts through V8's own tables, by which far things would seem near."""
    edges, nodes = graph.edges, graph.nodes
    contexts = nodes.of_kind("hidden") & graph.named("system / NativeContext")
    maps = edges.has_text_name & (edges.name == graph.index("sloppy_function_map"))
    misleading: Mask = contexts[edges.source] & maps
    misleading[_descriptor_values(graph)] = True
    return misleading


def _descriptor_values(graph: Graph) -> Longs:
    """Find the edges from descriptor arrays to values shared by all objects of a shape."""
    arrays = graph.nodes.of_kind("array") & graph.named("(map descriptors)")
    edges = np.flatnonzero(arrays[graph.edges.source])
    numbers = np.array([_index_of(graph, edge) for edge in edges.tolist()], np.int64)
    return np.compress((numbers >= 2) & (numbers % 3 == 1), edges)


def _index_of(graph: Graph, edge: int) -> int:
    name = int(graph.edges.name[edge])
    if not graph.edges.has_text_name[edge]:
        return name
    text = graph.strings[name]
    return int(text) if text.isdecimal() else -1


def _ranges(starts: Longs, counts: Longs) -> Longs:
    """Concatenate the ranges that begin at `starts` and are `counts` long."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if ends.size else 0
    shifts: Longs = np.repeat(starts - (ends - counts), counts)
    return shifts + np.arange(total)
