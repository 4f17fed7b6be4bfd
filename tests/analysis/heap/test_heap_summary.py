import numpy as np
import pytest

from tabmux.analysis.heap.heap_snapshot import HeapSnapshot
from tabmux.analysis.heap.heap_summary import (
    ClassAggregates,
    ClassRow,
    ClosureScopeSizes,
    HeapStatistics,
    NativeContextRow,
    UnknownClass,
    aggregate_classes,
    class_nodes,
    summary,
)
from tests.analysis.heap.snapshot_builder import SnapshotBuilder, profile_of


def test_bytes_are_summed_up_by_use() -> None:
    heap = SnapshotBuilder()
    heap.child(heap.root, 1, "text", "string", size=1)
    heap.child(heap.root, 2, "code", "code", size=2)
    heap.child(heap.root, 3, "<p>", "native", size=4)
    heap.child(heap.root, 4, "system / JSArrayBufferData", "native", size=8)
    heap.child(heap.root, 5, "hidden", "synthetic", size=16)
    array = heap.child(heap.root, 6, "Array", size=32)
    heap.inside(array, "elements", "", "array", size=64)
    other = heap.child(heap.root, 7, "Array", size=128)
    shared = heap.inside(other, "elements", "", "array", size=256)
    heap.edge(heap.root, shared, "also")
    data = heap.data()
    data["snapshot"]["extra_native_bytes"] = 1000
    assert summary(HeapSnapshot.of(profile_of(data))).statistics == HeapStatistics(
        total=1511,
        native=1012,
        typed_arrays=8,
        v8=499,
        code=2,
        arrays=32 + 64 + 128,
        strings=1,
        system=0,
    )


def test_contexts_are_listed_by_what_belongs_to_them() -> None:
    heap = SnapshotBuilder()
    small = heap.child(heap.root, 1, "system / NativeContext", "hidden", size=1)
    large = heap.child(heap.root, 2, "system / NativeContext / a", "hidden", size=2)
    heap.child(large, "own", "Own", size=10)
    common = heap.child(large, "common", "Common", size=100)
    heap.edge(small, common, "common")
    heap.child(heap.root, 3, "Nobody's", size=1000)
    read = summary(heap.heap())
    assert read.contexts == (
        NativeContextRow(2 * large + 1, "system / NativeContext / a", 2, 12, 12),
        NativeContextRow(2 * small + 1, "system / NativeContext", 1, 1, 1),
    )
    assert (read.shared_size, read.unattributed_size) == (100, 1000)


def test_what_closures_keep_is_weighed() -> None:
    heap = SnapshotBuilder()
    scope = heap.child(heap.root, 1, "system / Context", size=1)
    heap.child(scope, "captured", "Captured", size=10)
    heap.child(heap.root, 2, "Other", size=100)
    assert summary(heap.heap()).scopes == ClosureScopeSizes(1, 2, 11, 1, 100)


def test_objects_are_counted() -> None:
    heap = SnapshotBuilder()
    heap.child(heap.root, 1, "Even", object_id=1000)
    read = summary(heap.heap())
    assert (read.node_count, read.edge_count, read.largest_id) == (2, 1, 1)


def everything(heap: HeapSnapshot) -> ClassAggregates:
    return aggregate_classes(heap, np.ones(len(heap.graph.nodes), np.bool_))


def test_classes_are_counted_and_weighed_heaviest_first() -> None:
    heap = SnapshotBuilder()
    for number in range(3):
        heap.child(heap.root, number, "Light", size=1)
    heap.child(heap.root, 3, "Heavy", size=50)
    assert everything(heap.heap()).rows == (
        ClassRow(id=2, name="Heavy", count=1, self_size=50, retained_size=50),
        ClassRow(id=1, name="Light", count=3, self_size=3, retained_size=3),
    )


def test_objects_inside_others_of_their_class_are_not_weighed_twice() -> None:
    heap = SnapshotBuilder()
    outer = heap.child(heap.root, 1, "Item", size=1)
    between = heap.child(outer, "between", "Box", size=10)
    heap.child(between, "inner", "Item", size=100)
    heap.child(heap.root, 2, "Item", size=1000)
    rows = {row.name: row for row in everything(heap.heap()).rows}
    assert rows["Item"].self_size == 1101
    assert rows["Item"].retained_size == 1111
    assert rows["Box"].retained_size == 110


def test_objects_without_a_size_are_left_out() -> None:
    heap = SnapshotBuilder()
    heap.child(heap.root, 1, "Empty", size=0)
    counted = everything(heap.heap())
    assert (counted.rows, counted.object_count, counted.self_size) == ((), 0, 0)


def test_id_of_a_class_does_not_depend_on_the_filter() -> None:
    heap = SnapshotBuilder()
    for name in ("A", "B", "C"):
        heap.child(heap.root, name, name)
    read = heap.heap()
    only = np.array([False, False, False, True])
    assert [row.id for row in aggregate_classes(read, only).rows] == [3]
    assert class_nodes(read, 3, only).tolist() == [3]
    assert class_nodes(read, 2, only).tolist() == []


def test_objects_of_a_class_are_listed_heaviest_first() -> None:
    heap = SnapshotBuilder()
    small, large = heap.child(heap.root, 1, "A", size=1), heap.child(heap.root, 2, "A", size=5)
    read = heap.heap()
    assert class_nodes(read, 1, np.ones(3, np.bool_)).tolist() == [large, small]


@pytest.mark.parametrize("class_id", [-1, 0, 99])
def test_unknown_class_is_refused(class_id: int) -> None:
    heap = SnapshotBuilder()
    heap.child(heap.root, 1, "A")
    with pytest.raises(UnknownClass):
        class_nodes(heap.heap(), class_id, np.ones(2, np.bool_))
