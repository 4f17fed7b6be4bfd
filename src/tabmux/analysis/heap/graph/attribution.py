"""Attribution: assigns objects to native contexts, and hidden helpers to their owners."""

from __future__ import annotations

import numpy as np

from tabmux.analysis.heap.graph.graph import Edges, Graph, Ints, Longs, Mask
from tabmux.analysis.heap.graph.reachability import BreadthFirstSearch, user_roots

UNATTRIBUTED, SHARED = -1, -2

_CONTEXT = "system / NativeContext"


def propagate_owners(edges: Edges, passable: Mask, known: Ints) -> Ints:
    """Give each node whose owner is not known that of whoever leads to it, if there is just one.

    Args:
        edges: The edges of the graph.
        passable: The edges along which ownership spreads.
        known: The owner of each node, or UNATTRIBUTED.
    """
    passable = passable & (known == UNATTRIBUTED)[edges.target]
    search = BreadthFirstSearch(edges, passable, owner=known.copy())
    search.run(np.flatnonzero(known != UNATTRIBUTED), 0)
    assert search.owner is not None
    owner = search.owner
    left, right = owner[edges.source], owner[edges.target]
    disputed = np.unique(edges.target[passable & (left != UNATTRIBUTED) & (left != right)])
    shared = BreadthFirstSearch(edges, passable)
    shared.run(disputed.astype(np.int64), 0)
    owner[shared.reached] = SHARED
    return owner


def native_contexts(graph: Graph) -> Longs:
    """Find the contexts: one for each page, frame, worker or extension in the heap."""
    return np.flatnonzero(
        graph.named(_CONTEXT, f"Detached {_CONTEXT}")
        | graph.name_starts_with(f"{_CONTEXT} / ", f"Detached {_CONTEXT} / ")
    )


def context_owners(graph: Graph) -> Ints:
    """Attribute each object to the context that made it, or whose objects alone use it."""
    contexts = native_contexts(graph)
    is_context = np.zeros(len(graph.nodes) + 1, np.bool_)
    is_context[contexts] = True
    # An object's map has a map in turn, and that one knows its context. -1 stays -1 on the way.
    shape = np.append(graph.follow("map"), np.int32(-1))
    context = np.append(graph.follow("native_context"), np.int32(-1))
    known = context[shape[shape]]
    known = np.where(is_context[known], known, UNATTRIBUTED)[:-1].astype(np.int32)
    known[contexts] = contexts
    passable = ~graph.edges.of_kind("shortcut", "weak")
    return propagate_owners(graph.edges, passable, known)


def shallow_sizes(graph: Graph) -> Longs:
    """Charge V8's hidden helpers to the one object each serves.

    Only when the page has roots of its own: without them the helpers stand for themselves.
    """
    nodes = graph.nodes
    if not user_roots(graph).size:
        return nodes.size
    helper = nodes.of_kind("hidden", "array") | (
        nodes.of_kind("native") & graph.named("system / ExternalStringData")
    )
    everyone = np.arange(len(nodes), dtype=np.int32)
    known = np.where(helper, np.int32(UNATTRIBUTED), everyone)
    owner = propagate_owners(graph.edges, ~graph.edges.weak, known)
    return _move_sizes(graph, np.flatnonzero(helper & (owner >= 0)), owner)


def _move_sizes(graph: Graph, helpers: Longs, owner: Ints) -> Longs:
    aside = graph.nodes.of_kind("synthetic")
    aside[graph.root] = True
    helpers = helpers[~aside[owner[helpers]]]
    sizes = graph.nodes.size.copy()
    np.add.at(sizes, owner[helpers], sizes[helpers])
    sizes[helpers] = 0
    return sizes
