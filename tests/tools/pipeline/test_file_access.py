from __future__ import annotations

import os
import resource
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tabmux.errors import BadArguments, Refused, SystemLimit, TabmuxError
from tabmux.policy.file_policy import FilePolicy
from tabmux.tools.pipeline.file_access import created, load, save, save_temporary
from tests.agent import Agent

SECRET = b"the canary sings"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").write_bytes(SECRET)
    return tmp_path / "outside"


async def test_file_is_private_and_its_folders_are_made(anyio_backend: str, tmp_path: Path) -> None:
    path = await save(tmp_path.resolve() / "a" / "b" / "file", b"data")
    assert path.read_bytes() == b"data"
    assert path.stat().st_mode & 0o777 == 0o600
    assert await load(path) == b"data"


async def test_link_in_the_place_of_a_file_is_neither_followed_nor_replaced(
    anyio_backend: str, outside: Path
) -> None:
    link = outside.parent.resolve() / "root" / "link"
    os.symlink(outside / "file", link)
    with pytest.raises(Refused):
        await save(link, b"overwritten")
    with pytest.raises(BadArguments):
        await load(link)
    assert (outside / "file").read_bytes() == SECRET
    assert link.is_symlink()


async def test_folder_swapped_for_a_link_after_the_check_is_not_entered(
    anyio_backend: str, outside: Path
) -> None:
    root = outside.parent.resolve() / "root"
    (root / "sub").mkdir()
    (root / "sub" / "file").write_bytes(b"harmless")
    policy = FilePolicy([root])
    reading, writing = (
        policy.readable(str(root / "sub/file")),
        policy.writable(str(root / "sub/new")),
    )
    (root / "sub").rename(root / "moved")
    os.symlink(outside, root / "sub")
    with pytest.raises(BadArguments):
        await load(reading)
    with pytest.raises(BadArguments):
        await save(writing, b"data")
    assert sorted(os.listdir(outside)) == ["file"]


async def test_second_name_of_a_file_is_cut_off_when_written_and_never_read(
    anyio_backend: str, outside: Path
) -> None:
    name = outside.parent.resolve() / "root" / "name"
    os.link(outside / "file", name)
    with pytest.raises(Refused):
        await load(name)
    await save(name, b"new")
    assert (name.read_bytes(), (outside / "file").read_bytes()) == (b"new", SECRET)


async def test_pipes_and_devices_are_not_opened(anyio_backend: str, tmp_path: Path) -> None:
    pipe = tmp_path.resolve() / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(Refused):
        await load(pipe)
    with pytest.raises(Refused):
        await save(pipe, b"data")


def test_what_fails_halfway_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path.resolve() / "file"
    path.write_bytes(b"before")

    def fail() -> None:
        with created(path) as file:
            file.write(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["file"]


async def test_no_race_gets_outside(anyio_backend: str, outside: Path) -> None:
    """Somebody swaps a folder and a link to the outside as fast as they can, meanwhile."""
    root = outside.parent.resolve() / "root"
    (root / "real").mkdir()
    (root / "real" / "file").write_bytes(b"harmless")
    os.symlink(outside, root / "bait")
    (root / "real").rename(root / "place")
    policy, stop = FilePolicy([root]), threading.Event()

    def swap() -> None:
        while not stop.is_set():
            os.rename(root / "place", root / "kept")
            os.rename(root / "bait", root / "place")
            os.rename(root / "place", root / "bait")
            os.rename(root / "kept", root / "place")

    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        for _ in range(300):
            try:
                assert await load(policy.readable(str(root / "place/file"))) == b"harmless"
            except TabmuxError:
                continue
    finally:
        stop.set()
        swapping.join()
    assert sorted(os.listdir(outside)) == ["file"]
    assert (outside / "file").read_bytes() == SECRET


@contextmanager
def full_disk() -> Iterator[None]:
    """No file may grow beyond a few bytes, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_file_that_does_not_fit_says_so_and_leaves_nothing(
    anyio_backend: str, tmp_path: Path
) -> None:
    with full_disk(), pytest.raises(SystemLimit, match="File too large") as caught:
        await save(tmp_path.resolve() / "file", bytes(2000))
    assert caught.value.code == "disk_full"
    assert "Free some room" in caught.value.hint
    assert list(tmp_path.iterdir()) == []


async def test_temporary_file_that_does_not_fit_leaves_nothing(
    anyio_backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with full_disk(), pytest.raises(OSError, match="File too large"):
        await save_temporary(".png", bytes(2000))
    assert list(tmp_path.iterdir()) == []


async def test_tools_say_that_the_disk_is_full_and_still_answer(agent: Agent) -> None:
    await agent.open("<p>A page")
    with full_disk():
        code, text = await agent.fails("take_screenshot", filePath="/tmp/tabmux-full/shot.png")
        whole = await agent("evaluate_script", function="() => 'word '.repeat(30000)")
    assert code == "disk_full"
    assert "Free some room" in text
    assert "the whole reply could not be saved: File too large" in whole
