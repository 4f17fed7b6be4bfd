import pytest

from tabmux.analysis.heap.graph.detachedness import DETACHED
from tabmux.analysis.heap.heap_objects import (
    ObjectRow,
    details,
    dominator_chain,
    find_objects,
    references,
    retainers,
)
from tabmux.analysis.heap.heap_snapshot import HeapSnapshot, UnknownObject
from tabmux.analysis.heap.query_options import ObjectQuery, SizeRange
from tabmux.errors import BadArguments
from tests.analysis.heap.snapshot_builder import SnapshotBuilder
from tests.analysis.heap.test_object_names import join


def test_object_is_described() -> None:
    heap = SnapshotBuilder()
    node = heap.child(heap.root, 1, "<p>", "native", size=3, state=1)
    heap.child(node, "text", "abc", "string", size=4)
    shown = details(heap.heap(), node)
    assert shown.object == ObjectRow(3, "<p>", "native", 1, 3, 7)
    assert (shown.class_name, shown.detachedness) == ("<p>", "attached")
    assert (shown.edge_count, shown.retainer_count) == (1, 1)


def test_unknown_object_is_refused_with_a_hint() -> None:
    with pytest.raises(UnknownObject) as caught:
        SnapshotBuilder().heap().node(4711)
    assert "4711" in caught.value.message
    assert caught.value.hint


def test_chain_of_dominators_ends_at_the_root() -> None:
    heap = SnapshotBuilder()
    outer = heap.child(heap.root, 1, "Outer")
    left, right = heap.child(outer, "l", "Left"), heap.child(outer, "r", "Right")
    inner = heap.child(left, "inner", "Inner")
    heap.edge(right, inner, "inner")
    assert dominator_chain(heap.heap(), inner) == [inner, outer, heap.root]


def targets(heap: HeapSnapshot, edges: list[int]) -> list[str]:
    return [heap.names.node(int(heap.graph.edges.target[edge])) for edge in edges]


def test_retainers_near_the_roots_come_first() -> None:
    heap = SnapshotBuilder()
    near = heap.child(heap.root, 1, "Near")
    far = heap.child(near, "far", "Far")
    lost = heap.node("Lost")
    weak = heap.child(heap.root, 2, "Weak")
    held = heap.node("Held")
    for source in (lost, far, near, heap.root):
        heap.edge(source, held, "held")
    heap.edge(weak, held, "held", "weak")
    read = heap.heap()
    edges = retainers(read, held)
    assert read.graph.edges.source[edges].tolist() == [near, far, lost]


def household() -> tuple[SnapshotBuilder, int]:
    heap = SnapshotBuilder()
    node = heap.child(heap.root, 1, "House")
    heap.child(node, "__proto__", "Prototype", size=5)
    heap.child(node, 10, "Tenth", size=5)
    heap.child(node, 9, "Ninth", size=5)
    heap.child(node, "b", "B", size=5)
    heap.child(node, "a", "A", size=5)
    heavy = heap.child(node, "c", "C", size=1)
    heap.child(heavy, "d", "D", size=90)
    heap.child(node, "n", "int", "number", size=7)
    heap.child(node, "t", "true", "native", size=7)
    return heap, node


def test_references_are_sorted_by_what_they_retain_then_by_name() -> None:
    heap, node = household()
    read = heap.heap()
    names = targets(read, references(read, node).tolist())
    assert names == ["C", "A", "B", "Ninth", "Tenth", "Prototype"]


def test_references_are_sorted_by_own_size_or_name() -> None:
    heap, node = household()
    read = heap.heap()
    by_size = targets(read, references(read, node, "selfSize").tolist())
    by_name = targets(read, references(read, node, "name", primitives=True).tolist())
    assert by_size[-1] == "C"
    assert by_name == ["A", "B", "C", "int", "true", "Ninth", "Tenth", "Prototype"]


def test_references_can_be_limited_to_a_range_of_sizes() -> None:
    heap, node = household()
    read = heap.heap()
    assert targets(read, references(read, node, retained=SizeRange(90, 100)).tolist()) == ["C"]
    assert "C" not in targets(read, references(read, node, retained=SizeRange(0, 50)).tolist())


def test_references_cannot_be_sorted_by_anything_else() -> None:
    heap, node = household()
    with pytest.raises(BadArguments):
        references(heap.heap(), node, "colour")  # type: ignore[arg-type]  # what an agent may send


@pytest.fixture
def heap() -> SnapshotBuilder:
    heap = SnapshotBuilder()
    user = heap.child(heap.root, "user", "User", size=30)  # 1
    heap.child(user, "name", "Ada", "string", size=5)  # 2
    heap.child(user, 7, "<p>", "native", size=40, state=DETACHED)  # 3
    plain = heap.child(heap.root, "plain", "Object", size=20)  # 4
    heap.child(plain, "address", "Street (1", "string", size=6)  # 5
    heap.child(heap.root, "run", "run", "closure", size=1)  # 6
    first, second = heap.node("AB", "string", size=0), heap.node("CD", "string", size=0)
    heap.edge(heap.root, join(heap, first, second), "joined")  # 7, 8, 9
    return heap


@pytest.mark.parametrize(
    ("query", "nodes"),
    [
        (ObjectQuery(class_name="^user$"), [1]),
        (ObjectQuery(class_name="street (1"), [5]),  # no regular expression, so plain text
        (ObjectQuery(class_name="address}"), [4]),
        (ObjectQuery(class_name="BC"), [9]),
        (ObjectQuery(class_name="^Function$"), [6]),
        (ObjectQuery(property_name="^na"), [1]),
        (ObjectQuery(property_name="^7$"), [1]),
        (ObjectQuery(node_type="Closure"), [6]),
        (ObjectQuery(detached=True), [3]),
        (ObjectQuery(retained_size=SizeRange(70, 80)), [1]),
        (ObjectQuery(self_size=SizeRange(20, 30), order="id"), [1, 4]),
        (ObjectQuery(self_size=SizeRange(20), order="selfSize"), [3, 1, 4]),
        (ObjectQuery(self_size=SizeRange(20)), [1, 3, 4]),
        (ObjectQuery(class_name="user", node_type="string"), []),
    ],
)
def test_objects_that_fit_are_found(
    heap: SnapshotBuilder, query: ObjectQuery, nodes: list[int]
) -> None:
    assert find_objects(heap.heap(), query).tolist() == nodes


def test_objects_that_are_not_detached_are_found(heap: SnapshotBuilder) -> None:
    assert 3 not in find_objects(heap.heap(), ObjectQuery(detached=False)).tolist()


def test_property_is_searched_in_a_heap_without_indexes() -> None:
    heap = SnapshotBuilder()
    heap.child(heap.root, "a", "A")
    assert find_objects(heap.heap(), ObjectQuery(property_name="a")).tolist() == [0]


def test_unknown_type_is_refused_with_a_list(heap: SnapshotBuilder) -> None:
    with pytest.raises(BadArguments) as caught:
        find_objects(heap.heap(), ObjectQuery(node_type="banana"))
    assert "closure" in caught.value.hint


def test_unknown_order_is_refused(heap: SnapshotBuilder) -> None:
    with pytest.raises(BadArguments):
        find_objects(heap.heap(), ObjectQuery(order="colour"))  # type: ignore[arg-type]  # what an agent may send
