"""Comparison: what changed between two snapshots of one page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tabmux.analysis.heap.graph.graph import Longs, runs
from tabmux.analysis.heap.heap_snapshot import HeapSnapshot
from tabmux.analysis.heap.object_classes import Classes
from tabmux.content import count
from tabmux.errors import BadArguments

# Ids of one profiler session never change hands; across sessions they match by accident only.
_SAME_OBJECT_SHARE = 0.9


@dataclass(frozen=True, eq=False)
class ClassDiff:
    """The objects of one class that came and went.

    Attributes:
        added: Nodes of the later heap; empty when objects cannot be told apart.
        removed: Nodes of the earlier heap.
    """

    name: str
    added: Longs
    removed: Longs
    added_count: int
    removed_count: int
    added_size: int
    removed_size: int

    @property
    def count_delta(self) -> int:
        """How many objects more there are."""
        return self.added_count - self.removed_count

    @property
    def size_delta(self) -> int:
        """How many bytes more they take."""
        return self.added_size - self.removed_size


@dataclass(frozen=True, eq=False)
class HeapComparison:
    """The classes that changed, the most grown first.

    Attributes:
        ids_match: Whether ids mean the same object in both. If not, only the difference of
            the counts is known, and what came and went in equal numbers is not.
    """

    base: HeapSnapshot
    current: HeapSnapshot
    ids_match: bool
    diffs: tuple[ClassDiff, ...]

    def diff(self, index: int) -> ClassDiff:
        """Pick one class by its place in the list."""
        if not 0 <= index < len(self.diffs):
            known = count(len(self.diffs), "class", "classes")
            raise BadArguments(
                f"There is no changed class {index}: {known} changed.",
                hint="classIndex is the index shown by compare_heapsnapshots without it.",
            )
        return self.diffs[index]


def compare(base: HeapSnapshot, current: HeapSnapshot) -> HeapComparison:
    """Find what is new in `current` and what is gone since `base`."""
    # Plain objects of both heaps go by the names the later one gives them.
    before = _nodes_by_class(
        base, Classes.classify(base.graph, base.plain_objects, current.interfaces)
    )
    after = _nodes_by_class(current, current.classes)
    ids_match = _ids_match(base, current)
    diffs = []
    for key in dict.fromkeys([*before, *after]):
        name = (before.get(key) or after[key])[0]
        old, new = (nodes[key][1] if key in nodes else _NONE for nodes in (before, after))
        compute = _diff_by_id if ids_match else _diff_by_count
        diffs.append(compute(name, base, old, current, new))
    changed = [each for each in diffs if each.added_count or each.removed_count]
    changed.sort(key=lambda diff: (-diff.size_delta, -diff.count_delta))
    return HeapComparison(base, current, ids_match, tuple(changed))


_NONE: Longs = np.empty(0, np.int64)


def _nodes_by_class(heap: HeapSnapshot, classes: Classes) -> dict[str, tuple[str, Longs]]:
    nodes = np.flatnonzero(heap.size > 0)
    nodes = nodes[np.argsort(classes.of[nodes], kind="stable")]
    numbers = classes.of[nodes]
    starts, ends = runs(numbers)
    return {
        classes.keys[numbers[start]]: (classes.names[numbers[start]], nodes[start:end])
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    }


def _diff_by_id(
    name: str, base: HeapSnapshot, old: Longs, current: HeapSnapshot, new: Longs
) -> ClassDiff:
    old_ids, new_ids = base.graph.nodes.id[old], current.graph.nodes.id[new]
    added = new[~np.isin(new_ids, old_ids)]
    removed = old[~np.isin(old_ids, new_ids)]
    return ClassDiff(
        name,
        added,
        removed,
        len(added),
        len(removed),
        int(current.size[added].sum()),
        int(base.size[removed].sum()),
    )


def _diff_by_count(
    name: str, base: HeapSnapshot, old: Longs, current: HeapSnapshot, new: Longs
) -> ClassDiff:
    count = len(new) - len(old)
    size = int(current.size[new].sum() - base.size[old].sum())
    sizes = max(size, 0), max(-size, 0)
    return ClassDiff(name, _NONE, _NONE, max(count, 0), max(-count, 0), *sizes)


def _ids_match(base: HeapSnapshot, current: HeapSnapshot) -> bool:
    """Whether objects with the same id are mostly of the same kind and name."""
    ids, old, new = np.intersect1d(
        base.graph.nodes.id, current.graph.nodes.id, assume_unique=True, return_indices=True
    )
    place = {text: index for index, text in enumerate(current.graph.strings)}
    translated = np.array([place.get(text, -1) for text in base.graph.strings])
    same = translated[base.graph.nodes.name[old]] == current.graph.nodes.name[new]
    same &= base.graph.nodes.kind[old] == current.graph.nodes.kind[new]
    return bool(ids.size) and float(same.mean()) >= _SAME_OBJECT_SHARE
