"""Dominator tree: for each object, the one whose release would free it, and retained sizes."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import numpy as np

from tabmux.analysis.heap.graph.graph import Graph, Ints, Longs, Mask, elements, offsets, runs
from tabmux.analysis.heap.graph.reachability import DOCUMENT_TREES, BreadthFirstSearch, Ephemerons


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
        size = _subtree_sums(above, np.ones(len(parent), np.int64))
        start = _ancestor_sums(above, _sibling_offsets(above, size))
        return cls(parent, start, size)

    def sums(self, weights: Longs) -> Longs:
        """Add up the weights of each node and all below it."""
        running = np.zeros(len(weights) + 1, np.int64)
        running[self.start + 1] = weights
        np.cumsum(running, out=running)
        ends: Longs = running[self.start + self.size]
        return ends - running[self.start]


def essential_edges(graph: Graph, ephemerons: Ephemerons) -> Mask:
    """Mark the edges that count when asking what would be freed with an object."""
    edges, root = graph.edges, graph.root
    page = _page_owned(graph)
    from_root = edges.source == root
    # What the page owns is not charged to debuggers and the like that also point at it.
    foreign = page[edges.target] & ~page[edges.source]
    keeps: Mask = ~edges.weak & (edges.source != edges.target)
    keeps &= from_root | ~(edges.of_kind("shortcut") | foreign)
    keeps[_weak_map_table_edges(graph, ephemerons)] = False
    return keeps


def immediate_dominators(count: int, root: int, source: Ints, target: Ints) -> Ints:
    """Find every node's immediate dominator; the root is its own.

    What nothing holds hangs from the root. So does what only unreachable cycles hold.
    This is the semi-NCA algorithm of Georgiadis and Tarjan. What must go step by step is a plain
    loop, whose cost does not depend on how deep the graph is; the rest is left to numpy. From the
    first search on, a node goes by its number: its turn in a depth-first search.

    Args:
        count: How many nodes there are.
        root: The node everything is reached from.
        source: Where each edge leaves, in ascending order.
        target: Where each edge leads.
    """
    order = _depth_first_order(count, root, source, target)
    source, target = _renumbered(order, count, source, target)
    parent, semi = _initial_semidominators(len(order), source, target)
    _lower_semidominators(semi, parent, _upward_edges(source, target))
    result = np.full(count, root, np.int32)
    result[order] = order[_climb_to_dominators(parent, semi)]
    return result


def _sibling_offsets(above: Longs, size: Longs) -> Longs:
    """Say how far behind its parent each node begins: after its elder siblings."""
    order = np.argsort(above, kind="stable")
    before = np.cumsum(size[order]) - size[order]
    starts, ends = runs(above[order])
    result = np.empty(len(size), np.int64)
    result[order] = before - np.repeat(before[starts], ends - starts) + 1
    result[above == len(size)] = 0
    return result


def _subtree_sums(above: Longs, values: Longs) -> Longs:
    """Add to each node's value those of all below it, in as many rounds as depth has bits."""
    total = np.append(values, 0)
    jump = np.append(above, len(values))
    climbing = np.flatnonzero(above < len(values))
    while climbing.size:
        np.add.at(total, jump[climbing], total[climbing])
        climbing = _double_jumps(jump, climbing)
    return total[:-1]


def _ancestor_sums(above: Longs, values: Longs) -> Longs:
    """Add to each node's value those of all above it."""
    total = np.append(values, 0)
    jump = np.append(above, len(values))
    climbing = np.flatnonzero(above < len(values))
    while climbing.size:
        total[climbing] += total[jump[climbing]]
        climbing = _double_jumps(jump, climbing)
    return total[:-1]


def _double_jumps(jump: Longs, nodes: Longs) -> Longs:
    """Double the height of each node's jump; return those that are still inside the tree."""
    jump[nodes] = landing = jump[jump[nodes]]
    return nodes[landing < len(jump) - 1]


def _page_owned(graph: Graph) -> Mask:
    edges = graph.edges
    leaving = np.array(edges.leaving(graph.root), np.int64)
    documents = graph.named(DOCUMENT_TREES) & graph.nodes.of_kind("synthetic")
    owning = edges.of_kind("shortcut")[leaving] | (
        edges.of_kind("element")[leaving] & documents[edges.target[leaving]]
    )
    search = BreadthFirstSearch(edges, ~edges.weak)
    search.run(np.unique(edges.target[leaving[owning]]).astype(np.int64), 0)
    return search.reached


def _weak_map_table_edges(graph: Graph, ephemerons: Ephemerons) -> Longs:
    """Find the edges that leave a weak map's table: an entry is charged to its key."""
    source = graph.edges.source[ephemerons.edges]
    return np.compress(graph.nodes.id[source] == ephemerons.table, ephemerons.edges)


def _depth_first_order(count: int, root: int, source: Ints, target: Ints) -> Ints:
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


def _renumbered(order: Ints, count: int, source: Ints, target: Ints) -> tuple[Ints, Ints]:
    """Rename the nodes to their numbers; drop edges from what was not visited, or to the root."""
    number = np.full(count, -1, np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    source, target = number[source], number[target]
    counts = (source >= 0) & (target > 0)
    return source[counts], target[counts]


def _initial_semidominators(count: int, source: Ints, target: Ints) -> tuple[Ints, Ints]:
    """Find each node's parent in the search, and its semidominator as far as that is plain.

    Of the nodes that lead to one with a higher number, the highest is the one it was found from.
    """
    downward = source < target
    parent, semi = np.zeros(count, np.int32), np.full(count, count, np.int32)
    np.maximum.at(parent, target[downward], source[downward])
    np.minimum.at(semi, target[downward], source[downward])
    return parent, np.minimum(parent, semi)


def _upward_edges(source: Ints, target: Ints) -> Longs:
    """List the edges to lower numbers, each once, those to the highest of them first."""
    upward = source > target
    keys = target[upward].astype(np.int64) << 32
    keys |= source[upward]
    keys.sort()
    return keys[runs(keys)[0]][::-1]


def _lower_semidominators(semi: Ints, parent: Ints, upward: Longs) -> None:
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


def _climb_to_dominators(parent: Ints, semi: Ints) -> Ints:
    """Climb from each node's parent to the first that lies no higher than its semidominator."""
    result = parent.copy()
    dominator, limit = elements(result), elements(semi)
    for node in np.flatnonzero(semi < parent).tolist():
        candidate, bound = dominator[node], limit[node]
        while candidate > bound:
            candidate = dominator[candidate]
        dominator[node] = candidate
    return result
