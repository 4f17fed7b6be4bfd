from tabmux.analysis.heap.heap_snapshot import HeapSnapshot
from tabmux.analysis.heap.heap_summary import (
    ClosureScopeSizes,
    HeapStatistics,
    NativeContextRow,
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
