"""Dominators: for each object, the one whose release would free it.

This is the semi-NCA algorithm of Georgiadis and Tarjan. What must go step by step is a plain loop,
whose cost does not depend on how deep the graph is; the rest is left to numpy. From the first
search on, a node goes by its number: its turn in a depth-first search.
"""

from __future__ import annotations

from array import array

import numpy as np

from tabmux.analysis.heap.graph.arrays import Ints, Longs, elements, offsets, runs


def dominators(count: int, root: int, source: Ints, target: Ints) -> Ints:
    """Find every node's immediate dominator; the root is its own.

    What nothing holds hangs from the root. So does what only unreachable cycles hold.

    Args:
        count: How many nodes there are.
        root: The node everything is reached from.
        source: Where each edge leaves, in ascending order.
        target: Where each edge leads.
    """
    order = _depth_first(count, root, source, target)
    source, target = _numbered(order, count, source, target)
    parent, semi = _first_guess(len(order), source, target)
    _lower(semi, parent, _upward(source, target))
    result = np.full(count, root, np.int32)
    result[order] = order[_immediate(parent, semi)]
    return result


def _depth_first(count: int, root: int, source: Ints, target: Ints) -> Ints:
    """Visit all that can be reached from the root and from what nothing holds."""
    held = np.bincount(target, minlength=count)
    held[root] = 1
    first = elements(offsets(np.bincount(source, minlength=count)))
    follow, seen, order = elements(target), bytearray(count), array("i")
    for start in (root, *np.flatnonzero(held == 0).tolist()):
        stack = [start]
        # Bound once, because they run for every edge of the heap.
        pop, extend, visit = stack.pop, stack.extend, order.append
        while stack:
            node = pop()
            if not seen[node]:
                seen[node] = 1
                visit(node)
                extend(follow[first[node] : first[node + 1]])
    return np.frombuffer(order, np.int32)


def _numbered(order: Ints, count: int, source: Ints, target: Ints) -> tuple[Ints, Ints]:
    """Rename the nodes to their numbers; drop edges from what was not visited, or to the root."""
    number = np.full(count, -1, np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    source, target = number[source], number[target]
    counts = (source >= 0) & (target > 0)
    return source[counts], target[counts]


def _first_guess(count: int, source: Ints, target: Ints) -> tuple[Ints, Ints]:
    """Find each node's parent in the search, and its semidominator as far as that is plain.

    Of the nodes that lead to one with a higher number, the highest is the one it was found from.
    """
    downward = source < target
    parent, semi = np.zeros(count, np.int32), np.full(count, count, np.int32)
    np.maximum.at(parent, target[downward], source[downward])
    np.minimum.at(semi, target[downward], source[downward])
    return parent, np.minimum(parent, semi)


def _upward(source: Ints, target: Ints) -> Longs:
    """List the edges to lower numbers, each once, those to the highest of them first."""
    upward = source > target
    keys = target[upward].astype(np.int64) << 32
    keys |= source[upward]
    keys.sort()
    return keys[runs(keys)[0]][::-1]


def _lower(semi: Ints, parent: Ints, upward: Longs) -> None:
    """Lower each semidominator by what the higher-numbered predecessors have above them."""
    before = elements((upward & 0xFFFFFFFF).astype(np.int32))
    nodes = (upward >> 32).astype(np.int32)
    starts, ends = runs(nodes)
    lowest, above, final = elements(semi.copy()), elements(parent.copy()), elements(semi)
    for node, start, end in zip(
        nodes[starts].tolist(), starts.tolist(), ends.tolist(), strict=True
    ):
        best = final[node]
        for predecessor in before[start:end]:
            if above[predecessor] > node:
                _compress(predecessor, node, lowest, above)
            low = lowest[predecessor]
            if low < best:
                best = low
        final[node] = lowest[node] = best


def _compress(node: int, floor: int, lowest: memoryview[int], above: memoryview[int]) -> None:
    """Shorten the way from a node to its highest ancestor above `floor`, keeping the minimum."""
    path = []
    while (up := above[node]) > floor:
        path.append(node)
        node = up
    best = lowest[node]
    for node in reversed(path):
        low = lowest[node]
        if low < best:
            best = low
        else:
            lowest[node] = best
        above[node] = up


def _immediate(parent: Ints, semi: Ints) -> Ints:
    """Climb from each node's parent to the first that lies no higher than its semidominator."""
    result = parent.copy()
    dominator, limit = elements(result), elements(semi)
    for node in np.flatnonzero(semi < parent).tolist():
        candidate, bound = dominator[node], limit[node]
        while candidate > bound:
            candidate = dominator[candidate]
        dominator[node] = candidate
    return result
