"""Detachedness: which DOM nodes are in a document, which are cut off from one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tabmux.analysis.heap.graph.graph import Codes, Graph, Ints, Nodes
from tabmux.analysis.heap.graph.reachability import BreadthFirstSearch

UNKNOWN, ATTACHED, DETACHED = 0, 1, 2
STATES = ("unknown", "attached", "detached")

_PREFIX = "Detached "


def propagate_detachedness(graph: Graph) -> Graph:
    """Spread what Blink said of some DOM nodes to the ones it left unsaid, and name them so."""
    if not graph.nodes.detachedness.size:
        return replace(graph, nodes=replace(graph.nodes, detachedness=_from_names(graph)))
    state = _propagate(graph)
    strings, names = _add_prefix(graph, state)
    return replace(
        graph, strings=strings, nodes=replace(graph.nodes, detachedness=state, name=names)
    )


def _from_names(graph: Graph) -> Codes:
    """Snapshots before detachedness was recorded say it in the name alone."""
    detached = graph.nodes.of_kind("native") & graph.name_starts_with(_PREFIX)
    return np.where(detached, DETACHED, UNKNOWN).astype(np.uint8)


def _propagate(graph: Graph) -> Codes:
    nodes, edges = graph.nodes, graph.edges
    state = nodes.detachedness.copy()
    native = nodes.of_kind("native")
    plain = ~edges.of_kind("hidden", "weak")
    for value in (ATTACHED, DETACHED):
        # What is in a document through any path is in it: the attached go first.
        unsaid = native & (state == UNKNOWN)
        search = BreadthFirstSearch(edges, plain & unsaid[edges.target])
        search.run(np.flatnonzero(native & (nodes.detachedness == value)), 0)
        state[unsaid & search.reached] = value
    return state


def _add_prefix(graph: Graph, state: Codes) -> tuple[list[str], Ints]:
    nodes: Nodes = graph.nodes
    detached = nodes.of_kind("native") & (state == DETACHED)
    old, place = np.unique(nodes.name[detached], return_inverse=True)
    names = nodes.name.copy()
    names[detached] = len(graph.strings) + place
    return graph.strings + [_PREFIX + graph.strings[index] for index in old.tolist()], names
