from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tabmux.record import pruning
from tabmux.record.pruning import DAY, Limits, prune
from tabmux.record.record import Record
from tabmux.record.run_files import head_file, picture_file, read_run, run_file, runs
from tabmux.record.run_writer import RunWriter
from tests.record.runs import entry, written


async def aged(folder: Path, *days: float) -> list[str]:
    """Write runs that were last changed so many days ago."""
    made = [await written(folder, [entry(time=time.time() - each * DAY)]) for each in days]
    for run, each in zip(made, days, strict=True):
        when = time.time() - each * DAY
        os.utime(run_file(folder, run), (when, when))
    return made


def kept_picture(folder: Path, name: str, days: float, size: int = 100) -> Path:
    file = picture_file(folder, name)
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(b"x" * size)
    when = time.time() - days * DAY
    os.utime(file, (when, when))
    return file


async def test_runs_that_are_too_old_go_with_their_heads(tmp_path: Path) -> None:
    old, new = await aged(tmp_path, 8, 6)
    assert prune(tmp_path, Limits(days=7)).runs == 1
    assert [each.run for each in runs(tmp_path)] == [new]
    assert not head_file(tmp_path, old).exists()


async def test_the_oldest_runs_make_room(tmp_path: Path) -> None:
    made = await aged(tmp_path, 3, 2, 1)
    size = run_file(tmp_path, made[0]).stat().st_size
    prune(tmp_path, Limits(megabytes=2.5 * size / 1_000_000))
    assert {each.run for each in runs(tmp_path)} == set(made[1:])


async def test_pictures_go_with_the_last_run_that_may_name_them(tmp_path: Path) -> None:
    await aged(tmp_path, 8, 1)
    old, new = kept_picture(tmp_path, "old", 8), kept_picture(tmp_path, "new", 0.5)
    assert prune(tmp_path, Limits(days=7)).pictures == 1
    assert not old.exists()
    assert new.exists()


async def test_what_is_being_written_stays(tmp_path: Path) -> None:
    (run,) = await aged(tmp_path, 30)
    prune(tmp_path, Limits(days=7), keep={run})
    assert [each.run for each in runs(tmp_path)] == [run]


async def test_what_somebody_else_is_writing_stays_until_its_end(tmp_path: Path) -> None:
    async with RunWriter(tmp_path) as writer:
        run = Record(writer).open_run("calls")
        name = run.add(entry()).run
        assert prune(tmp_path, Limits(0, 0)).written == 1
        for _ in range(5):
            run.add(entry())
        assert (writer.written, writer.lost) == (6, 0)
        assert len(list(read_run(tmp_path, name))) == 6
        run.end()
        assert prune(tmp_path, Limits(0, 0)).runs == 1
    assert not list(tmp_path.glob("*"))


async def test_nothing_is_left_where_nothing_is_kept(tmp_path: Path) -> None:
    await aged(tmp_path, 0)
    new = kept_picture(tmp_path, "new", 0)
    gone = prune(tmp_path, Limits(0, 0))
    assert (gone.runs, gone.pictures) == (1, 1)
    assert not new.exists()


async def test_pictures_without_runs_make_room(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    old, new = kept_picture(tmp_path, "old", 0.01), kept_picture(tmp_path, "new", 0)
    assert prune(tmp_path, Limits(megabytes=150 / 1_000_000)).pictures == 1
    assert not old.exists()
    assert new.exists()


async def test_each_run_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await aged(tmp_path, *range(8, 18))
    kept_picture(tmp_path, "new", 0)
    read = list[Path]()
    monkeypatch.setattr(pruning, "summary", read.append)
    assert prune(tmp_path, Limits(days=7)).runs == 10
    assert len(read) == 10
