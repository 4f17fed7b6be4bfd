from __future__ import annotations

import base64
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tabmux.browsers.grid import grid_files
from tabmux.browsers.grid.grid_files import packed, unpack
from tabmux.errors import BrowserTrouble


def test_a_file_comes_out_as_it_went_in(tmp_path: Path) -> None:
    file, target = tmp_path / "a.txt", tmp_path / "b.txt"
    file.write_bytes(b"some text " * 1_000_000)
    unpack({"value": {"contents": packed(file)}}, "a.txt", target)
    assert target.read_bytes() == file.read_bytes()


@pytest.mark.parametrize(
    "answer",
    [
        None, {}, [], {"value": None}, {"value": {"contents": None}}, {"value": {"contents": 7}},
        {"value": {"contents": "no base64!"}}, {"value": {"contents": "\u00e9"}},
        {"value": {"contents": base64.b64encode(b"no archive").decode()}},
    ],
)  # fmt: skip
def test_an_answer_that_is_no_file_is_said_to_be_none(answer: Any, tmp_path: Path) -> None:
    with pytest.raises(BrowserTrouble, match="no file"):
        unpack(answer, "a.txt", tmp_path / "b.txt")
    assert not list(tmp_path.iterdir())


def test_an_encrypted_file_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"text")
    archive = bytearray(base64.b64decode(packed(tmp_path / "a.txt")))
    directory = archive.index(b"PK\x01\x02")
    archive[6] |= 1
    archive[directory + 8] |= 1
    answer = {"value": {"contents": base64.b64encode(archive).decode()}}
    with pytest.raises(BrowserTrouble, match="no file"):
        unpack(answer, "a.txt", tmp_path / "b.txt")
    assert not (tmp_path / "b.txt").exists()


def test_a_file_that_would_fill_the_disk_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", bytes(1_000_000))
    monkeypatch.setattr(grid_files, "LARGEST_UNPACKED", 999_999)
    with pytest.raises(BrowserTrouble, match="too large"):
        unpack(
            {"value": {"contents": base64.b64encode(buffer.getvalue()).decode()}},
            "a.txt",
            tmp_path / "b.txt",
        )
    assert not list(tmp_path.iterdir())
