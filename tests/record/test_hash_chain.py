from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tabmux.record.hash_chain import verify
from tabmux.record.run_files import head_file, read_run, run_file
from tests.record.runs import entry, written

Lines = list[bytes]


def changed(lines: Lines) -> Lines:
    return [*lines[:2], lines[2].replace(b"fill", b"file"), *lines[3:]]


def removed(lines: Lines) -> Lines:
    return [*lines[:2], *lines[3:]]


def reordered(lines: Lines) -> Lines:
    return [lines[0], lines[2], lines[1], *lines[3:]]


def cut_off(lines: Lines) -> Lines:
    return lines[:-1]


def last_changed(lines: Lines) -> Lines:
    return [*lines[:-1], lines[-1].replace(b"ended", b"endet")]


@pytest.mark.parametrize("tamper", [changed, removed, reordered, cut_off, last_changed])
async def test_what_was_done_to_a_run_is_noticed(
    tmp_path: Path, tamper: Callable[[Lines], Lines]
) -> None:
    run = await written(tmp_path, [entry(), entry("fill"), entry("hover")])
    assert verify(tmp_path, run).faults == ()
    file = run_file(tmp_path, run)
    file.write_bytes(b"".join(tamper(file.read_bytes().splitlines(keepends=True))))
    assert len(verify(tmp_path, run).faults) >= 1


async def test_a_line_that_was_being_written_is_no_fault(tmp_path: Path) -> None:
    run = await written(tmp_path, [entry(), entry("fill")], end=False)
    with run_file(tmp_path, run).open("ab") as file:
        file.write(b'{"before":"')
    check = verify(tmp_path, run)
    assert check.faults == ()
    assert "was being written" in check.notes[0]
    assert [each.tool for each in read_run(tmp_path, run)] == ["click", "fill"]


async def test_a_missing_head_is_told(tmp_path: Path) -> None:
    run = await written(tmp_path, [entry()])
    head_file(tmp_path, run).unlink()
    assert "head is missing" in verify(tmp_path, run).notes[0]
