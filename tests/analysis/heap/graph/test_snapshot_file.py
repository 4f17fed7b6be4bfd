import gzip
import time
from pathlib import Path

import msgspec
import pytest

from tabmux.analysis.heap.graph.snapshot_file import BadSnapshot, read_snapshot_file
from tabmux.analysis.heap.loader import load
from tests.analysis.heap.snapshot_builder import SnapshotBuilder
from tests.clock import AT_ONCE


def refusal(path: Path) -> BadSnapshot:
    """Read a file that must be refused, with a hint and at once."""
    started = time.monotonic()
    with pytest.raises(BadSnapshot) as caught:
        load(path)
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
    assert load(SnapshotBuilder().write(tmp_path / "a.heaptimeline")).heap.total == 0
