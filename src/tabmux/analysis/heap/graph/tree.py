"""A tree given by parents, and sums over its branches at any depth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tabmux.analysis.heap.graph.arrays import Ints, Longs, runs


@dataclass(frozen=True, eq=False)
class DominatorTree:
    """Nodes laid out so that what is below a node follows it without a gap.

    Attributes:
        parent: Each node's parent; the root is its own.
        start: Each node's place in the layout.
        size: How many places the node and all below it take.
    """

    parent: Ints
    start: Longs
    size: Longs

    @classmethod
    def of(cls, parent: Ints, root: int) -> DominatorTree:
        """Lay out a tree."""
        above = parent.astype(np.int64)
        above[root] = len(parent)
        size = _sums_below(above, np.ones(len(parent), np.int64))
        start = _sums_above(above, _offsets(above, size))
        return cls(parent, start, size)

    def sums(self, weights: Longs) -> Longs:
        """Add up the weights of each node and all below it."""
        running = np.zeros(len(weights) + 1, np.int64)
        running[self.start + 1] = weights
        np.cumsum(running, out=running)
        ends: Longs = running[self.start + self.size]
        return ends - running[self.start]


def _offsets(above: Longs, size: Longs) -> Longs:
    """Say how far behind its parent each node begins: after its elder siblings."""
    order = np.argsort(above, kind="stable")
    before = np.cumsum(size[order]) - size[order]
    starts, ends = runs(above[order])
    result = np.empty(len(size), np.int64)
    result[order] = before - np.repeat(before[starts], ends - starts) + 1
    result[above == len(size)] = 0
    return result


def _sums_below(above: Longs, values: Longs) -> Longs:
    """Add to each node's value those of all below it, in as many rounds as depth has bits."""
    total = np.append(values, 0)
    jump = np.append(above, len(values))
    climbing = np.flatnonzero(above < len(values))
    while climbing.size:
        np.add.at(total, jump[climbing], total[climbing])
        climbing = _climb(jump, climbing)
    return total[:-1]


def _sums_above(above: Longs, values: Longs) -> Longs:
    """Add to each node's value those of all above it."""
    total = np.append(values, 0)
    jump = np.append(above, len(values))
    climbing = np.flatnonzero(above < len(values))
    while climbing.size:
        total[climbing] += total[jump[climbing]]
        climbing = _climb(jump, climbing)
    return total[:-1]


def _climb(jump: Longs, nodes: Longs) -> Longs:
    """Double the height of each node's jump; return those that are still inside the tree."""
    jump[nodes] = landing = jump[jump[nodes]]
    return nodes[landing < len(jump) - 1]
