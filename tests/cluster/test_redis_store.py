from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tabmux.cluster import keys
from tabmux.cluster.fenced_writer import FencedWriter
from tabmux.cluster.handles import Handles, key_from
from tabmux.cluster.lease import LeaseTimings
from tabmux.cluster.membership import Membership
from tabmux.cluster.redis_journal import RedisJournal
from tabmux.cluster.redis_link import RedisLink
from tabmux.cluster.redis_store import RedisStore
from tabmux.concurrency import TaskOwner
from tabmux.errors import NoCapacity, OutcomeUnknown
from tabmux.sessions.session_rows import BrowserRow, PageRow, SessionRow
from tests.cluster.redis_server import RedisServer, needs_redis

pytestmark = needs_redis

LASTING = LeaseTimings(length=30.0)


class Part:
    """A daemon's part of the cluster, without the daemon."""

    def __init__(self, link: RedisLink, timings: LeaseTimings = LASTING) -> None:
        self.membership = Membership(link, "http://127.0.0.1:1", timings)
        self.writer = FencedWriter(link, self.membership)
        self.store = RedisStore(link, self.writer)
        self.journal = RedisJournal(link, self.writer, self.membership)
        self._handles = Handles(key_from("secret"))

    def row(self, name: str = "a", **more: object) -> SessionRow:
        handle = self._handles.new(self.membership.daemon)
        return SessionRow(handle, name, used=5.0, **more)  # type: ignore[arg-type]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Part]:
        await self.membership.join()
        async with TaskOwner() as tasks:
            tasks.start(self.writer.run())
            yield self
            tasks.cancel()

    async def take_over(self, other: Part, link: RedisLink) -> None:
        """Take over from a daemon whose lease has ended."""
        await link.ask("DEL", keys.lease(other.membership.daemon))
        await self.membership.look()
        async with TaskOwner() as tasks:
            await self.membership._take_over(tasks)
        assert other.membership.daemon in self.membership.epochs


async def test_sessions_and_connections_are_read_by_who_takes_over(link: RedisLink) -> None:
    async with Part(link).running() as one, Part(link).running() as two:
        kept, gone = one.row(label="shop"), one.row("b")
        shard = one.membership.daemon
        for row in (kept, gone):
            one.store.save(row)
        one.store.save_connection(kept.handle, b"row")
        one.store.save_storage(kept.handle, "own 1", b"cookies")
        one.store.note_use([(kept.handle, 9.0, 7)])
        one.store.remove(gone.handle)
        await one.store.written()
        await two.take_over(one, link)
        (found,) = await two.store.read(shard)
        assert (found.handle, found.label, found.used, found.made) == (kept.handle, "shop", 9.0, 7)
        assert two.store.connection(kept.handle) == b"row"
        assert await two.store.storage(kept.handle, "own 1") == b"cookies"
        assert await link.ask("HGET", keys.LABELS, "shop") == shard.encode()


async def test_late_daemon_writes_nothing_more(link: RedisLink) -> None:
    async with Part(link).running() as late, Part(link).running() as other:
        row = late.row()
        late.store.save(row)
        await late.store.written()
        await other.take_over(late, link)
        late.store.remove(row.handle)
        with pytest.raises(OutcomeUnknown):
            await late.store.written()
        assert late.membership.lost.is_set()
        assert [each.handle for each in await other.store.read(late.membership.daemon)] == [
            row.handle
        ]


async def test_what_was_saved_while_redis_was_away_is_written_when_it_is_back(
    link: RedisLink, redis: RedisServer
) -> None:
    async with Part(link).running() as part:
        row = part.row()
        redis.pause()
        part.store.save(row)
        redis.go_on()
        await part.store.written()
        assert len(await part.store.read(part.membership.daemon)) == 1


async def test_reply_is_not_sent_when_it_cannot_be_written(
    link: RedisLink, redis: RedisServer
) -> None:
    async with Part(link, LeaseTimings(length=0.5)).running() as part:
        redis.pause()
        try:
            part.store.save(part.row())
            with pytest.raises(OutcomeUnknown) as failed:
                await part.store.written()
            assert "could not be written to" in failed.value.message
        finally:
            redis.go_on()


async def test_tabs_that_others_see_are_told_of_and_those_of_a_grid_are_not(
    link: RedisLink,
) -> None:
    async with Part(link).running() as part:
        row = part.row(
            browsers=(BrowserRow("UrlSpec", {}), BrowserRow("GridSpec", {})),
            pages=(
                PageRow(1, "SHARED", "named 0", "", created=True),
                PageRow(2, "PRIVATE", "named 1", "", created=True),
            ),
        )
        part.store.save(row)
        await part.store.written()
        assert await link.ask("HKEYS", keys.TABS) == [b"SHARED"]
        part.store.remove(row.handle)
        await part.store.written()
        assert await link.ask("HKEYS", keys.TABS) == []


async def test_action_that_a_killed_daemon_had_begun_is_not_begun_again(link: RedisLink) -> None:
    async with Part(link).running() as one, Part(link).running() as two:
        begun, done = (f"{one.row().handle} {n}" for n in (1, 2))
        await one.journal.begin(begun)
        await one.journal.begin(done)
        one.journal.answered(done)
        await one.store.written()
        await two.take_over(one, link)
        await two.journal.read(one.membership.daemon)
        assert two.journal.unanswered(begun.partition(" ")[0]) == [begun]
        with pytest.raises(OutcomeUnknown):
            await two.journal.begin(begun)
        # Whoever was told may ask again.
        await two.journal.begin(begun)
        await two.journal.begin(done)


async def test_action_whose_answer_was_lost_on_the_way_is_not_begun_again(link: RedisLink) -> None:
    async with Part(link).running() as owner, Part(link).running() as passing:
        key = f"{owner.row().handle} 1"
        await owner.journal.begin(key)
        with pytest.raises(OutcomeUnknown):
            await owner.journal.begin(key)
        await owner.journal.begin(key)
        await passing.journal.confirm(key)
        await owner.journal.begin(key)


async def test_late_daemon_begins_nothing(link: RedisLink) -> None:
    async with Part(link).running() as late, Part(link).running() as other:
        await other.take_over(late, link)
        with pytest.raises(NoCapacity):
            await late.journal.begin(f"{late.row().handle} 1")


async def test_nothing_begins_after_the_lease_has_ended(link: RedisLink) -> None:
    async with Part(link, LeaseTimings(length=0.3, margin=0.3)).running() as part:
        with pytest.raises(NoCapacity) as refused:
            await part.journal.begin(f"{part.row().handle} 1")
        assert "cannot renew its lease" in refused.value.message
