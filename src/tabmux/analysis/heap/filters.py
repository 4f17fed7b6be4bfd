"""Filters: which objects are in memory only because of one kind of retainer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tabmux.analysis.heap.graph.attribution import SHARED, UNATTRIBUTED
from tabmux.analysis.heap.graph.detachedness import DETACHED
from tabmux.analysis.heap.graph.graph import Graph, Ints, Longs, Mask
from tabmux.analysis.heap.graph.reachability import UNREACHED, BreadthFirstSearch
from tabmux.analysis.heap.heap_snapshot import HeapSnapshot
from tabmux.analysis.heap.query_options import FILTER_NAMES, SPECIFIC_CONTEXT
from tabmux.errors import BadArguments

_CONTEXT_NAME = "system / Context"


def filter_mask(heap: HeapSnapshot, name: str | None, object_id: int | None = None) -> Mask:
    """Mark the objects a filter lets through.

    Args:
        heap: The heap.
        name: The filter; none lets everything through.
        object_id: For SPECIFIC_CONTEXT, the id of the native context.
    """
    if name is None:
        return np.ones(len(heap.graph.nodes), np.bool_)
    if name == SPECIFIC_CONTEXT:
        return np.equal(heap.context, _specific_context(heap, object_id))
    if name not in _FILTERS:
        raise BadArguments(
            f"There is no filter {name!r}.", hint=f"The filters are {', '.join(FILTER_NAMES)}."
        )
    return _FILTERS[name](heap)


def is_context(graph: Graph) -> Mask:
    """Mark the scopes that closures keep."""
    return graph.named(_CONTEXT_NAME) | graph.name_starts_with(f"{_CONTEXT_NAME} / ")


def _specific_context(heap: HeapSnapshot, object_id: int | None) -> int:
    if object_id is None:
        raise BadArguments(
            f"The filter {SPECIFIC_CONTEXT} needs an objectId.",
            hint="get_heapsnapshot_summary lists the native contexts with their ids.",
        )
    return heap.node(object_id)


def _reached_only_through(heap: HeapSnapshot, through: Mask) -> Mask:
    """Mark the objects that can be reached, but not without the barred edges."""
    graph = heap.graph
    search = BreadthFirstSearch(graph.edges, ~graph.edges.weak & ~through)
    search.run(np.array([graph.root]), 0)
    return ~search.reached & np.not_equal(heap.distance, UNREACHED)


def _retained_by_contexts(heap: HeapSnapshot) -> Mask:
    return _reached_only_through(heap, is_context(heap.graph)[heap.graph.edges.target])


def _retained_by_detached(heap: HeapSnapshot) -> Mask:
    return _reached_only_through(
        heap, (heap.graph.nodes.detachedness == DETACHED)[heap.graph.edges.target]
    )


def _retained_by_console(heap: HeapSnapshot) -> Mask:
    graph, edges = heap.graph, heap.graph.edges
    console = np.array([text.endswith(" / DevTools console") for text in graph.strings])
    through = graph.nodes.of_kind("synthetic")[edges.source] & edges.has_text_name
    through[through] = console[edges.name[through]]
    return _reached_only_through(heap, through)


def _retained_by_handlers(heap: HeapSnapshot) -> Mask:
    graph = heap.graph
    handlers = np.zeros(len(graph.nodes), np.bool_)
    handlers[_event_handlers(graph)] = True
    return _reached_only_through(heap, handlers[graph.edges.target])


def _event_handlers(graph: Graph) -> Longs:
    """Find the functions that listeners call, be it through an object with a method."""
    code = _follow_any_kind(graph, "code")
    callback = _follow_any_kind(graph, "1")
    listeners = np.flatnonzero(graph.named("V8EventListener"))
    found = []
    for target in callback[listeners].tolist():
        if target >= 0:
            held = graph.edges.target[list(graph.edges.leaving(target))]
            functions = held[code[held] >= 0] if code[target] < 0 else held[:0]
            found.append(int(functions[0]) if functions.size else target)
    return np.array(found, np.int64)


def _follow_any_kind(graph: Graph, name: str) -> Ints:
    """Follow each node's first edge of this name, whatever its kind."""
    edges = graph.edges
    named = edges.has_text_name & (edges.name == graph.index(name))
    if name.isdecimal():
        named |= ~edges.has_text_name & (edges.name == int(name))
    found = np.flatnonzero(named)[::-1]
    targets = np.full(len(graph.nodes), -1, np.int32)
    targets[edges.source[found]] = edges.target[found]
    return targets


_FILTERS: dict[str, Callable[[HeapSnapshot], Mask]] = {
    "objectsRetainedByDetachedDomNodes": _retained_by_detached,
    "objectsRetainedByConsole": _retained_by_console,
    "objectsRetainedByEventHandlers": _retained_by_handlers,
    "objectsRetainedByContexts": _retained_by_contexts,
    "sharedNativeContext": lambda heap: np.equal(heap.context, SHARED),
    "noNativeContext": lambda heap: np.equal(heap.context, UNATTRIBUTED),
}
