from __future__ import annotations

import asyncio
import json
import logging
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tabmux.errors import Misuse
from tabmux.record.hash_chain import RunCheck, verify
from tabmux.record.record import Record
from tabmux.record.run_file_writer import RunFileWriter
from tabmux.record.run_files import find_run, picture_file, read_run, run_file, runs
from tabmux.record.run_writer import MOST_OPEN, RunWriter
from tests.record.runs import entry, written


async def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = [entry(arguments={"uid": "a1_1"}), entry("fill", code="stale_uid", error="gone")]
    run = await written(tmp_path, made)
    found = list(read_run(tmp_path, run))
    assert [each.tool for each in found] == ["click", "fill"]
    assert [each.number for each in found] == [1, 2]
    assert found[0].arguments == {"uid": "a1_1"}
    assert found[1].code == "stale_uid"
    assert runs(tmp_path)[0].session == "shop"


async def test_of_a_long_run_the_end_can_be_read(tmp_path: Path) -> None:
    run = await written(tmp_path, [entry(arguments={"n": n}) for n in range(500)])
    found = list(read_run(tmp_path, run, 10_000))
    assert 0 < len(found) < 100
    assert found[-1].arguments == {"n": 499}
    assert len(list(read_run(tmp_path, run, 10_000_000))) == 500


@pytest.mark.parametrize("name", ["", "../x", "/etc/passwd", ".x", "a/b", "x\0y"])
def test_no_name_of_a_run_leads_elsewhere(tmp_path: Path, name: str) -> None:
    with pytest.raises(Misuse):
        run_file(tmp_path, name)


async def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "record"
    run = await written(folder, [entry()])
    assert stat.S_IMODE(run_file(folder, run).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


async def test_a_run_is_found_by_the_beginning_of_its_name(tmp_path: Path) -> None:
    run = await written(tmp_path, [entry()])
    assert find_run(tmp_path, run[:-2]) == run
    assert find_run(tmp_path, "last") == run


async def test_a_picture_is_kept_once(tmp_path: Path) -> None:
    async with RunWriter(tmp_path) as writer:
        names = {Record(writer).save_picture(b"picture") for _ in range(3)}
    (name,) = names
    assert picture_file(tmp_path, name).read_bytes() == b"picture"
    assert stat.S_IMODE(picture_file(tmp_path, name).stat().st_mode) == 0o600


@contextmanager
def full_disk(room: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes for the length of the block."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


async def test_a_full_disk_is_one_warning_and_the_gap_is_told_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    async with RunWriter(tmp_path) as writer:
        run = Record(writer).open_run("calls")
        name = run.add(entry()).run
        await until_empty(writer)
        with full_disk(run_file(tmp_path, name).stat().st_size + 20):
            for _ in range(5):
                run.add(entry())
            await until_empty(writer)
        run.add(entry("fill"))
        run.end()
    assert len([each for each in caplog.records if "cannot be written" in each.message]) == 1
    assert writer.lost == 5
    lines = run_file(tmp_path, name).read_text().splitlines()
    assert json.loads(lines[2])["lost"] == 5
    assert [each.tool for each in read_run(tmp_path, name)] == ["click", "fill"]
    assert verify(tmp_path, name).faults == ()


async def test_a_run_that_begins_on_a_full_disk_is_listed_later(tmp_path: Path) -> None:
    async with RunWriter(tmp_path) as writer:
        run = Record(writer).open_run("calls")
        with full_disk(10):
            name = run.add(entry()).run
            await until_empty(writer)
        run.add(entry("fill"))
        run.end()
    assert writer.lost == 1
    assert [(each.run, each.session) for each in runs(tmp_path)] == [(name, "shop")]
    assert [each.tool for each in read_run(tmp_path, name)] == ["fill"]
    assert {"before", "lost"} == json.loads(
        run_file(tmp_path, name).read_text().splitlines()[1]
    ).keys()
    assert verify(tmp_path, name).faults == ()


async def test_a_line_is_kept_where_its_head_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with RunWriter(tmp_path) as writer:
        run = Record(writer).open_run("calls")
        name = run.add(entry()).run
        with monkeypatch.context() as patch:
            patch.setattr(os, "pwrite", _refused)
            run.add(entry("fill"))
        assert writer.lost == 0
        run.end()
    assert [each.tool for each in read_run(tmp_path, name)] == ["click", "fill"]
    assert verify(tmp_path, name).faults == ()


async def test_a_run_that_was_removed_goes_on_in_a_new_file(tmp_path: Path) -> None:
    async with RunWriter(tmp_path / "record") as writer:
        run = Record(writer).open_run("calls")
        name = run.add(entry()).run
        shutil.rmtree(tmp_path / "record")
        run.add(entry("fill"))
        run.end()
    assert [each.run for each in runs(tmp_path / "record")] == [name]
    assert [each.tool for each in read_run(tmp_path / "record", name)] == ["fill"]
    assert verify(tmp_path / "record", name) == RunCheck(3)


def open_files(folder: Path) -> int:
    """Count the descriptors of this process that lead into a folder."""
    targets = [os.readlink(each) for each in _descriptors()]
    return len([each for each in targets if each.startswith(f"{folder.resolve()}/")])


def _descriptors() -> list[str]:
    found = [f"/proc/self/fd/{each}" for each in os.listdir("/proc/self/fd")]
    return [each for each in found if os.path.islink(each)]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux lists descriptors so")
async def test_only_the_files_of_the_last_runs_stay_open(tmp_path: Path) -> None:
    async with RunWriter(tmp_path) as writer:
        record = Record(writer)
        runs_of_sessions = {f"s{n}": record.open_run("calls") for n in range(3 * MOST_OPEN)}
        for tool in ("click", "fill", "hover"):
            for session, run in runs_of_sessions.items():
                run.add(entry(tool, session=session))
        await until_empty(writer)
        # Each run has its lines and its head.
        assert open_files(tmp_path) == 2 * MOST_OPEN
        for run in runs_of_sessions.values():
            run.end()
        await writer._work.end()
        assert open_files(tmp_path) == 0
    names = [each.run for each in runs(tmp_path)]
    assert len(names) == len(runs_of_sessions)
    assert all(verify(tmp_path, name).faults == () for name in names)
    assert [each.tool for each in read_run(tmp_path, names[0])] == ["click", "fill", "hover"]


async def test_a_run_whose_end_cannot_be_written_is_let_go(tmp_path: Path) -> None:
    async with RunWriter(tmp_path) as writer:
        run = Record(writer).open_run("calls")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(RunFileWriter, "_open", _full)
            run.add(entry())
            run.end()
            await writer._work.end()
        assert not writer._runs


def _full(_: RunFileWriter) -> None:
    raise OSError(28, "No space left on device")


def _refused(*_: object) -> int:
    raise OSError(28, "No space left on device")


async def until_empty(writer: RunWriter) -> None:
    """Wait until the thread has done all that it was given."""
    async with asyncio.timeout(10):
        while writer.written + writer.lost < writer.added:
            await asyncio.sleep(0.001)


KILLED = """
import asyncio, sys
from pathlib import Path
from tabmux.record.record import Record
from tabmux.record.run_writer import MOST_OPEN, RunWriter
from tests.record.runs import entry

async def main() -> None:
    async with RunWriter(Path(sys.argv[1])) as writer:
        run = Record(writer).open_run("calls")
        number = 0
        while True:
            number += 1
            run.add(entry(diff="x" * 400))
            while writer.written < number:
                await asyncio.sleep(0)
            print(number, flush=True)

asyncio.run(main())
"""


@pytest.mark.parametrize("calls", [1, 40, 333])
def test_a_killed_writer_loses_at_most_the_line_that_it_was_writing(
    tmp_path: Path, calls: int
) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= calls:
                os.kill(process.pid, signal.SIGKILL)
                break
        told = calls + len(process.stdout.read().splitlines())
    name = runs(tmp_path)[0].run
    kept = len(list(read_run(tmp_path, name)))
    assert kept >= told
    assert verify(tmp_path, name).faults == ()
