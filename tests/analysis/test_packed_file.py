from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tabmux.analysis import packed_file
from tabmux.analysis.heap.graph.snapshot_file import read_snapshot_file
from tabmux.analysis.packed_file import PackedFile
from tabmux.analysis.trace import json_stream
from tabmux.analysis.trace.trace import read_trace
from tabmux.errors import TabmuxError

MIB = 1 << 20


def test_file_is_read_whole_or_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "file.gz"
    path.write_bytes(gzip.compress(b"0123456789" * 1000))
    with PackedFile(path) as file:
        assert len(file.read()) == 10_000
    with PackedFile(path) as file:
        assert b"".join(iter(lambda: file.read(999), b"")) == b"0123456789" * 1000


@pytest.mark.parametrize("size", [-1, 1000])
def test_file_that_unpacks_without_end_is_given_up_early(tmp_path: Path, size: int) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(bytes(20 * MIB)))
    with PackedFile(path, always=MIB) as file:
        with pytest.raises(OSError, match="more than 100 times its size"):
            list(iter(lambda: file.read(size), b""))
        assert file.tell() < 3 * MIB


@pytest.mark.parametrize("read", [read_trace, read_snapshot_file])
def test_bomb_is_no_trace_and_no_heap_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: object
) -> None:
    monkeypatch.setattr(packed_file.PackedFile.__init__, "__defaults__", (MIB,))
    monkeypatch.setattr(json_stream, "most_unpacked", lambda packed: MIB)
    path = tmp_path / "bomb.heapsnapshot.gz"
    path.write_bytes(gzip.compress(b'{"traceEvents":[' + b" " * (40 * MIB)))
    with pytest.raises(TabmuxError, match="more than 100 times its size"):
        read(path)  # type: ignore[operator]
