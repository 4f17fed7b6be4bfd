"""Breadth-first search over some of a graph's edges, quick on wide and very deep graphs."""

from __future__ import annotations

import numpy as np

from tabmux.analysis.heap.graph.arrays import Ints, Longs, Mask, elements, ranges
from tabmux.analysis.heap.graph.graph import Edges

UNREACHED = -5
"""The distance of what no path leads to, the same number as in DevTools."""

# From fewer nodes than this, a plain loop beats the fixed cost of a dozen array operations.
WIDE = 64


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
        wide: int = WIDE,
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
        edges = ranges(first[frontier], counts)
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
