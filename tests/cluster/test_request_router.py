from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tabmux.cluster import keys
from tabmux.cluster.cluster import Cluster, joined_cluster
from tabmux.cluster.redis_link import RedisLink
from tests.cluster.in_process import KEY
from tests.cluster.redis_server import RedisServer, needs_redis

pytestmark = needs_redis


@pytest.fixture
async def cluster(redis: RedisServer) -> AsyncIterator[Cluster]:
    async with joined_cluster(redis.url, KEY, lambda _: "http://127.0.0.1:1") as cluster:
        yield cluster


async def test_named_session_is_not_here_before_it_was_read(
    cluster: Cluster, link: RedisLink
) -> None:
    router, member = cluster.make_router(lambda _: False), cluster.membership
    await link.ask("HSET", keys.SHARDS, "taken", f"{member.daemon} 2")
    await link.ask("HSET", keys.LABELS, "shop", "taken")
    member.epochs["taken"] = 2
    assert not await router.is_here("shop")
    await member._make_ready("taken")
    assert await router.is_here("shop")
    assert await router.is_here("new")
    member.lost.set()
    assert not await router.is_here("shop")


async def test_named_session_is_not_here_while_redis_is_away(
    cluster: Cluster, redis: RedisServer
) -> None:
    router = cluster.make_router(lambda _: False)
    redis.pause()
    try:
        assert not await router.is_here("shop")
    finally:
        redis.go_on()
