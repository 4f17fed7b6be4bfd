from tabmux.analysis.heap.graph.attribution import SHARED, UNATTRIBUTED
from tests.analysis.heap.snapshot_builder import SnapshotBuilder


def realm(heap: SnapshotBuilder, name: str) -> tuple[int, int]:
    """Add a native context, and a map whose objects belong to it."""
    context = heap.child(heap.root, 1, f"system / NativeContext{name}", "hidden")
    meta = heap.inside(context, "meta", "system / Map", "hidden")
    heap.edge(meta, context, "native_context", "internal")
    shape = heap.inside(context, "shape", "system / Map", "hidden")
    heap.edge(shape, meta, "map", "internal")
    return context, shape


def test_object_belongs_to_the_context_of_its_map() -> None:
    heap = SnapshotBuilder()
    context, shape = realm(heap, " / https://a.test")
    thing = heap.child(heap.root, 2, "Thing")
    heap.edge(thing, shape, "map", "internal")
    assert heap.heap().context[[context, thing]].tolist() == [context, context]


def test_object_without_a_context_belongs_to_whose_objects_alone_use_it() -> None:
    heap = SnapshotBuilder()
    (left, left_shape), (right, right_shape) = realm(heap, ""), realm(heap, " / b")
    mine, yours = heap.child(heap.root, 2, "Mine"), heap.child(heap.root, 3, "Yours")
    heap.edge(mine, left_shape, "map", "internal")
    heap.edge(yours, right_shape, "map", "internal")
    text = heap.child(mine, "text", "abc", "string")
    common = heap.child(mine, "common", "xyz", "string")
    heap.edge(yours, common, "common")
    below = heap.child(common, "part", "part", "string")
    stray = heap.child(heap.root, 4, "Stray")
    owner = heap.heap().context
    assert owner[[mine, yours, text]].tolist() == [left, right, left]
    assert owner[[common, below, stray]].tolist() == [SHARED, SHARED, UNATTRIBUTED]


def test_map_that_leads_to_no_context_gives_no_owner() -> None:
    heap = SnapshotBuilder()
    thing = heap.child(heap.root, 1, "Thing")
    shape = heap.inside(thing, "map", "system / Map", "hidden")
    meta = heap.inside(shape, "map", "system / Map", "hidden")
    heap.inside(meta, "native_context", "not one", "hidden")
    assert heap.heap().context[thing] == UNATTRIBUTED
