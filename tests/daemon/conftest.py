from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mcp.fake_backend import FakeBackend


@pytest.fixture
def backend() -> FakeBackend:
    return FakeBackend()


@pytest.fixture
def home() -> Iterator[dict[str, str]]:
    """An environment with folders of its own; a socket's path must be short."""
    folder = Path(tempfile.mkdtemp(prefix="tm-", dir="/tmp"))
    names = ("XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")
    yield {**os.environ, **{name: str(folder / name[4:8].lower()) for name in names}}
    shutil.rmtree(folder, ignore_errors=True)
