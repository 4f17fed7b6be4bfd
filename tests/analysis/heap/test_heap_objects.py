import pytest

from tabmux.analysis.heap.faults import UnknownObject
from tabmux.analysis.heap.heap_objects import ObjectRow, details, dominator_chain
from tests.analysis.heap.snapshots import Snapshot


def test_object_is_described() -> None:
    heap = Snapshot()
    node = heap.child(heap.root, 1, "<p>", "native", size=3, state=1)
    heap.child(node, "text", "abc", "string", size=4)
    shown = details(heap.heap(), node)
    assert shown.object == ObjectRow(3, "<p>", "native", 1, 3, 7)
    assert (shown.class_name, shown.detachedness) == ("<p>", "attached")
    assert (shown.edge_count, shown.retainer_count) == (1, 1)


def test_unknown_object_is_refused_with_a_hint() -> None:
    with pytest.raises(UnknownObject) as caught:
        Snapshot().heap().node(4711)
    assert "4711" in caught.value.message
    assert caught.value.hint


def test_chain_of_dominators_ends_at_the_root() -> None:
    heap = Snapshot()
    outer = heap.child(heap.root, 1, "Outer")
    left, right = heap.child(outer, "l", "Left"), heap.child(outer, "r", "Right")
    inner = heap.child(left, "inner", "Inner")
    heap.edge(right, inner, "inner")
    assert dominator_chain(heap.heap(), inner) == [inner, outer, heap.root]
