from tests.analysis.heap.snapshot_builder import SnapshotBuilder


def join(heap: SnapshotBuilder, first: int, second: int) -> int:
    node = heap.node("(concatenated string)", "concatenated string")
    heap.edge(node, first, "first", "internal")
    heap.edge(node, second, "second", "internal")
    return node


def test_joined_string_is_named_by_its_text() -> None:
    heap = SnapshotBuilder()
    left, right = heap.node("left ", "string"), heap.node("right", "string")
    whole = join(heap, join(heap, left, right), join(heap, right, left))
    assert heap.heap().names.node(whole) == "left rightrightleft "


def test_long_chain_of_joined_strings_is_put_together_as_far_as_needed() -> None:
    heap = SnapshotBuilder()
    text = heap.node("start ", "string")
    piece = heap.node("piece ", "string")
    for _ in range(3000):
        text = join(heap, text, piece)
    name = heap.heap().names.node(text)
    assert name.startswith("start piece piece ")
    assert 1024 <= len(name) < 1100


def test_joined_string_that_contains_itself_comes_to_an_end() -> None:
    heap = SnapshotBuilder()
    text = heap.node("abc", "string")
    node = heap.node("(concatenated string)", "concatenated string")
    heap.edge(node, text, "first", "internal")
    heap.edge(node, node, "second", "internal")
    assert heap.heap().names.node(node).startswith("abc")


def test_joined_string_without_parts_is_empty() -> None:
    heap = SnapshotBuilder()
    node = heap.node("(concatenated string)", "concatenated string")
    assert heap.heap().names.node(node) == ""


def test_plain_object_is_named_by_its_properties() -> None:
    heap = SnapshotBuilder()
    node = heap.child(heap.root, 1, "Object")
    for name in ("a", "b c", "d,e", "__proto__"):
        heap.child(node, name, "x", "string")
    heap.inside(node, "map", "system / Map")
    assert heap.heap().names.node(node) == '{a, b c, "d,e"}'


def test_plain_object_with_many_properties_shows_the_first() -> None:
    heap = SnapshotBuilder()
    node = heap.child(heap.root, 1, "Object")
    for number in range(40):
        heap.child(node, f"property{number}", "x", "string")
    name = heap.heap().names.node(node)
    assert name.startswith("{property0, property1, ")
    assert name.endswith(", …}")
    assert len(name) < 120


def test_reference_is_named_by_its_name_or_index() -> None:
    heap = SnapshotBuilder()
    heap.child(heap.root, 12, "Element")
    heap.child(heap.root, "title", "Property")
    names = heap.heap().names
    assert [names.edge(0), names.edge(1)] == ["12", "title"]
