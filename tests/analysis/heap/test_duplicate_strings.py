from tabmux.analysis.heap.duplicate_strings import duplicate_strings
from tests.analysis.heap.snapshot_builder import SnapshotBuilder
from tests.analysis.heap.test_object_names import join


def test_repeated_strings_are_found_heaviest_first() -> None:
    heap = SnapshotBuilder()
    once = heap.node("once", "string")
    light = [heap.node("light", "string", size=1) for _ in range(3)]
    heavy = [heap.node("heavy", "string", size=9) for _ in range(2)]
    found = duplicate_strings(heap.heap())
    assert [(r.value, r.nodes.tolist(), r.self_size) for r in found] == [
        ("heavy", heavy, 18),
        ("light", light, 3),
    ]
    assert not any(r.truncated for r in found)
    assert once


def test_joined_string_counts_by_its_text() -> None:
    heap = SnapshotBuilder()
    left, right, whole = (heap.node(text, "string") for text in ("ab", "cd", "abcd"))
    joined = join(heap, left, right)
    assert [r.nodes.tolist() for r in duplicate_strings(heap.heap())] == [[whole, joined]]


def test_joined_string_with_an_empty_part_only_stands_for_the_other() -> None:
    heap = SnapshotBuilder()
    text, empty = heap.node("text", "string"), heap.node("", "string")
    join(heap, text, empty)
    assert duplicate_strings(heap.heap()) == []


def test_joined_strings_too_long_to_compare_are_left_out() -> None:
    heap = SnapshotBuilder()
    long, tail = heap.node("x" * 1024, "string"), heap.node("tail", "string")
    join(heap, long, tail)
    join(heap, long, long)
    assert duplicate_strings(heap.heap()) == []


def cut(heap: SnapshotBuilder, length: int, code: int) -> int:
    node = heap.node("y" * 1024, "string")
    heap.number(node, "truncated", "true", "bool")
    heap.number(node, "length", length)
    heap.number(node, "hash", code)
    return node


def test_strings_v8_cut_off_are_told_apart_by_length_and_hash() -> None:
    heap = SnapshotBuilder()
    first, _, _, second = (
        cut(heap, *rest) for rest in [(2000, 1), (2000, 2), (3000, 1), (2000, 1)]
    )
    (found,) = duplicate_strings(heap.heap())
    assert found.nodes.tolist() == [first, second]
    assert found.truncated


def test_number_that_cannot_be_read_tells_nothing() -> None:
    heap = SnapshotBuilder()
    for text in ("12x", "13x"):
        node = heap.node("z" * 1024, "string")
        heap.number(node, "truncated", "true", "bool")
        heap.number(node, "length", text)
        heap.number(node, "hash", 1)
    assert len(duplicate_strings(heap.heap())) == 1


def test_strings_as_long_as_v8_writes_may_differ_behind_that() -> None:
    heap = SnapshotBuilder()
    for _ in range(2):
        heap.node("z" * 1024, "string")
    assert duplicate_strings(heap.heap())[0].truncated
