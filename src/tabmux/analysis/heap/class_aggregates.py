"""Class aggregates: how many objects each class has, and what they weigh."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tabmux.analysis.heap.graph.graph import Longs, Mask
from tabmux.analysis.heap.heap_snapshot import HeapSnapshot
from tabmux.errors import Misuse


class UnknownClass(Misuse):
    """The snapshot holds no class with this id."""

    code = "unknown_heap_class"


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
    ids = class_ids(heap)
    present = np.flatnonzero(count)
    order = present[np.lexsort((ids[present], -kept[present]))]
    rows = [
        ClassRow(int(ids[i]), heap.classes.names[i], int(count[i]), int(own[i]), int(kept[i]))
        for i in order.tolist()
    ]
    return ClassAggregates(tuple(rows), len(nodes), int(own.sum()))


def class_nodes(heap: HeapSnapshot, class_id: int, chosen: Mask) -> Longs:
    """List the chosen objects of one class, the heaviest first."""
    numbers = np.flatnonzero(class_ids(heap) == class_id)
    if class_id < 1 or not numbers.size:
        raise UnknownClass(
            f"The heap snapshot holds no class {class_id}.",
            hint="Class ids come from get_heapsnapshot_details of the same file.",
        )
    nodes = np.flatnonzero(chosen & (heap.size > 0) & (heap.classes.of == numbers[0]))
    return nodes[np.argsort(-heap.retained[nodes], kind="stable")]


def class_ids(heap: HeapSnapshot) -> Longs:
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
