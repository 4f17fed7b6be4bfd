"""The references that keep an object alive, as opposed to those that merely lead to it."""

from __future__ import annotations

import numpy as np

from tabmux.analysis.heap.graph.arrays import Longs, Mask
from tabmux.analysis.heap.graph.breadth_first import BreadthFirstSearch
from tabmux.analysis.heap.graph.distances import DOCUMENTS
from tabmux.analysis.heap.graph.ephemerons import Ephemerons
from tabmux.analysis.heap.graph.graph import Graph


def essential_edges(graph: Graph, ephemerons: Ephemerons) -> Mask:
    """Mark the edges that count when asking what would be freed with an object."""
    edges, root = graph.edges, graph.root
    page = _page_owned(graph)
    from_root = edges.source == root
    # What the page owns is not charged to debuggers and the like that also point at it.
    intrusion = page[edges.target] & ~page[edges.source]
    keeps: Mask = ~edges.weak & (edges.source != edges.target)
    keeps &= from_root | ~(edges.of_kind("shortcut") | intrusion)
    keeps[_table_sides(graph, ephemerons)] = False
    return keeps


def _page_owned(graph: Graph) -> Mask:
    edges = graph.edges
    leaving = np.array(edges.leaving(graph.root), np.int64)
    documents = graph.named(DOCUMENTS) & graph.nodes.of_kind("synthetic")
    owning = edges.of_kind("shortcut")[leaving] | (
        edges.of_kind("element")[leaving] & documents[edges.target[leaving]]
    )
    search = BreadthFirstSearch(edges, ~edges.weak)
    search.run(np.unique(edges.target[leaving[owning]]).astype(np.int64), 0)
    return search.reached


def _table_sides(graph: Graph, ephemerons: Ephemerons) -> Longs:
    """Find the edges that leave a weak map's table: an entry is charged to its key."""
    source = graph.edges.source[ephemerons.edges]
    return np.compress(graph.nodes.id[source] == ephemerons.table, ephemerons.edges)
