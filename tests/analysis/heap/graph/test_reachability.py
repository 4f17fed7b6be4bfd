from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.analysis.heap.graph.reachability import SYSTEM_DISTANCE, UNREACHED, BreadthFirstSearch
from tests.analysis.heap.snapshot_builder import SnapshotBuilder

Links = list[tuple[int, int]]
links = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=80)


def heap_of(count: int, pairs: Links) -> SnapshotBuilder:
    heap = SnapshotBuilder()
    for _ in range(count - 1):
        heap.node("Thing")
    for source, target in pairs:
        heap.edge(source, target, "to")
    return heap


def steps(count: int, pairs: Links) -> list[int]:
    distance, queue = [UNREACHED] * count, deque([0])
    distance[0] = 0
    while queue:
        node = queue.popleft()
        for target in (target for source, target in pairs if source == node):
            if distance[target] == UNREACHED:
                distance[target] = distance[node] + 1
                queue.append(target)
    return distance


@pytest.mark.parametrize("wide", [0, 3, 64])
@given(pairs=links)
def test_distances_are_those_of_the_shortest_ways(wide: int, pairs: Links) -> None:
    edges = heap_of(31, pairs).graph().edges
    search = BreadthFirstSearch(edges, np.ones(len(pairs), np.bool_), wide=wide)
    search.run(np.array([0]), 0)
    assert search.distance.tolist() == steps(31, pairs)


@pytest.mark.parametrize("wide", [0, 64])
def test_edges_that_may_not_be_passed_are_not(wide: int) -> None:
    edges = heap_of(4, [(0, 1), (0, 2), (1, 3)]).graph().edges
    search = BreadthFirstSearch(edges, np.array([True, False, True]), wide=wide)
    search.run(np.array([0]), 5)
    assert search.distance.tolist() == [5, 6, UNREACHED, 7]
    assert search.reached.tolist() == [True, True, False, True]


@pytest.mark.parametrize("wide", [0, 64])
def test_gate_opens_when_its_node_has_been_reached(wide: int) -> None:
    edges = heap_of(5, [(0, 1), (0, 3), (0, 4), (1, 2), (2, 3)]).graph().edges
    # The edges from 0 and from 2 to 3 wait for each other's nodes, that to 4 for 4 itself.
    gates = np.array([-1, 2, 4, -1, 0], np.int32)
    search = BreadthFirstSearch(edges, np.ones(5, np.bool_), gates=gates, wide=wide)
    search.run(np.array([0]), 0)
    assert search.distance.tolist() == [0, 1, 2, 3, UNREACHED]


@pytest.mark.parametrize("wide", [0, 64])
def test_owner_spreads_along_the_way(wide: int) -> None:
    edges = heap_of(4, [(0, 1), (1, 2)]).graph().edges
    search = BreadthFirstSearch(
        edges, np.ones(2, np.bool_), owner=np.array([7, -1, -1, -1], np.int32), wide=wide
    )
    search.run(np.array([0]), 0)
    assert search.owner is not None
    assert search.owner.tolist() == [7, 7, 7, -1]


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
