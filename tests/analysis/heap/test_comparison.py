import pytest

from tabmux.analysis.heap.comparison import HeapComparison, compare
from tabmux.errors import BadArguments
from tests.analysis.heap.snapshot_builder import SnapshotBuilder


def page(items: int, *, first_id: int = 1001, gone: int = 0) -> SnapshotBuilder:
    """Make a heap with some items, the first few of them gone."""
    heap = SnapshotBuilder()
    store = heap.child(heap.root, 1, "Store", object_id=501)
    for number in range(gone, items):
        heap.child(store, number, "Item", size=8, object_id=first_id + 2 * number)
    return heap


def counts(compared: HeapComparison) -> list[tuple[str, int, int, int, int]]:
    return [
        (c.name, c.added_count, c.removed_count, c.added_size, c.removed_size)
        for c in compared.diffs
    ]


def test_thousand_leaked_objects_are_a_thousand() -> None:
    compared = compare(page(500).heap(), page(1500).heap())
    assert compared.ids_match
    assert counts(compared) == [("Item", 1000, 0, 8000, 0)]


def test_objects_that_came_and_went_are_told_apart() -> None:
    before, after = page(500), page(510, gone=4)
    compared = compare(before.heap(), after.heap())
    assert counts(compared) == [("Item", 10, 4, 80, 32)]
    diff = compared.diff(0)
    assert (diff.count_delta, diff.size_delta) == (6, 48)
    assert compared.current.graph.nodes.id[diff.added].tolist()[0] == 1001 + 2 * 500
    assert compared.base.graph.nodes.id[diff.removed].tolist() == [1001, 1003, 1005, 1007]


def test_nothing_changed_is_no_change() -> None:
    assert compare(page(5).heap(), page(5).heap()).diffs == ()


def renumbered() -> tuple[SnapshotBuilder, SnapshotBuilder]:
    """Make two heaps whose ids were handed out anew, as across two profiler sessions."""
    before, after = page(500), page(1500)
    for row in after.nodes:
        row[2] += 4
    for number in range(200):
        before.child(before.root, number, "Other", object_id=9001 + 2 * number)
        after.child(after.root, number, "Else", object_id=9001 + 2 * number)
    return before, after


def test_leak_is_counted_even_when_ids_were_handed_out_anew() -> None:
    before, after = renumbered()
    compared = compare(before.heap(), after.heap())
    assert not compared.ids_match
    assert ("Item", 1000, 0, 8000, 0) in counts(compared)
    assert ("Other", 0, 200, 0, 2000) in counts(compared)
    assert compared.diff(0).added.tolist() == []


def test_heaps_without_a_common_id_are_not_identified() -> None:
    before, after = SnapshotBuilder(), SnapshotBuilder()
    after.nodes[0][2] = 99
    assert not compare(before.heap(), after.heap()).ids_match


def test_plain_objects_go_by_the_names_of_the_later_heap() -> None:
    before, after = SnapshotBuilder(), SnapshotBuilder()
    for heap, count in ((before, 1), (after, 3)):
        for number in range(count):
            node = heap.child(heap.root, number, "Object", object_id=101 + 2 * number)
            heap.child(node, "x", "text", "string", size=0, object_id=501 + 2 * number)
    assert counts(compare(before.heap(), after.heap())) == [("{x}", 2, 0, 20, 0)]


def test_changes_are_sorted_by_growth() -> None:
    before, after = page(500), page(501)
    after.child(after.root, 9, "Huge", size=999, object_id=7001)
    before.child(before.root, 9, "Gone", size=5, object_id=7003)
    names = [diff.name for diff in compare(before.heap(), after.heap()).diffs]
    assert names == ["Huge", "Item", "Gone"]


@pytest.mark.parametrize("index", [-1, 1])
def test_unknown_class_index_is_refused(index: int) -> None:
    with pytest.raises(BadArguments, match="1 class changed"):
        compare(page(5).heap(), page(6).heap()).diff(index)
