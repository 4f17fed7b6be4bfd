"""Membership: this daemon's lease and shards, and who answers for the shards of others."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from enum import IntEnum

from tabmux.cluster import keys
from tabmux.cluster.handles import new_shard
from tabmux.cluster.lease import DaemonLease, LeaseTimings, Outage
from tabmux.cluster.owners import Owner, pairs, read_owner
from tabmux.cluster.redis_link import RedisLink, RedisUnreachable
from tabmux.concurrency import Signal, TaskOwner
from tabmux.errors import NoCapacity, TabmuxError

logger = logging.getLogger(__name__)


TakeUp = Callable[[str], Awaitable[None]]


class Renewal(IntEnum):
    """What `renew.lua` says."""

    LOST = 0
    GRANTED = 1
    FORGOTTEN = 2


class Membership:
    """One daemon among those of a cluster.

    Args:
        link: The store that they share.
        address: Where others reach this daemon.
        timings: How long leases last.
    """

    def __init__(self, link: RedisLink, address: str, timings: LeaseTimings) -> None:
        self._link, self._address, self.timings = link, address, timings
        # The daemon, and the shard in which it opens sessions, have the same name.
        self.daemon = new_shard()
        self.lease, self._outage = DaemonLease(timings), Outage(timings)
        # When the store was seen to have lost what was in it.
        self._loss = Outage(timings)
        # The shards that this daemon answers for, and since which epoch.
        self.epochs = {self.daemon: 1}
        self._owners: Mapping[str, Owner] = {}
        self._tabs: Mapping[str, str] = {}
        self._ready = {self.daemon}
        self._is_joined = False
        self.changed = Signal()
        # When this daemon last did what it does all the time.
        self.seen = self.lease.now()
        # Set when another daemon has taken over: nothing may be done any more.
        self.lost = asyncio.Event()
        # How many daemons' sessions were taken over.
        self.takeovers = 0
        # Told to go on with the sessions of a shard, and that the store has forgotten everything.
        self.take_up: TakeUp | None = None
        self.write_again: Callable[[], None] = lambda: None
        # Tells the shards of which there are sessions here, written or not.
        self.in_use: Callable[[], set[str]] = set

    def mark(self, shard: str) -> str:
        """Return what says that a shard is ours in this epoch."""
        return f"{self.daemon} {self.epochs.get(shard, 0)}"

    def refusal(self) -> TabmuxError | None:
        """Say why nothing may be sent to browsers now, if that is so."""
        if self.lease.is_valid:
            return None
        if self.lost.is_set():
            return NoCapacity(
                "Another daemon of the cluster has taken over this session.",
                hint="Call again: the call then reaches it.",
            )
        return NoCapacity(
            "This daemon cannot renew its lease, so another one may have taken over.",
            hint="Sessions are kept; try again in 5 s. The operator should look after Redis.",
        )

    async def until_valid(self) -> None:
        """Wait for the lease, which may only be late, but not for longer than one lasts."""
        if not self.lease.is_valid and not self.lost.is_set():
            await self.changed.until(
                lambda: self.lease.is_valid or self.lost.is_set(), self.timings.length
            )

    def owner(self, shard: str) -> Owner | None:
        """Return who answers for a shard, as it was seen last."""
        if shard in self.epochs and not self.lost.is_set():
            return Owner(self.daemon, self.epochs[shard], self._address)
        return self._owners.get(shard)

    def is_ready(self, shard: str) -> bool:
        """Whether this daemon has read what there is of a shard of its own."""
        return shard in self._ready

    def has_tab(self, target: str) -> bool:
        """Whether a tab belongs to a session of another daemon."""
        shard = self._tabs.get(target)
        return shard is not None and shard not in self.epochs

    @property
    def has_forgotten(self) -> bool:
        """Whether the store lost what was in it, and not all may have written it anew."""
        return self._loss.is_recent

    @property
    def daemons(self) -> int:
        """How many daemons there are, with this one."""
        return len({each.daemon for each in self._owners.values() if each.address})

    async def join(self) -> None:
        """Take the first lease."""
        await self.renew()
        self._is_joined = True
        await self.look()

    async def leave(self) -> None:
        """End the lease, so that others take over at once."""
        self.lease.give_up()
        if self.lost.is_set():
            return
        await self._drop_empty(but=self.daemon)
        # Who goes on with any session of ours looks after our browsers, by the name of our shard.
        if set(self.epochs) == {self.daemon}:
            await self._drop_empty()
        await self._link.ask("DEL", keys.lease(self.daemon))

    async def renew(self, link: RedisLink | None = None) -> Renewal:
        """Renew the lease, or learn that another daemon has taken over.

        Args:
            link: Another way to Redis, for one who asks from another thread.
        """
        if self._is_joined and not self.lease.is_valid:
            self._outage.note()
        asked = self.lease.now()
        shards = [word for pair in dict(self.epochs).items() for word in pair]
        milliseconds = round(self.timings.length * 1000)
        words = [self.daemon, self._address, milliseconds, *shards]
        names = [keys.SHARDS, keys.lease(self.daemon)]
        answer = Renewal(await (link or self._link).run("renew", names, words))
        if answer is Renewal.LOST:
            self.lease.give_up()
        elif answer is Renewal.GRANTED or not self._is_joined:
            self.lease.renewed(asked)
        else:
            self._loss.note()
        # If a store that has forgotten everything is told of a later epoch by another daemon, the
        # next renewal says so, which is the first that counts.
        return answer

    def note(self, answer: Renewal) -> None:
        """See to what a renewal has told."""
        if answer is Renewal.LOST and not self.lost.is_set():
            logger.error("Another daemon has taken over the sessions of this one.")
            self.lost.set()
            self.changed.notify()
        elif answer is Renewal.FORGOTTEN:
            logger.warning("Redis has lost what was in it; writing it anew.")
            self.write_again()

    async def watch(self) -> None:
        """Look at the leases of others, and take over for those that ended, for ever."""
        async with TaskOwner() as tasks:
            while not self.lost.is_set():
                self.seen = self.lease.now()
                try:
                    await self._look_at_leases()
                    self._adopt(tasks, self._taken_unheard())
                    await self._take_over(tasks)
                    await self._drop_empty(but=self.daemon)
                except RedisUnreachable as error:
                    self._outage.note()
                    logger.info("The cluster was not looked at: %s", error.message)
                await asyncio.sleep(self.timings.look)

    async def look(self) -> None:
        """See who answers for which shard."""
        found = await self._link.run("look", [keys.SHARDS, keys.TABS], [keys.lease("")])
        owners, leases, tabs = (pairs(each) for each in found)
        if self._is_joined and self.daemon not in owners:
            self._loss.note()
        seen = {shard: read_owner(text, leases) for shard, text in owners.items()}
        # Where the store has lost them, they are those of before until all have written anew.
        self._owners = {**self._owners, **seen} if self.has_forgotten else seen
        self._tabs = tabs
        self.changed.notify()

    async def _look_at_leases(self) -> None:
        began = self.lease.now()
        await self.look()
        if self.lease.now() - began > self.timings.length / 2:
            self._outage.note()

    async def _take_over(self, tasks: TaskOwner) -> None:
        # Who could not renew is there, and renews now.
        if self._outage.is_recent:
            return
        ended = {each.daemon for each in self._owners.values() if not each.address}
        for daemon in sorted(ended - {self.daemon}):
            if not self.lease.is_valid:
                return
            leases = [keys.lease(daemon), keys.lease(self.daemon)]
            taken = pairs(
                await self._link.run("take_over", [keys.SHARDS, *leases], [daemon, self.daemon])
            )
            if taken:
                logger.warning("Taking over %d shards of daemon %s.", len(taken), daemon)
                self.takeovers += 1
            self._adopt(tasks, {shard: int(epoch) for shard, epoch in taken.items()})

    def _taken_unheard(self) -> dict[str, int]:
        """Return the shards that are ours though the answer which said so was lost."""
        return {
            shard: owner.epoch
            for shard, owner in self._owners.items()
            if owner.daemon == self.daemon and shard not in self.epochs
        }

    def _adopt(self, tasks: TaskOwner, taken: Mapping[str, int]) -> None:
        """Answer for shards from now on, and read what there is of them."""
        self.epochs |= taken
        for shard in taken:
            tasks.start(self._make_ready(shard))

    async def _make_ready(self, shard: str) -> None:
        while not self.lost.is_set():
            try:
                if self.take_up is not None:
                    await self.take_up(shard)
                break
            except RedisUnreachable as error:
                logger.warning("Shard %s cannot be read yet: %s", shard, error.message)
                await asyncio.sleep(self.timings.look)
        self._ready.add(shard)
        self.changed.notify()

    async def _drop_empty(self, but: str = "") -> None:
        """Forget shards that came from others and have no sessions left."""
        # A store that has lost everything has no sessions either.
        kept_here = self.in_use() | {but}
        for shard in [each for each in self.epochs if each in self._ready - kept_here]:
            kept = [keys.SHARDS, *keys.of_shard(shard)]
            if await self._link.run("drop", kept, [shard, self.mark(shard)]):
                del self.epochs[shard]
                self._ready.discard(shard)
