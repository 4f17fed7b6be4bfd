from __future__ import annotations

import pytest

from tests.mcp.fake_backend import FakeBackend


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def backend() -> FakeBackend:
    return FakeBackend()
