from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator

import pytest

from tests.homes import home_in

FLAGS = ("--headless", "--isolated")


@pytest.fixture(scope="package")
def daemon_home() -> Iterator[str]:
    """A home whose daemon, which the first session starts, is stopped at the end."""
    folder = tempfile.mkdtemp(prefix="tm-", dir="/tmp")
    yield folder
    stop = [sys.executable, "-m", "tabmux", "daemon", "stop"]
    subprocess.run(stop, env=home_in(folder), check=False, timeout=40)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def daemon(daemon_home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """This process as one of a user whose daemon may run or not."""
    monkeypatch.setenv("HOME", daemon_home)
    monkeypatch.delenv("TABMUX_SESSION", raising=False)
