from __future__ import annotations

import asyncio

import pytest

from tabmux.cluster.redis_link import RedisLink, RedisUnreachable, without_password
from tabmux.errors import Misuse
from tests.cluster.redis_server import RedisServer, needs_redis, redis_server
from tests.ports import free_port

pytestmark = needs_redis


async def refusal(url: str) -> str:
    with pytest.raises(Misuse) as refused:
        async with RedisLink(url):
            pass
    return refused.value.text


@pytest.mark.parametrize("url", ["", "host:6379", "http://host", "redis://host:port"])
async def test_address_that_is_none_is_refused(url: str) -> None:
    assert "is no address of a Redis" in await refusal(url)


async def test_redis_that_does_not_run_is_named() -> None:
    port = free_port()
    text = await refusal(f"redis://127.0.0.1:{port}")
    assert f"127.0.0.1:{port} cannot be reached" in text


async def test_wrong_and_missing_passwords_are_refused_without_being_shown() -> None:
    async with redis_server("--requirepass", "right") as server:
        assert "refuses us" in await refusal(server.url)
        wrong = await refusal(server.url.replace("//", "//:wrong@"))
        assert "refuses us" in wrong
        assert "wrong@" not in wrong
        async with RedisLink(server.url.replace("//", "//:right@")) as link:
            assert await link.ask("PING")


async def test_script_is_there_again_after_redis_was_started_anew(
    redis: RedisServer, link: RedisLink
) -> None:
    assert await link.run("claim", ["labels", "shards"], ["shop", "one"]) == b"one"
    await redis.kill()
    with pytest.raises(RedisUnreachable) as lost:
        await link.run("claim", ["labels", "shards"], ["shop", "one"])
    assert lost.value.code == "no_capacity"
    assert "try again in 5 s" in lost.value.text
    await redis.start()
    assert await link.run("claim", ["labels", "shards"], ["shop", "two"]) == b"two"


async def test_redis_that_hangs_is_given_up_soon(redis: RedisServer, link: RedisLink) -> None:
    redis.pause()
    try:
        with pytest.raises(RedisUnreachable):
            await link.ask("PING")
    finally:
        redis.go_on()
    assert await link.ask("PING")


async def test_task_that_ends_may_still_ask_but_not_be_cancelled_again(link: RedisLink) -> None:
    began, heard = asyncio.Event(), list[object]()

    async def work() -> None:
        try:
            began.set()
            await asyncio.get_running_loop().create_future()
        finally:
            heard.append(await link.ask("PING"))
            task = asyncio.current_task()
            assert task is not None
            asyncio.get_running_loop().call_soon(task.cancel)
            heard.append(await link.ask("PING"))

    async with asyncio.TaskGroup() as group:
        working = group.create_task(work())
        await began.wait()
        working.cancel()
    assert working.cancelled()
    assert heard == [True]


async def test_own_address_is_the_one_that_redis_is_reached_by(link: RedisLink) -> None:
    assert await link.own_address() == "127.0.0.1"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://me:secret@host/0", "redis://host/0"),
        ("redis://:p@secret@host:6379/1", "redis://host:6379/1"),
        ("redis://host:6379/0?password=secret", "redis://host:6379/0"),
        ("redis://[::1]:6379?password=secret", "redis://[::1]:6379"),
        ("unix:///run/redis.sock?password=secret", "unix:///run/redis.sock"),
        ("redis://:a/secret@host/0", "…"),
        ("redis://me:1?secret@host/0", "…"),
        ("redis://me:1#secret@host/0", "…"),
        ("redis://me:secret", "…"),
        (":secret@host:6379", "…"),
        ("host:6379", "…"),
        ("redis://[secret", "…"),
    ],
)
def test_passwords_are_not_shown(url: str, shown: str) -> None:
    assert without_password(url) == shown
