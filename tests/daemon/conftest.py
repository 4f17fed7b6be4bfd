from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator

import pytest

from tests.homes import home_in
from tests.mcp.fake_backend import FakeBackend


@pytest.fixture
def backend() -> FakeBackend:
    return FakeBackend()


@pytest.fixture
def home() -> Iterator[dict[str, str]]:
    """An environment with a home of its own; a socket's path must be short."""
    folder = tempfile.mkdtemp(prefix="tm-", dir="/tmp")
    yield home_in(folder)
    shutil.rmtree(folder, ignore_errors=True)
