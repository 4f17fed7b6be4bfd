from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bridge.served_bridge import ServedBridge, serve_bridge


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[ServedBridge]:
    """A bridge with no keys yet."""
    async with serve_bridge(tmp_path) as served:
        yield served
