from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tabmux.settings import Settings
from tabmux.temporary_folder import PREFIX, TemporaryFolder, remove_abandoned
from tests.clock import AT_ONCE
from tests.serving import running

HOLDER = """
import sys
from tabmux.temporary_folder import OF_THIS_PROCESS
print(OF_THIS_PROCESS.make("profile"), flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def holder(temporary: Path) -> tuple[subprocess.Popen[bytes], Path]:
    pipe = subprocess.PIPE
    environment = {**os.environ, "TMPDIR": str(temporary)}
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER], stdin=pipe, stdout=pipe, env=environment
    )
    assert process.stdout is not None
    folder = Path(process.stdout.readline().decode().strip())
    assert folder.is_dir()
    return process, folder


def test_what_a_killed_process_left_is_deleted(temporary: Path) -> None:
    process, folder = holder(temporary)
    with process:
        process.send_signal(signal.SIGKILL)
    assert folder.is_dir()
    remove_abandoned()
    assert list(temporary.iterdir()) == []


async def test_server_deletes_as_it_starts_what_a_killed_one_left(temporary: Path) -> None:
    left = temporary / f"{PREFIX}left"
    left.mkdir()
    async with running(Settings(), bridged=False), asyncio.timeout(AT_ONCE):
        while left.exists():
            await asyncio.sleep(0.01)


def test_what_a_living_process_uses_is_left_alone(temporary: Path) -> None:
    process, folder = holder(temporary)
    with process:
        own = TemporaryFolder()
        mine = own.make("downloads")
        remove_abandoned()
        assert folder.is_dir()
        assert mine.is_dir()
        assert process.stdin is not None
        process.stdin.close()
        process.wait(20)
    assert not folder.exists(), "it goes with its process"
    own.remove()
    assert list(temporary.iterdir()) == []


def test_what_is_not_ours_is_left_alone(temporary: Path) -> None:
    elsewhere = temporary / "elsewhere"
    elsewhere.mkdir()
    (temporary / f"{PREFIX}link").symlink_to(elsewhere)
    (temporary / f"{PREFIX}file").write_text("kept")
    remove_abandoned()
    assert len(list(temporary.iterdir())) == 3


def test_folder_that_somebody_deleted_is_made_again() -> None:
    own = TemporaryFolder()
    shutil.rmtree(own.make("first").parent)
    assert own.make("second").is_dir()
    own.remove()


def test_folders_are_private() -> None:
    own = TemporaryFolder()
    made = own.make("replies")
    assert made.stat().st_mode & 0o077 == 0
    assert made.parent.stat().st_mode & 0o077 == 0
    own.remove()
