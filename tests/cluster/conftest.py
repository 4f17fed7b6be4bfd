from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tabmux.cluster.redis_link import RedisLink
from tests.cluster.redis_server import RedisServer, redis_server


@pytest.fixture
async def redis() -> AsyncIterator[RedisServer]:
    async with redis_server() as server:
        yield server


@pytest.fixture
async def link(redis: RedisServer) -> AsyncIterator[RedisLink]:
    async with RedisLink(redis.url) as link:
        yield link
