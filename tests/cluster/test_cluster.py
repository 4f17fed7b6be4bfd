"""Daemons of a cluster, in one process: requests find their sessions wherever they arrive."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tabmux.cluster import keys
from tabmux.cluster.cluster import joined_cluster
from tabmux.cluster.handles import Handles, key_from, new_shard
from tabmux.cluster.lease import LeaseTimings
from tabmux.cluster.peer_signature import ForwardedRequest, PeerSignature, digest_of
from tabmux.cluster.redis_link import RedisLink
from tabmux.content import CallingClient, Reply
from tabmux.errors import Misuse, OutcomeUnknown
from tabmux.sessions.session_rows import SessionRow
from tabmux.settings import Settings
from tests.browsers.grid.fake_grid import FakeGrid, served
from tests.cluster.in_process import KEY, Daemon, daemon
from tests.cluster.redis_server import RedisServer, needs_redis
from tests.mcp.raw_clients import Http, http, request, stateless

pytestmark = needs_redis

TAB = {"function": "() => tab"}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
async def settings() -> AsyncIterator[Settings]:
    async with served(FakeGrid(4, 4)) as grid:
        yield Settings(grid=grid.url, grid_options=(("warm", 0), ("queue", 5)), no_fence=True)


@pytest.fixture
async def two(redis: RedisServer, settings: Settings) -> AsyncIterator[tuple[Daemon, Daemon]]:
    async with daemon(redis.url, settings) as one, daemon(redis.url, settings) as other:
        yield one, other


async def said(client: Http, tool: str, **arguments: Any) -> str:
    answer = await client.call(tool, **arguments)
    return str(answer.get("result", answer))


async def said_stateless(client: Http, tool: str, **arguments: Any) -> str:
    answer = await client.ask_stateless("tools/call", name=tool, arguments=arguments)
    return str(answer.get("result", answer))


async def test_session_is_served_by_every_daemon(two: tuple[Daemon, Daemon]) -> None:
    one, other = two
    await one.client.initialize()
    other.client.session = one.client.session
    tab = await said(one.client, "evaluate_script", **TAB)
    assert await said(other.client, "evaluate_script", **TAB) == tab
    (session,) = one.app.sessions.all()
    assert not other.app.sessions.all()
    assert len(session.pages) == 1
    ended = await other.client.client.delete("/mcp", headers=other.client.headers)
    assert ended.status_code == 204
    gone = await one.client.post(request(9, "tools/list"), **one.client.headers)
    assert gone.status_code == 404


async def test_stateless_session_is_served_by_every_daemon(two: tuple[Daemon, Daemon]) -> None:
    one, other = two
    opened = await said_stateless(one.client, "new_page")
    (handle,) = set(re.findall(r"'session': '([^']+)'", opened)) or set(
        re.findall(r"session=([\w.-]+)", opened)
    )
    tab = await said_stateless(one.client, "evaluate_script", session=handle, **TAB)
    assert "'isError': False" in tab
    assert await said_stateless(other.client, "evaluate_script", session=handle, **TAB) == tab
    assert not other.app.sessions.all()


async def test_named_session_is_one_wherever_it_is_asked_for(two: tuple[Daemon, Daemon]) -> None:
    one, other = two
    async with (
        http(one.url, "?session=shop") as first,
        http(other.url, "?session=shop") as second,
    ):
        both = (first, second, first, second)
        await asyncio.gather(*(said_stateless(client, "list_pages") for client in both))
        assert len(one.app.sessions.all()) + len(other.app.sessions.all()) == 1
        found = [await said_stateless(client, "evaluate_script", **TAB) for client in both]
        await second.initialize()
        found.append(await said(second, "evaluate_script", **TAB))
    assert len(set(re.findall(r"[0-9A-F]{8}T\d{8}", str(found)))) == 1


async def test_stream_of_events_comes_through(two: tuple[Daemon, Daemon]) -> None:
    one, other = two
    await one.client.initialize()
    (session,) = one.app.sessions.all()
    headers = one.client.headers
    async with other.client.listen(**headers) as response:
        assert response.headers["content-type"] == "text/event-stream"
        session.log("info", "hello over there")
        async for line in response.aiter_lines():
            if "hello over there" in line:
                break
    assert other.cluster.router is not None
    assert other.cluster.router.forwarded == 1


async def test_action_whose_stream_broke_off_elsewhere_is_not_begun_again(
    two: tuple[Daemon, Daemon], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    await one.client.initialize()
    (session,) = one.app.sessions.all()
    began, may_end, ended = asyncio.Event(), asyncio.Event(), list[str]()

    async def act(name: str, arguments: Any, client: CallingClient) -> Reply:
        try:
            await session.begin_action(client)
        except OutcomeUnknown as error:
            return Reply.failure(error)
        began.set()
        await may_end.wait()
        ended.append(name)
        return Reply("done")

    monkeypatch.setattr(session, "call", act)
    message = request(77, "tools/call", name="click", arguments={})
    headers = {**one.client.headers, "accept": "text/event-stream"}
    client = other.client.client
    async with client.stream("POST", "/mcp", json=message, headers=headers) as response:
        await anext(aiter(response.aiter_lines()))
        await began.wait()
    while session.connections:
        await asyncio.sleep(0.01)
    may_end.set()
    again = await client.post("/mcp", json=message, headers=headers)
    assert "outcome_unknown" in again.text
    assert ended == ["click"]


async def test_made_up_handles_ask_redis_nothing(
    two: tuple[Daemon, Daemon], redis: RedisServer
) -> None:
    one, _ = two
    made_up = Handles(key_from("another key")).new(one.cluster.membership.daemon)
    redis.pause()
    try:
        async with asyncio.timeout(2):
            headers = {"mcp-session-id": made_up, "mcp-protocol-version": "2025-11-25"}
            response = await one.client.post(request(1, "tools/list"), **headers)
            assert response.status_code == 404
            text = await said_stateless(one.client, "list_pages", session=made_up)
            assert "unknown_session" in text
    finally:
        redis.go_on()


async def test_handle_of_a_shard_that_is_gone_is_unknown(two: tuple[Daemon, Daemon]) -> None:
    one, _ = two
    old = Handles(KEY).new(new_shard())
    headers = {"mcp-session-id": old, "mcp-protocol-version": "2025-11-25"}
    response = await one.client.post(request(1, "tools/list"), **headers)
    assert response.status_code == 404


async def test_request_that_was_passed_on_is_not_passed_on_again(
    two: tuple[Daemon, Daemon],
) -> None:
    one, other = two
    await one.client.initialize()
    body = json.dumps(request(1, "tools/list")).encode()
    passed_on = ForwardedRequest("daemon", "10.0.0.1", digest_of(body))
    header = PeerSignature(KEY).sign(passed_on, "POST", "/mcp")
    headers = {**one.client.headers, "tabmux-forwarded": header}
    response = await other.client.post(body, **headers)
    assert response.status_code == 421
    assert response.headers["tabmux-moved"] == "1"
    assert (await one.client.post(body, **headers)).status_code == 200
    changed = await one.client.post(body + b" ", **headers)
    assert changed.status_code == 400


async def test_only_daemons_can_pass_requests_on(two: tuple[Daemon, Daemon]) -> None:
    one, _ = two
    stranger = {"host": "stranger.test", "tabmux-forwarded": "daemon 1 - x y"}
    response = await one.client.client.get("/mcp", headers=stranger)
    assert response.status_code == 421


async def test_daemon_that_ends_leaves_its_sessions_to_the_others(
    redis: RedisServer, settings: Settings
) -> None:
    async with daemon(redis.url, settings) as other:
        async with daemon(redis.url, settings) as one:
            await one.client.initialize()
            tab = await said(one.client, "evaluate_script", **TAB)
            pages = list(one.app.sessions.all()[0].pages)
            opened = await said_stateless(one.client, "new_page")
            handle = re.findall(r"session=([\w.-]+)", opened)[0]
        other.client.session = one.client.session
        assert await said(other.client, "evaluate_script", **TAB) == tab
        found = {each.handle: list(each.pages) for each in other.app.sessions.all()}
        assert pages in found.values()
        assert handle in found
        assert "'isError': False" in await said_stateless(
            other.client, "evaluate_script", session=handle, **TAB
        )


async def test_work_is_ended_once_so_that_it_may_take_its_time(redis: RedisServer) -> None:
    ending, may_end, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            ending.set()
            await may_end.wait()
            ended.set()

    address = "http://127.0.0.1:1"
    async with (
        joined_cluster(redis.url, KEY, lambda _: address) as cluster,
        asyncio.TaskGroup() as group,
    ):
        working = group.create_task(cluster.until_lost(work()))
        # Once it runs, it is cancelled; and then everybody has some turns.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        working.cancel()
        await ending.wait()
        for _ in range(5):
            await asyncio.sleep(0)
        may_end.set()
        await asyncio.wait([working])
        assert ended.is_set()


async def test_calls_are_refused_while_redis_is_away_and_go_on_after(
    redis: RedisServer, settings: Settings
) -> None:
    quick = LeaseTimings(renewal=0.1, length=0.8, margin=0.1, look=0.1)
    async with daemon(redis.url, settings, quick) as one:
        await one.client.initialize()
        tab = await said(one.client, "evaluate_script", **TAB)
        redis.pause()
        member = one.cluster.membership
        assert await member.changed.until(lambda: not member.lease.is_valid, 5.0)
        refused = await said(one.client, "evaluate_script", **TAB)
        assert "no_capacity" in refused
        assert "try again in 5 s" in refused
        redis.go_on()
        assert await member.changed.until(lambda: member.lease.is_valid, 10.0)
        assert await said(one.client, "evaluate_script", **TAB) == tab


async def test_sessions_are_written_anew_when_redis_has_lost_them(
    redis: RedisServer, settings: Settings
) -> None:
    async with daemon(redis.url, settings) as other:
        async with daemon(redis.url, settings) as one:
            await one.client.initialize()
            tab = await said(one.client, "evaluate_script", **TAB)
            await redis.kill()
            await redis.start()
            member = one.cluster.membership
            async with RedisLink(redis.url) as link, asyncio.timeout(10):
                while not await link.ask("HLEN", keys.connections(member.daemon)):
                    await member.changed.wait(0.1)
            assert await said(one.client, "evaluate_script", **TAB) == tab
        other.client.session = one.client.session
        assert await said(other.client, "evaluate_script", **TAB) == tab


async def test_sessions_elsewhere_are_not_unknown_when_redis_has_lost_who_has_them(
    two: tuple[Daemon, Daemon], link: RedisLink
) -> None:
    one, other = two
    await one.client.initialize()
    await other.cluster.membership.look()
    async with http(one.url, "?session=shop") as client:
        assert "'isError': False" in await said_stateless(client, "list_pages")
    await link.ask("FLUSHALL")
    await other.cluster.membership.look()
    found = await other.client.post(request(9, "tools/list"), **one.client.headers)
    assert found.status_code == 200
    async with http(other.url, "?session=shop") as client:
        named = await client.post_stateless(
            stateless(1, "tools/call", name="list_pages", arguments={})
        )
        assert named.status_code == 503
        assert "try again in 5 s" in named.text
        opened = [each.label for each in other.app.sessions.all()]
    assert opened == []


async def test_shard_whose_sessions_redis_has_lost_is_not_forgotten(
    redis: RedisServer, link: RedisLink
) -> None:
    address = "http://127.0.0.1:1"
    async with joined_cluster(redis.url, KEY, lambda _: address) as cluster:
        member, store = cluster.membership, cluster.store
        await link.ask("HSET", keys.SHARDS, "taken", f"{member.daemon} 2")
        member.epochs["taken"] = 2
        await member._make_ready("taken")
        store.save(SessionRow("taken.session", "a"))
        await store.written()
        await link.ask("DEL", keys.sessions("taken"))
        await member._drop_empty(but=member.daemon)
        assert "taken" in member.epochs
        store.remove("taken.session")
        await member._drop_empty(but=member.daemon)
        assert "taken" in member.epochs
        await store.written()
        await member._drop_empty(but=member.daemon)
        assert "taken" not in member.epochs


async def test_daemon_with_another_key_is_turned_away(
    redis: RedisServer, settings: Settings
) -> None:
    async with daemon(redis.url, settings):
        with pytest.raises(Misuse, match="another key"):
            async with daemon(redis.url, settings, key=key_from("another")):
                pass


async def test_state_that_one_daemon_has_signed_is_taken_by_the_others(
    two: tuple[Daemon, Daemon],
) -> None:
    one, other = two
    assert one.app.signing_key == other.app.signing_key
    response = await other.client.post_stateless(
        stateless(1, "tools/call", name="new_page", arguments={}, requestState="x.y")
    )
    assert response.status_code == 400
