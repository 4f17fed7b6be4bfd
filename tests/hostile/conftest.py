from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator

import pytest

from tabmux.daemon.app import App
from tabmux.settings import Settings
from tabmux.tools.pipeline import catalog
from tests.homes import home_in
from tests.serving import running


@pytest.fixture
def home() -> Iterator[dict[str, str]]:
    """An environment with a home of its own; a socket's path must be short."""
    folder = tempfile.mkdtemp(prefix="tm-", dir="/tmp")
    yield home_in(folder)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
async def everything(anyio_backend: str) -> AsyncIterator[App]:
    """A server with every tool; its browser may be closed by what is tried."""
    groups = ",".join(f"+{group}" for group in catalog.GROUPS)
    settings = Settings(
        launch=True, headless=True, isolated=True, tools=groups, no_fence=True, allow_clipboard=True
    )
    async with running(settings) as app:
        yield app
