import pytest

from tabmux.analysis.heap.graph.detachedness import DETACHED
from tabmux.analysis.heap.object_query import find_objects
from tabmux.analysis.heap.query_options import ObjectQuery, SizeRange
from tabmux.errors import BadArguments
from tests.analysis.heap.snapshot_builder import SnapshotBuilder
from tests.analysis.heap.test_object_names import join


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
