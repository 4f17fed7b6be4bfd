from tabmux.analysis.heap.heap_snapshot import HeapSnapshot
from tests.analysis.heap.snapshot_builder import SnapshotBuilder


def plain(heap: SnapshotBuilder, *properties: str) -> int:
    node = heap.child(heap.root, 1, "Object")
    for name in properties:
        heap.child(node, name, "x", "string", size=0)
    return node


def class_name(heap: HeapSnapshot, node: int) -> str:
    return heap.classes.names[int(heap.classes.of[node])]


def test_class_follows_from_kind_and_name() -> None:
    heap = SnapshotBuilder()
    things = {
        heap.node("Map", "object"): "Map",
        heap.node("run", "closure"): "Function",
        heap.node("a+", "regexp"): "RegExp",
        heap.node("code for run", "code"): "(compiled code)",
        heap.node("system / Map", "hidden"): "(system)",
        heap.node("abc", "string"): "(string)",
        heap.node("(object elements)", "array"): "(array)",
        heap.node("<div id=a>", "native"): "<div>",
        heap.node("<br>", "native"): "<br>",
        heap.node('Detached <p class="x">', "native"): "Detached <p>",
        heap.node("blink::Node", "native"): "blink::Node",
    }
    read = heap.heap()
    assert {node: class_name(read, node) for node in things} == things


def test_classes_of_one_name_declared_in_two_places_are_two() -> None:
    heap = SnapshotBuilder()
    first, second, third = (heap.child(heap.root, i, "Widget") for i in range(3))
    heap.locate(first, 7, 1, 2)
    heap.locate(second, 7, 9, 9)
    heap.locate(third, 7, 1, 2)
    read = heap.heap()
    assert read.classes.of[first] == read.classes.of[third] != read.classes.of[second]
    assert {class_name(read, node) for node in (first, second, third)} == {"Widget"}


def test_plain_objects_go_by_properties_they_share() -> None:
    heap = SnapshotBuilder()
    points = [plain(heap, "x", "y") for _ in range(3)]
    wider = plain(heap, "x", "extra", "y", "__proto__")
    single = plain(heap, "z")
    bare = plain(heap)
    read = heap.heap()
    assert {class_name(read, node) for node in (*points, wider)} == {"{x, y}"}
    assert [class_name(read, node) for node in (single, bare)] == ["Object", "Object"]


def test_interface_that_covers_more_properties_wins() -> None:
    heap = SnapshotBuilder()
    small = [plain(heap, "x") for _ in range(5)]
    large = [plain(heap, "x", "y", "a,b") for _ in range(2)]
    read = heap.heap()
    assert {class_name(read, node) for node in small} == {"{x}"}
    assert {class_name(read, node) for node in large} == {'{x, y, "a,b"}'}


def test_interface_that_covers_fewer_properties_does_not_replace_a_wider_one() -> None:
    heap = SnapshotBuilder()
    both = [plain(heap, "x", "y") for _ in range(9)]
    one = [plain(heap, "x") for _ in range(3)]
    other = [plain(heap, "y", "z") for _ in range(2)]
    read = heap.heap()
    names = [class_name(read, nodes[0]) for nodes in (both, one, other)]
    assert names == ["{x, y}", "{x}", "{y, z}"]


def test_long_list_of_properties_is_cut_in_the_name() -> None:
    heap = SnapshotBuilder()
    names = [f"property{number}" for number in range(40)]
    nodes = [plain(heap, *names) for _ in range(2)]
    name = class_name(heap.heap(), nodes[0])
    assert len(name) < 140
    assert name.startswith("{property0, property1, ")


def test_heap_without_plain_objects_has_no_shapes() -> None:
    heap = SnapshotBuilder()
    assert heap.heap().plain_objects.properties == []
    assert class_name(heap.heap(), heap.root) == "(synthetic)"
