"""Distances: how many references each object is away from the roots."""

from __future__ import annotations

import numpy as np

from tabmux.analysis.heap.graph.arrays import Ints, Longs, Mask
from tabmux.analysis.heap.graph.breadth_first import BreadthFirstSearch
from tabmux.analysis.heap.graph.ephemerons import NO_PARTNER, UNGATED, Ephemerons
from tabmux.analysis.heap.graph.graph import Graph

SYSTEM_DISTANCE = 100_000_000
"""Added to the distance of what only V8 itself can reach, when the page has roots of its own."""

DOCUMENT_TREES = "(Document DOM trees)"


def distances(graph: Graph, ephemerons: Ephemerons) -> Ints:
    """Measure the way to each object, first from the page's roots and then from V8's."""
    passable = ~graph.edges.weak & ~_misleading_edges(graph)
    passable[ephemerons.edges[ephemerons.partner == NO_PARTNER]] = False
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


def _gates(graph: Graph, ephemerons: Ephemerons) -> Ints | None:
    """The value of a weak map's entry is held only once its key and its table both are."""
    if not ephemerons.edges.size:
        return None
    gates = np.full(len(graph.edges.target), UNGATED, np.int32)
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
