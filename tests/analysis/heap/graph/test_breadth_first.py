from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.analysis.heap.graph.breadth_first import UNREACHED, BreadthFirstSearch
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
