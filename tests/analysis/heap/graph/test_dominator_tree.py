import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tabmux.analysis.heap.graph.dominator_tree import DominatorTree, immediate_dominators
from tabmux.analysis.heap.graph.graph import Ints


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


Links = list[tuple[int, int]]
links = st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), max_size=45)


def found(count: int, pairs: Links, root: int = 0) -> list[int]:
    ordered = np.array(sorted(pairs), np.int32).reshape(-1, 2)
    source: Ints = ordered[:, 0].copy()
    result: list[int] = immediate_dominators(count, root, source, ordered[:, 1].copy()).tolist()
    return result


def reachable(pairs: Links, starts: set[int], without: int | None = None) -> set[int]:
    seen, todo = set[int](), [start for start in starts if start != without]
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo += [target for source, target in pairs if source == node and target != without]
    return seen


def expected(count: int, pairs: Links) -> list[int]:
    """Find dominators by the definition: take each node away and see what goes with it."""
    held = {target for _, target in pairs}
    starts = {0} | {node for node in range(count) if node not in held}
    known = reachable(pairs, starts)
    lost = {node: known - reachable(pairs, starts, node) - {node} for node in known}
    result = [0] * count
    for node in known - {0}:
        above = [other for other in known if other != node and node in lost[other]]
        result[node] = max(above, key=lambda other: len(above_of(other, lost)), default=0)
    return result


def above_of(node: int, lost: dict[int, set[int]]) -> list[int]:
    return [other for other, below in lost.items() if node in below]


@given(links)
def test_dominators_fit_their_definition(pairs: Links) -> None:
    assert found(15, pairs) == expected(15, pairs)


def test_object_held_twice_belongs_to_whoever_holds_both() -> None:
    assert found(5, [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4)]) == [0, 0, 1, 1, 1]


def test_list_that_can_be_entered_at_both_ends_belongs_to_who_holds_the_ends() -> None:
    forth = [(i, i + 1) for i in range(1, 9)]
    back = [(i + 1, i) for i in range(1, 9)]
    assert found(10, [(0, 1), (0, 9), *forth, *back]) == [0] * 10


def test_unreachable_cycle_hangs_from_the_root_and_holds_nothing() -> None:
    pairs = [(0, 1), (1, 2), (3, 4), (4, 3), (4, 2)]
    assert found(5, pairs) == [0, 0, 1, 0, 0]


def test_root_need_not_be_the_first_node() -> None:
    assert found(3, [(2, 0), (0, 1)], root=2) == [2, 0, 2]


def test_chain_of_a_hundred_thousand_is_no_problem() -> None:
    chain = [(i, i + 1) for i in range(99_999)]
    assert found(100_000, chain) == [0, *range(99_999)]
