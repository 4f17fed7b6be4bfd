"""Cluster: this daemon's part in it, from the first lease to the last."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from tabmux.cluster import keys
from tabmux.cluster.fenced_writer import FencedWriter
from tabmux.cluster.handles import Handles, derived_key
from tabmux.cluster.lease import LeaseTimings
from tabmux.cluster.lease_thread import LeaseThread
from tabmux.cluster.membership import Membership
from tabmux.cluster.number_blocks import NumberBlocks
from tabmux.cluster.peer_signature import HEADER, PeerSignature
from tabmux.cluster.redis_journal import RedisJournal
from tabmux.cluster.redis_link import RedisLink, RedisUnreachable
from tabmux.cluster.redis_store import RedisStore
from tabmux.cluster.request_router import RequestRouter
from tabmux.concurrency import TaskOwner, contained, with_turns
from tabmux.errors import Misuse, TabmuxError
from tabmux.mcp.http.http_request import FORWARDED, Scope, target_of
from tabmux.sessions.durable_sessions import DurableSessions
from tabmux.sessions.session_rows import SessionRow
from tabmux.settings import Settings

logger = logging.getLogger(__name__)

# For the last writes of a daemon that ends in order.
LEAVE_SECONDS = 3.0
# How long what daemons agreed on outlasts the last of them.
AGREEMENT_SECONDS = 10

TakeUpRow = Callable[[SessionRow], None]


@asynccontextmanager
async def joined_cluster(
    url: str, key: bytes, address: Callable[[str], str], timings: LeaseTimings | None = None
) -> AsyncIterator[Cluster]:
    """Be a daemon of a cluster for the length of the block.

    Args:
        url: The Redis that its daemons share.
        key: The key that they share.
        address: Returns where others reach this daemon, by the address of this machine.
        timings: How long leases last.
    """
    async with RedisLink(url) as link:
        place, tasks = address(await link.own_address()), TaskOwner()
        cluster = Cluster(link, place, key, timings or LeaseTimings(), tasks)
        await cluster.join()
        async with tasks:
            tasks.start(cluster.writer.run())
            try:
                async with LeaseThread(cluster.membership, url):
                    yield cluster
            finally:
                await contained(cluster.leave(), "Leaving the cluster")


class Cluster:
    """What a daemon has of its cluster; its sessions see the others as `Peers`.

    Args:
        link: The store that the daemons share.
        address: Where others reach this daemon.
        key: The key that they share.
        timings: How long leases last.
        tasks: What goes on beside the calls.
    """

    def __init__(
        self, link: RedisLink, address: str, key: bytes, timings: LeaseTimings, tasks: TaskOwner
    ) -> None:
        self._link, self._tasks = link, tasks
        self.membership = Membership(link, address, timings)
        self.writer = FencedWriter(link, self.membership)
        self.store = RedisStore(link, self.writer)
        self.membership.in_use = lambda: self.store.shards | self.writer.shards
        self.journal = RedisJournal(link, self.writer, self.membership)
        self.session_numbers = NumberBlocks(link, "sessions", 0)
        self.page_numbers = NumberBlocks(link, "pages", 1)
        self.signing_key = derived_key(key, "states")
        self._handles, self._signature = Handles(key), PeerSignature(key)
        self._agreement = f"{keys.FORM} {derived_key(key, 'agreement').hex()[:16]}"
        self.router: RequestRouter | None = None

    async def join(self) -> None:
        """Take part from now on."""
        await self._agree()
        await self.session_numbers.reserve()
        await self.page_numbers.reserve()
        await self.membership.join()

    async def leave(self) -> None:
        """Leave sessions to others, after the last writes."""
        async with asyncio.timeout(LEAVE_SECONDS):
            await self.writer.written()
            await self.membership.leave()

    async def until_lost(self, work: Coroutine[Any, Any, None]) -> None:
        """Do work until another daemon has taken over."""
        async with asyncio.TaskGroup() as group:
            working = group.create_task(work)
            waiting = group.create_task(self.membership.lost.wait())
            # Who is cancelled from outside ends in order; a second time would break that off.
            waiting.add_done_callback(lambda done: done.cancelled() or working.cancel())
            working.add_done_callback(lambda _: waiting.cancel())

    def new_id(self) -> str:
        """Return an unguessable id that says where it belongs."""
        return self._handles.new(self.membership.daemon)

    def own_page(self, target: str) -> bool:
        """Whether a tab belongs to a session of another daemon."""
        return self.membership.has_tab(target)

    def refusal(self) -> TabmuxError | None:
        """Say why nothing may be done to sessions now, if that is so."""
        return self.membership.refusal()

    def durable_sessions(self, settings: Settings) -> DurableSessions:
        """Return what keeps sessions, for this daemon and those that take over from it."""
        return DurableSessions(self.store, self.journal, settings)

    def make_router(self, has_label: Callable[[str], bool]) -> RequestRouter:
        """Return what passes requests on."""
        self.router = RequestRouter(
            self._link,
            self.membership,
            self._handles,
            self._signature,
            self.journal,
            has_label,
            self._tasks,
        )
        return self.router

    def admits(self, scope: Scope) -> bool:
        """Whether another daemon passes this request on; then what it says of it is noted."""
        found = [value for name, value in scope.get("headers", ()) if name == HEADER.encode()]
        if len(found) != 1 or scope["type"] != "http":
            return False
        header = found[0].decode("latin-1")
        forwarded = self._signature.check(header, scope["method"], target_of(scope))
        if forwarded is not None:
            scope[FORWARDED] = forwarded
        return forwarded is not None

    async def take_part(
        self,
        take_up: TakeUpRow,
        write_again: Callable[[], None],
        inherit: Callable[[str], None],
    ) -> None:
        """Take over from daemons that end, for ever.

        Args:
            take_up: Goes on with a session.
            write_again: Has all sessions written anew.
            inherit: Told the name of a daemon whose browsers are ours from now on.
        """
        self.membership.take_up = partial(self._take_up, take_up, inherit)
        self.membership.write_again = partial(self._write_again, write_again)
        async with asyncio.TaskGroup() as group:
            group.create_task(self.membership.watch())
            group.create_task(self._see_to_supplies())

    async def _take_up(
        self, take_up: TakeUpRow, inherit: Callable[[str], None], shard: str
    ) -> None:
        inherit(shard)
        rows = await self.store.read(shard)
        await self.journal.read(shard)
        async for row in with_turns(rows):
            take_up(row)
        logger.info("%d sessions of shard %s go on here.", len(rows), shard)

    def _write_again(self, sessions: Callable[[], None]) -> None:
        for numbers in (self.session_numbers, self.page_numbers):
            self._tasks.start_quietly(numbers.write_again())
        self.store.write_again()
        sessions()

    async def _see_to_supplies(self) -> None:
        while True:
            try:
                await self._link.ask(
                    "SET", keys.AGREEMENT, self._agreement, "EX", AGREEMENT_SECONDS
                )
                if not self.membership.has_forgotten:
                    await self.session_numbers.reserve()
                    await self.page_numbers.reserve()
            except RedisUnreachable:
                logger.debug("Redis is away; numbers last a while.")
            await asyncio.sleep(1.0)

    async def _agree(self) -> None:
        """See that the daemons that are there speak as we do, and have the same key."""
        known: bytes | None = await self._link.ask("GET", keys.AGREEMENT)
        if known is None:
            await self._link.ask("SET", keys.AGREEMENT, self._agreement, "EX", AGREEMENT_SECONDS)
        elif not hmac.compare_digest(known, self._agreement.encode()):
            raise _disagreement(known.decode(), self._link.place)


def _disagreement(known: str, place: str) -> TabmuxError:
    if known.partition(" ")[0] != str(keys.FORM):
        return Misuse(
            f"The daemons of the cluster at {place} are of another version of tabmux.",
            hint="Start the same version everywhere, or give this one another database: redis://…/1.",
        )
    return Misuse(
        f"The daemons of the cluster at {place} have another key.",
        hint="Give all the same TABMUX_CLUSTER_KEY, or the same token.",
    )
