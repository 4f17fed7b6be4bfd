import gzip
import time
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from tabmux.analysis.heap.graph.snapshot_file import BadSnapshot, columns, read_snapshot_file, table
from tabmux.analysis.heap.heap_report import HeapReport
from tests.analysis.heap.snapshot_builder import SnapshotBuilder, graph_of
from tests.clock import AT_ONCE


def refusal(path: Path) -> BadSnapshot:
    """Read a file that must be refused, with a hint and at once."""
    started = time.monotonic()
    with pytest.raises(BadSnapshot) as caught:
        HeapReport.of(path)
    assert time.monotonic() - started < AT_ONCE
    assert caught.value.hint
    return caught.value


def file(tmp_path: Path, content: bytes, name: str = "a.heapsnapshot") -> Path:
    path = tmp_path / name
    path.write_bytes(content)
    return path


def test_missing_file_is_refused(tmp_path: Path) -> None:
    assert "no file" in refusal(tmp_path / "gone.heapsnapshot").message


def test_file_with_another_extension_is_refused(tmp_path: Path) -> None:
    assert ".heaptimeline" in refusal(file(tmp_path, b"{}", "a.json")).hint


def test_empty_file_is_refused(tmp_path: Path) -> None:
    assert "empty" in refusal(file(tmp_path, b"")).message
    assert "empty" in refusal(file(tmp_path, b" \n ")).message


def test_folder_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "folder.heapsnapshot"
    path.mkdir()
    assert "cannot be read" in refusal(path).message


def test_file_that_is_not_json_is_refused(tmp_path: Path) -> None:
    assert "not JSON" in refusal(file(tmp_path, b"\x00\x01binary")).message


def test_file_that_ends_too_early_is_refused(tmp_path: Path) -> None:
    whole = msgspec.json.encode(SnapshotBuilder().data())
    assert "cut off" in refusal(file(tmp_path, whole[:-40])).message


def test_file_that_is_nested_without_end_is_refused(tmp_path: Path) -> None:
    deep = b'{"other":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    assert "nested" in refusal(file(tmp_path, deep)).message


def test_large_file_that_ends_too_early_is_refused_at_once(tmp_path: Path) -> None:
    start = b'{"snapshot":{},"nodes":[' + b"1,2,3,4,5,6," * 2_000_000
    assert "cut off" in refusal(file(tmp_path, start)).message


def test_json_that_is_something_else_is_refused(tmp_path: Path) -> None:
    assert "snapshot" in refusal(file(tmp_path, b'{"traceEvents":[]}')).message


def test_file_with_a_hole_is_refused(tmp_path: Path) -> None:
    whole = msgspec.json.encode(SnapshotBuilder().data())
    assert (
        "damaged" in refusal(file(tmp_path, whole.replace(b'"edges":[', b'"edges":['[:-1]))).message
    )
    assert "damaged" in refusal(file(tmp_path, whole.replace(b'"value"', b'"\xff\xfe"'))).message


def test_negative_count_is_refused(tmp_path: Path) -> None:
    data = SnapshotBuilder().data()
    data["snapshot"]["node_count"] = -1
    refusal(file(tmp_path, msgspec.json.encode(data)))


def test_compressed_snapshot_is_read(tmp_path: Path) -> None:
    whole = msgspec.json.encode(SnapshotBuilder().data())
    path = file(tmp_path, gzip.compress(whole), "a.heapsnapshot.gz")
    assert read_snapshot_file(path).snapshot.node_count == 1


@pytest.mark.parametrize("content", [b"not gzip at all", gzip.compress(b"x" * 999, mtime=0)[:-20]])
def test_damaged_compression_is_refused(tmp_path: Path, content: bytes) -> None:
    assert "cannot be read" in refusal(file(tmp_path, content, "a.heapsnapshot.gz")).message


def test_half_a_surrogate_pair_becomes_a_replacement_character(tmp_path: Path) -> None:
    data = SnapshotBuilder().data()
    data["strings"] += ["LONE", "ESCAPED", "\U0001f600"]
    whole = msgspec.json.encode(data)
    whole = whole.replace(b"LONE", rb"a\ud83db").replace(b"ESCAPED", rb"\\ud83d\"")
    whole = whole.replace("\U0001f600".encode(), rb"\ud83d\ude00")
    assert read_snapshot_file(file(tmp_path, whole)).strings[3:] == [
        "a�b",
        r'\ud83d"',
        "\U0001f600",
    ]


def test_snapshot_in_a_timeline_file_is_read(tmp_path: Path) -> None:
    assert HeapReport.of(SnapshotBuilder().write(tmp_path / "a.heaptimeline")).heap.total == 0


def family() -> SnapshotBuilder:
    heap = SnapshotBuilder()
    parent = heap.child(heap.root, 1, "Parent")
    child = heap.child(parent, "child", "Child", size=20)
    heap.edge(child, parent, "parent")
    return heap


def test_references_lead_from_object_to_object() -> None:
    graph = family().graph()
    assert list(graph.edges.leaving(1)) == [1]
    assert graph.edges.target.tolist() == [1, 2, 1]
    assert graph.edges.source.tolist() == [0, 1, 2]
    assert graph.retaining_edges(1).tolist() == [0, 2]


def test_columns_may_stand_in_any_order() -> None:
    data = family().data()
    meta, nodes = data["snapshot"]["meta"], data["nodes"]
    meta["node_fields"] = meta["node_fields"][::-1]
    meta["node_types"] = meta["node_types"][::-1]
    data["nodes"] = [n for i in range(0, len(nodes), 6) for n in reversed(nodes[i : i + 6])]
    assert graph_of(data).nodes.size.tolist() == [0, 10, 20]


def test_root_may_stand_last() -> None:
    data = family().data()
    data["snapshot"]["root_index"] = 12
    assert graph_of(data).root == 2


def test_older_snapshot_without_extra_tables_is_read() -> None:
    data = family().data()
    for name in ("location_fields", "scope_fields", "scope_context_var_fields", "scope_use_fields"):
        del data["snapshot"]["meta"][name]
    for name in ("locations", "scopes", "scope_context_vars", "scope_uses"):
        del data[name]
    graph = graph_of(data)
    assert graph.locations.shape == (0, 4)
    assert graph.scopes.scopes.shape == (0, 5)


def change(data: dict[str, Any], place: str, index: int, value: int) -> dict[str, Any]:
    data[place][index] = value
    return data


@pytest.mark.parametrize(
    ("place", "index", "value"),
    [
        ("nodes", 0, 99),  # a kind of object
        ("nodes", 1, 999),  # a name
        ("nodes", 1, -1),
        ("nodes", 4, 7),  # a number of references
        ("edges", 0, 99),  # a kind of reference
        ("edges", 4, 999),  # a property's name
        ("edges", 2, 600),  # an object
        ("edges", 2, 7),  # between two objects
    ],
)
def test_pointer_to_nowhere_is_refused(place: str, index: int, value: int) -> None:
    with pytest.raises(BadSnapshot):
        graph_of(change(family().data(), place, index, value))


def test_negative_number_of_references_is_refused() -> None:
    data = change(change(family().data(), "nodes", 4, -1), "nodes", 10, 3)
    with pytest.raises(BadSnapshot):
        graph_of(data)


def test_heap_without_objects_is_refused() -> None:
    data = family().data()
    data["snapshot"] |= {"node_count": 0, "edge_count": 0}
    data |= {"nodes": [], "edges": []}
    with pytest.raises(BadSnapshot, match="no objects"):
        graph_of(data)


@pytest.mark.parametrize("types", [[], ["string", "s", "n", "n", "n", "n"]])
def test_snapshot_without_kinds_is_refused(types: list[str]) -> None:
    data = family().data()
    data["snapshot"]["meta"]["node_types"] = types
    with pytest.raises(BadSnapshot, match="kinds"):
        graph_of(data)


def test_first_of_several_internal_references_is_followed() -> None:
    heap = SnapshotBuilder()
    first = heap.inside(heap.root, "map", "First")
    heap.inside(heap.root, "map", "Second")
    heap.child(heap.root, "shape", "Property")
    assert heap.graph().follow("map").tolist() == [first, -1, -1, -1]
    assert heap.graph().follow("shape").tolist() == [-1] * 4


def raw(text: str) -> msgspec.Raw:
    return msgspec.Raw(text.encode())


def test_columns_are_read_across_chunks() -> None:
    numbers = ",".join(str(number) for number in range(300))
    read = columns(
        raw(f"[{numbers}]"), ["a", "b", "c"], {"c": np.int32, "a": np.int64}, 100, chunk=16
    )
    assert read["a"].tolist() == list(range(0, 300, 3))
    assert read["c"].tolist() == list(range(2, 300, 3))


def test_white_space_between_numbers_is_skipped() -> None:
    assert table(raw("[ 1 ,2\n,3,\r\n\t-4 ]"), 2).tolist() == [[1, 2], [3, -4]]
    assert table(raw("[ ]"), 2).tolist() == []


def test_missing_column_is_named() -> None:
    with pytest.raises(BadSnapshot, match="self_size"):
        columns(raw("[]"), ["type"], {"type": np.uint8, "self_size": np.int64}, 0)


@pytest.mark.parametrize("text", ["[1,2]", "[1,2,3,4,5,6,7,8]", "[1000,1000]"])
def test_wrong_number_of_rows_is_refused(text: str) -> None:
    with pytest.raises(BadSnapshot, match="announces 3 rows"):
        columns(raw(text), ["a", "b"], {"a": np.int64}, 3)


@pytest.mark.parametrize("text", ["[1,2,3]", "[1,x]", "[1,,2]", "[1.5,2]", "{}", "null"])
def test_what_is_no_table_of_integers_is_refused(text: str) -> None:
    with pytest.raises(BadSnapshot):
        table(raw(text), 2)


def test_endless_number_is_refused() -> None:
    with pytest.raises(BadSnapshot, match="integers"):
        table(raw("[" + "1" * 100 + "]"), 1, chunk=16)
