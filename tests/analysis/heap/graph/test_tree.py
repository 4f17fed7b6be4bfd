import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tabmux.analysis.heap.graph.tree import DominatorTree


@given(st.lists(st.integers(0, 1000), max_size=60))
def test_sums_include_all_below(picks: list[int]) -> None:
    parents = [0, *(pick % (index + 1) for index, pick in enumerate(picks))]
    weights = list(range(1, len(parents) + 1))
    totals = weights.copy()
    for node in range(len(parents) - 1, 0, -1):
        totals[parents[node]] += totals[node]
    tree = DominatorTree.of(np.array(parents, np.int32), 0)
    assert tree.sums(np.array(weights, np.int64)).tolist() == totals


@given(st.lists(st.integers(0, 1000), max_size=60))
def test_what_is_below_a_node_follows_it_without_a_gap(picks: list[int]) -> None:
    parents = [0, *(pick % (index + 1) for index, pick in enumerate(picks))]
    tree = DominatorTree.of(np.array(parents, np.int32), 0)
    assert sorted(tree.start.tolist()) == list(range(len(parents)))
    for node, parent in enumerate(parents):
        assert tree.start[parent] <= tree.start[node]
        assert tree.start[node] + tree.size[node] <= tree.start[parent] + tree.size[parent]


def test_deep_tree_takes_few_rounds() -> None:
    parents = np.maximum(np.arange(200_000, dtype=np.int32) - 1, 0)
    tree = DominatorTree.of(parents, 0)
    assert tree.size.tolist() == list(range(200_000, 0, -1))
