from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bridge.place import Place, bridging


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    """A bridge with no keys yet."""
    async with bridging(tmp_path) as place:
        yield place
