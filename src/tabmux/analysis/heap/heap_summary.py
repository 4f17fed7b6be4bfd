"""Heap summary: bytes by use, by class, by native context, and by what closures keep."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tabmux.analysis.heap.filters import filter_mask, is_context
from tabmux.analysis.heap.graph.attribution import SHARED, UNATTRIBUTED, native_contexts
from tabmux.analysis.heap.graph.graph import Longs, Mask
from tabmux.analysis.heap.heap_snapshot import HeapSnapshot
from tabmux.errors import Misuse

_STRING_KINDS = ("concatenated string", "sliced string", "string")


class UnknownClass(Misuse):
    """The snapshot holds no class with this id."""

    code = "unknown_heap_class"


@dataclass(frozen=True)
class HeapStatistics:
    """Bytes by what they are used for."""

    total: int
    native: int
    typed_arrays: int
    v8: int
    code: int
    arrays: int
    strings: int
    system: int


@dataclass(frozen=True)
class NativeContextRow:
    """A native context: a page, frame, worker or extension."""

    id: int
    name: str
    self_size: int
    retained_size: int
    attributed_size: int


@dataclass(frozen=True)
class ClosureScopeSizes:
    """What is in memory only because closures keep their scopes."""

    context_count: int
    object_count: int
    size: int
    other_count: int
    other_size: int


@dataclass(frozen=True)
class HeapSummary:
    """The heap as a whole."""

    node_count: int
    edge_count: int
    largest_id: int
    statistics: HeapStatistics
    contexts: tuple[NativeContextRow, ...]
    shared_size: int
    unattributed_size: int
    scopes: ClosureScopeSizes


@dataclass(frozen=True)
class ClassRow:
    """One class. Its id is the same whatever filter is applied."""

    id: int
    name: str
    count: int
    self_size: int
    retained_size: int


@dataclass(frozen=True)
class ClassAggregates:
    """The classes of a heap, the heaviest first."""

    rows: tuple[ClassRow, ...]
    object_count: int
    self_size: int


def summary(heap: HeapSnapshot) -> HeapSummary:
    """Sum a heap up."""
    ids = heap.graph.nodes.id
    return HeapSummary(
        node_count=len(ids),
        edge_count=len(heap.graph.edges.target),
        # Even ids are handed out by the browser, odd ones by V8.
        largest_id=int(ids[ids % 2 == 1].max(initial=0)),
        statistics=statistics(heap),
        contexts=_contexts(heap),
        shared_size=int(heap.size[heap.context == SHARED].sum()),
        unattributed_size=int(heap.size[heap.context == UNATTRIBUTED].sum()),
        scopes=_scopes(heap),
    )


def statistics(heap: HeapSnapshot) -> HeapStatistics:
    """Sum the bytes up by use."""
    graph, of_kind = heap.graph, heap.graph.nodes.of_kind

    def weight(mask: Mask) -> int:
        return int(heap.size[mask].sum())

    native = weight(of_kind("native")) + graph.native_bytes
    buffers = of_kind("native") & graph.named("system / JSArrayBufferData")
    return HeapStatistics(
        total=heap.total,
        native=native,
        typed_arrays=weight(buffers),
        v8=heap.total - native,
        code=weight(of_kind("code")),
        arrays=_array_size(heap),
        strings=weight(of_kind(*_STRING_KINDS)),
        system=weight(of_kind("hidden")),
    )


def aggregate_classes(heap: HeapSnapshot, chosen: Mask) -> ClassAggregates:
    """Count the chosen objects by class. What takes no memory of its own is not counted."""
    nodes = np.flatnonzero(chosen & (heap.size > 0))
    number, kinds = heap.classes.of[nodes], len(heap.classes.names)
    count = np.bincount(number, minlength=kinds)
    # Sums of bytes stay far below the 2**53 up to which bincount's floats are exact.
    own = np.bincount(number, heap.size[nodes], minlength=kinds).astype(np.int64)
    outer = nodes[~_inside_own_class(heap, nodes)]
    kept = np.bincount(heap.classes.of[outer], heap.retained[outer], minlength=kinds).astype(
        np.int64
    )
    ids = _class_ids(heap)
    present = np.flatnonzero(count)
    order = present[np.lexsort((ids[present], -kept[present]))]
    rows = [
        ClassRow(int(ids[i]), heap.classes.names[i], int(count[i]), int(own[i]), int(kept[i]))
        for i in order.tolist()
    ]
    return ClassAggregates(tuple(rows), len(nodes), int(own.sum()))


def class_nodes(heap: HeapSnapshot, class_id: int, chosen: Mask) -> Longs:
    """List the chosen objects of one class, the heaviest first."""
    numbers = np.flatnonzero(_class_ids(heap) == class_id)
    if class_id < 1 or not numbers.size:
        raise UnknownClass(
            f"The heap snapshot holds no class {class_id}.",
            hint="Class ids come from get_heapsnapshot_details of the same file.",
        )
    nodes = np.flatnonzero(chosen & (heap.size > 0) & (heap.classes.of == numbers[0]))
    return nodes[np.argsort(-heap.retained[nodes], kind="stable")]


def _array_size(heap: HeapSnapshot) -> int:
    """Weigh the arrays, each with the store of its elements unless that is shared."""
    graph = heap.graph
    aside = graph.nodes.of_kind("hidden", "native", "code", *_STRING_KINDS)
    arrays = np.flatnonzero(graph.named("Array") & ~aside)
    stores: Longs = graph.follow("elements")[arrays].astype(np.int64)
    stores = stores[stores >= 0]
    holders = np.bincount(graph.edges.target, minlength=len(graph.nodes))
    return int(heap.size[arrays].sum() + heap.size[stores[holders[stores] == 1]].sum())


def _contexts(heap: HeapSnapshot) -> tuple[NativeContextRow, ...]:
    rows = [_context(heap, node) for node in native_contexts(heap.graph).tolist()]
    return tuple(sorted(rows, key=lambda row: -row.attributed_size))


def _context(heap: HeapSnapshot, node: int) -> NativeContextRow:
    return NativeContextRow(
        id=int(heap.graph.nodes.id[node]),
        name=heap.names.node(node),
        self_size=int(heap.size[node]),
        retained_size=int(heap.retained[node]),
        attributed_size=int(heap.size[heap.context == node].sum()),
    )


def _scopes(heap: HeapSnapshot) -> ClosureScopeSizes:
    sized = heap.size > 0
    kept = filter_mask(heap, "objectsRetainedByContexts") & sized
    other = sized & ~kept
    return ClosureScopeSizes(
        context_count=int((is_context(heap.graph) & sized).sum()),
        object_count=int(kept.sum()),
        size=int(heap.size[kept].sum()),
        other_count=int(other.sum()),
        other_size=int(heap.size[other].sum()),
    )


def _class_ids(heap: HeapSnapshot) -> Longs:
    """Number the classes from 1 in the order in which their first objects stand in the file."""
    nodes = np.flatnonzero(heap.size > 0)[::-1]
    first = np.full(len(heap.classes.names), -1, np.int64)
    first[heap.classes.of[nodes]] = nodes
    ids = np.zeros(len(first), np.int64)
    present = np.flatnonzero(first >= 0)
    ids[present[np.argsort(first[present])]] = np.arange(1, len(present) + 1)
    return ids


def _inside_own_class(heap: HeapSnapshot, nodes: Longs) -> Mask:
    """Mark the nodes that another of their class keeps, and whose bytes it therefore includes."""
    width = len(heap.graph.nodes) + 1
    start, number = heap.dominator_tree.start[nodes], heap.classes.of[nodes].astype(np.int64)
    order = np.argsort(number * width + start)
    start, number = start[order], number[order]
    # Furthest end of all before; the class in the upper digits starts each class afresh.
    ends = np.maximum.accumulate(number * width + start + heap.dominator_tree.size[nodes][order])
    inside = np.zeros(len(nodes), np.bool_)
    inside[order[1:]] = ends[:-1] > (number * width + start)[1:]
    return inside
