from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tabmux.daemon.app import App
from tests.extension.everyday_browser import EverydayBrowser
from tests.extension.lending_server import LendingServer, lent_browser


@pytest.fixture(scope="session")
async def lent(anyio_backend: str) -> AsyncIterator[tuple[LendingServer, EverydayBrowser]]:
    """One everyday browser for the whole run, paired."""
    async with lent_browser() as both:
        yield both


@pytest.fixture(scope="session")
async def app(lent: tuple[LendingServer, EverydayBrowser]) -> App:
    """In place of the app of the other tests: its browser is reached through the extension."""
    return lent[0].app
