from __future__ import annotations

import pytest

from tests.mcp.workshop import Workshop


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def shop() -> Workshop:
    return Workshop()
