"""The command line, run as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from tabmux import folders


def tabmux(
    home: dict[str, str], *arguments: str, seconds: float = 40, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [sys.executable, "-m", "tabmux", *arguments],
        capture_output=True,
        text=True,
        timeout=seconds,
        env=home,
        stdin=subprocess.DEVNULL,
        cwd=folder,
        check=False,
    )


def status(home: dict[str, str]) -> Any:
    """Return what the daemon says of itself."""
    return json.loads(tabmux(home, "daemon", "status", "--json").stdout)


@contextmanager
def daemon(home: dict[str, str], *flags: str) -> Iterator[psutil.Process]:
    """Run a daemon; it is gone after the block, also when it was frozen."""
    started = tabmux(home, "daemon", "start", *flags)
    assert started.returncode == 0, started.stderr
    process = psutil.Process(status(home)["pid"])
    try:
        yield process
    finally:
        if not has_ended(process):
            process.resume()
            process.terminate()
            assert has_ended(process, 30)


def lock_file(home: dict[str, str]) -> Path:
    """Return the file that the daemon holds locked."""
    return Path(folders.daemon_lock(home["HOME"]))


def has_ended(process: psutil.Process, seconds: float = 0) -> bool:
    """Whether a process ends in time; nobody may be there to bury it."""
    end = time.monotonic() + seconds
    while True:
        try:
            if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        if time.monotonic() >= end:
            return False
        time.sleep(0.02)
