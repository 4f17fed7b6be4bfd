from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from tabmux.cluster import keys
from tabmux.cluster.lease import LeaseTimings
from tabmux.cluster.lease_thread import LeaseThread
from tabmux.cluster.membership import Membership, Renewal
from tabmux.cluster.redis_link import RedisLink, RedisUnreachable
from tabmux.concurrency import TaskOwner
from tests.cluster.redis_server import RedisServer, needs_redis

pytestmark = needs_redis

QUICK = LeaseTimings(renewal=0.05, length=0.4, margin=0.05, look=0.05)


def member(link: RedisLink, timings: LeaseTimings = QUICK) -> Membership:
    membership = Membership(link, "http://127.0.0.1:1", timings)
    taken: list[str] = []

    async def take_up(shard: str) -> None:
        taken.append(shard)

    membership.take_up = take_up
    return membership


@asynccontextmanager
async def running(membership: Membership) -> AsyncIterator[None]:
    """Have a daemon renew its lease and look at those of others."""
    await membership.join()
    async with LeaseThread(membership, membership._link.url), TaskOwner() as tasks:
        tasks.start(membership.watch())
        yield


async def test_daemons_see_each_other(link: RedisLink) -> None:
    one, two = member(link), member(link)
    await one.join()
    await two.join()
    await one.look()
    assert one.daemons == 2
    found = one.owner(two.daemon)
    assert found is not None
    assert (found.daemon, found.epoch, found.address) == (two.daemon, 1, "http://127.0.0.1:1")
    assert one.owner("another1") is None


async def test_one_of_many_takes_over_from_a_daemon_that_does_not_renew(link: RedisLink) -> None:
    dead, others = member(link), [member(link) for _ in range(5)]
    await dead.join()
    await link.ask("HSET", keys.sessions(dead.daemon), "handle", "row")
    async with (
        running(others[0]),
        running(others[1]),
        running(others[2]),
        running(others[3]),
        running(others[4]),
    ):
        first = others[0]
        assert await first.changed.until(
            lambda: any(dead.daemon in each.epochs for each in others), 5.0
        )
        await first.changed.wait(0.2)
        takers = [each for each in others if dead.daemon in each.epochs]
        assert len(takers) == 1
        assert takers[0].epochs[dead.daemon] == 2
        assert takers[0].is_ready(dead.daemon)
        assert not dead.lease.is_valid


async def test_shard_is_taken_over_though_the_answer_that_said_so_was_lost(
    link: RedisLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead, other = member(link), member(link)
    await dead.join()
    await link.ask("HSET", keys.sessions(dead.daemon), "handle", "row")
    run, lost = link.run, list[str]()

    async def losing(script: str, *given: Any) -> Any:
        answer = await run(script, *given)
        if script == "take_over" and answer:
            lost.append(script)
            raise RedisUnreachable("It hung up.")
        return answer

    monkeypatch.setattr(link, "run", losing)
    async with running(other):
        assert await other.changed.until(lambda: other.is_ready(dead.daemon), 5.0)
        assert lost == ["take_over"]
        assert other.epochs == {other.daemon: 1, dead.daemon: 2}
        # It is one's own for good.
        assert await other.renew() is Renewal.GRANTED


async def test_daemon_that_comes_back_late_learns_that_it_has_lost(link: RedisLink) -> None:
    late, other = member(link), member(link)
    await late.join()
    await link.ask("HSET", keys.sessions(late.daemon), "handle", "row")
    async with running(other):
        assert await other.changed.until(lambda: late.daemon in other.epochs, 5.0)
        assert late.refusal() is not None
        late.note(await late.renew())
        assert late.lost.is_set()
        refusal = late.refusal()
        assert refusal is not None
        assert "has taken over" in refusal.message
        # What it says later changes nothing.
        await late.renew()
        assert not late.lease.is_valid
        assert await link.ask("GET", keys.lease(late.daemon)) is None


async def test_late_daemon_goes_on_where_nobody_has_taken_over(link: RedisLink) -> None:
    late = member(link)
    await late.join()
    await late.changed.until(lambda: not late.lease.is_valid, 5.0)
    await late.renew()
    assert late.lease.is_valid
    assert late.epochs == {late.daemon: 1}


async def test_daemon_that_leaves_is_followed_at_once(link: RedisLink) -> None:
    slow = LeaseTimings(renewal=0.05, length=30.0, look=0.05)
    leaving, other = member(link, slow), member(link, slow)
    await leaving.join()
    # A shard without sessions would be forgotten with its daemon.
    await link.ask("HSET", keys.sessions(leaving.daemon), "handle", "row")
    async with running(other):
        await leaving.leave()
        assert await other.changed.until(lambda: leaving.daemon in other.epochs, 5.0)


async def test_own_shard_of_a_daemon_is_left_with_the_sessions_of_others(
    link: RedisLink,
) -> None:
    dead, leaving = member(link), member(link)
    await dead.join()
    await link.ask("HSET", keys.sessions(dead.daemon), "handle", "row")
    async with running(leaving):
        assert await leaving.changed.until(lambda: leaving.is_ready(dead.daemon), 5.0)
    await leaving.renew()
    await leaving.leave()
    assert len(await link.ask("HGETALL", keys.SHARDS)) == 2
    async with running(other := member(link)):
        assert await other.changed.until(lambda: other.is_ready(leaving.daemon), 5.0)


async def test_shard_of_a_daemon_that_leaves_nothing_is_forgotten(link: RedisLink) -> None:
    leaving = member(link)
    await leaving.join()
    await leaving.leave()
    assert not await link.ask("HGETALL", keys.SHARDS)


async def test_shard_without_sessions_is_forgotten(link: RedisLink) -> None:
    dead, other = member(link), member(link)
    await dead.join()
    await link.ask("HSET", keys.sessions(dead.daemon), "handle", "row")
    async with running(other):
        assert await other.changed.until(lambda: other.is_ready(dead.daemon), 5.0)
        await link.ask("HDEL", keys.sessions(dead.daemon), "handle")
        assert await other.changed.until(lambda: dead.daemon not in other.epochs, 5.0)
    assert await link.ask("HGET", keys.SHARDS, dead.daemon) is None


async def test_shards_that_were_taken_over_are_taken_over_again(link: RedisLink) -> None:
    first, second, third = (member(link) for _ in range(3))
    await first.join()
    await link.ask("HSET", keys.sessions(first.daemon), "handle", "row")
    async with running(second):
        assert await second.changed.until(lambda: second.is_ready(first.daemon), 5.0)
    await link.ask("HSET", keys.sessions(second.daemon), "handle", "row")
    async with running(third):
        assert await third.changed.until(lambda: third.is_ready(second.daemon), 5.0)
        assert third.epochs[first.daemon] == 3
        assert third.epochs[second.daemon] == 2


async def test_redis_that_is_away_ends_the_lease_and_back_renews_it(
    redis: RedisServer, link: RedisLink
) -> None:
    lonely = member(link)
    async with running(lonely):
        redis.pause()
        assert await lonely.changed.until(lambda: not lonely.lease.is_valid, 5.0)
        refusal = lonely.refusal()
        assert refusal is not None
        assert refusal.code == "no_capacity"
        assert "cannot renew its lease" in refusal.message
        redis.go_on()
        assert await lonely.changed.until(lambda: lonely.lease.is_valid, 10.0)
        assert not lonely.lost.is_set()


async def test_living_daemons_have_time_to_renew_when_redis_is_back(
    redis: RedisServer, link: RedisLink
) -> None:
    timings = replace(QUICK, length=1.5)
    late, other = member(link, timings), member(link, timings)
    await late.join()
    await link.ask("HSET", keys.sessions(late.daemon), "handle", "row")
    async with running(other):
        redis.pause()
        assert await other.changed.until(lambda: not other.lease.is_valid, 2.0)
        assert not late.lease.is_valid
        redis.go_on()
        assert await other.changed.until(lambda: other.lease.is_valid, 5.0)
        for _ in range(3):
            await other.changed.wait(1.0)
        assert await late.renew() is Renewal.GRANTED
        assert late.daemon not in other.epochs
        # It does not renew a second time.
        assert await other.changed.until(lambda: late.daemon in other.epochs, 5.0)


async def test_redis_that_lost_everything_is_written_anew(
    redis: RedisServer, link: RedisLink
) -> None:
    lonely, again = member(link), []
    lonely.write_again = lambda: again.append("written")
    async with running(lonely):
        await redis.kill()
        await redis.start()
        assert await lonely.changed.until(lambda: bool(again), 10.0)
        assert await lonely.changed.until(lambda: lonely.lease.is_valid, 5.0)
    assert await link.ask("HGET", keys.SHARDS, lonely.daemon) == f"{lonely.daemon} 1".encode()


async def test_owners_are_known_while_redis_that_lost_them_is_written_anew(
    link: RedisLink,
) -> None:
    one, other = member(link), member(link)
    await one.join()
    await other.join()
    await one.look()
    known = one.owner(other.daemon)
    assert known is not None
    await link.ask("FLUSHALL")
    await one.look()
    assert one.has_forgotten
    assert one.owner(other.daemon) == known
    await one.renew()
    await one.look()
    assert one.owner(other.daemon) == known
    # The other one writes nothing anew.
    await one.changed.until(lambda: not one.has_forgotten, 1.0)
    await one.look()
    assert one.owner(other.daemon) is None


async def test_older_epoch_gives_way_where_redis_lost_everything(
    redis: RedisServer, link: RedisLink
) -> None:
    late, other = member(link), member(link)
    await late.join()
    await link.ask("HSET", keys.sessions(late.daemon), "handle", "row")
    async with running(other):
        assert await other.changed.until(lambda: late.daemon in other.epochs, 5.0)
    await link.ask("FLUSHALL")
    await late.renew()
    assert not late.lease.is_valid  # it has written, and waits for those who know better
    await other.renew()
    late.note(await late.renew())
    assert late.lost.is_set()


async def test_tab_of_a_session_elsewhere_is_known(link: RedisLink) -> None:
    one, two = member(link), member(link)
    await one.join()
    await two.join()
    await link.ask("HSET", keys.TABS, "TAB1", one.daemon, "TAB2", two.daemon)
    await one.look()
    assert not one.has_tab("TAB1")
    assert one.has_tab("TAB2")
    assert not one.has_tab("TAB3")


async def test_lease_is_renewed_while_the_event_loop_stands_still(link: RedisLink) -> None:
    busy = member(link)
    async with running(busy):
        end = time.monotonic() + 3 * QUICK.length
        while time.monotonic() < end:
            pass
        assert busy.lease.is_valid


async def test_lease_of_a_daemon_that_stands_still_for_good_ends(link: RedisLink) -> None:
    stuck = Membership(link, "http://127.0.0.1:1", replace(QUICK, standstill=0.2))
    await stuck.join()
    async with LeaseThread(stuck, link.url):
        assert await stuck.changed.until(lambda: not stuck.lease.is_valid, 5.0)
