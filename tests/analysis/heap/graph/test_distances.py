from tabmux.analysis.heap.graph.breadth_first import UNREACHED
from tabmux.analysis.heap.graph.distances import SYSTEM_DISTANCE
from tests.analysis.heap.snapshot_builder import SnapshotBuilder


def weak_map(heap: SnapshotBuilder, key: int, table: int, value: int) -> None:
    name = (
        f"part of key (K @{2 * key + 1}) -> value (V @{2 * value + 1}) "
        f"pair in WeakMap (table @{2 * table + 1})"
    )
    heap.edge(key, value, f"1 / {name}", "internal")
    heap.edge(table, value, f"2 / {name}", "internal")


def test_distance_counts_references_from_the_root() -> None:
    heap = SnapshotBuilder()
    roots = heap.child(heap.root, 1, "(GC roots)", "synthetic", size=0)
    near = heap.child(roots, 1, "Near")
    far = heap.child(near, "far", "Far")
    heap.edge(far, near, "back")
    lost = heap.node("Lost")
    weak = heap.node("Weak")
    heap.edge(near, weak, "weakly", "weak")
    assert heap.heap().distance.tolist() == [0, 1, 2, 3, UNREACHED, UNREACHED]
    assert lost < weak


def test_roots_of_the_page_come_before_those_of_v8() -> None:
    heap = SnapshotBuilder()
    system = heap.child(heap.root, 1, "(GC roots)", "synthetic", size=0)
    window = heap.node("Window")
    heap.edge(heap.root, window, "1", "shortcut")
    document = heap.child(heap.root, 2, "(Document DOM trees)", "synthetic", size=0)
    both = heap.child(system, 1, "Both")
    heap.edge(window, both, "both")
    only = heap.child(system, 2, "Only V8's")
    distance = heap.heap().distance
    assert distance[[window, document, both]].tolist() == [1, 1, 2]
    assert distance[[heap.root, system, only]].tolist() == [
        SYSTEM_DISTANCE,
        SYSTEM_DISTANCE + 1,
        SYSTEM_DISTANCE + 2,
    ]


def test_value_of_a_weak_map_is_one_step_behind_the_later_of_key_and_table() -> None:
    heap = SnapshotBuilder()
    table = heap.child(heap.root, 1, "Table")
    one = heap.child(heap.root, 2, "One")
    key = heap.child(one, "key", "Key")
    value = heap.node("Value")
    weak_map(heap, key, table, value)
    assert heap.heap().distance[value] == 3


def test_value_whose_key_is_gone_is_unreachable() -> None:
    heap = SnapshotBuilder()
    table = heap.child(heap.root, 1, "Table")
    key, value = heap.node("Key"), heap.node("Value")
    weak_map(heap, key, table, value)
    half = heap.node("Half")
    name = "3 / part of key (K @1) -> value (V @2) pair in WeakMap (table @3)"
    heap.edge(table, half, name, "internal")
    assert heap.heap().distance[[value, half]].tolist() == [UNREACHED, UNREACHED]


def test_value_of_a_weak_map_is_charged_to_its_key() -> None:
    heap = SnapshotBuilder()
    table = heap.child(heap.root, 1, "Table")
    key = heap.child(heap.root, 2, "Key")
    value = heap.node("Value", size=100)
    weak_map(heap, key, table, value)
    read = heap.heap()
    assert read.retained[[table, key]].tolist() == [10, 110]


def test_edge_that_only_sounds_like_a_weak_map_is_ordinary() -> None:
    heap = SnapshotBuilder()
    odd = heap.node("Odd")
    name = "1 / part of key (K @1) -> value (V @2) pair in WeakMap (table @none)"
    heap.edge(heap.root, odd, name, "internal")
    assert heap.heap().distance[odd] == 1


def test_function_maps_of_a_context_are_no_shortcut() -> None:
    heap = SnapshotBuilder()
    holder = heap.child(heap.root, 1, "(GC roots)", "synthetic")
    context = heap.child(holder, 1, "system / NativeContext", "hidden")
    far = heap.node("system / Map", "hidden")
    heap.edge(context, far, "sloppy_function_map", "internal")
    step = heap.child(context, "step", "Step")
    again = heap.child(step, "again", "Again")
    heap.edge(again, far, "map", "internal")
    assert heap.heap().distance[far] == 5


def test_values_in_descriptor_arrays_are_no_shortcut() -> None:
    heap = SnapshotBuilder()
    holder = heap.child(heap.root, 1, "(GC roots)", "synthetic")
    array = heap.child(holder, 1, "(map descriptors)", "array")
    ends = [heap.node("End") for _ in range(5)]
    for target, name in zip(ends, ["1", "2", "4", "name"], strict=False):
        heap.edge(array, target, name, "internal")
    heap.edge(array, ends[4], 7, "hidden")
    distance = heap.heap().distance
    assert distance[ends].tolist() == [3, 3, UNREACHED, 3, UNREACHED]
