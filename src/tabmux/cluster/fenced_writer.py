"""Fenced writer: what is written for shards, in order, and only by who answers for them."""

from __future__ import annotations

import asyncio
import logging

from tabmux.cluster import keys
from tabmux.cluster.membership import Membership
from tabmux.cluster.redis_link import RedisLink, RedisUnreachable, Word
from tabmux.concurrency import Signal
from tabmux.errors import OutcomeUnknown

logger = logging.getLogger(__name__)

RETRY_SECONDS = 0.2
# What goes into one script; the rest follows at once.
MOST_COMMANDS = 500

# What `write.lua` says.
_WRITTEN = 1

Command = tuple[Word, ...]


class FencedWriter:
    """Commands that wait to be written; of those for the same field only the last one counts.

    Args:
        link: Where they go.
        membership: Who we are, and in which epoch.
    """

    def __init__(self, link: RedisLink, membership: Membership) -> None:
        self._link, self._membership = link, membership
        self._waiting: dict[tuple[Word, ...], tuple[str, Command]] = {}
        self._added = self._written = 0
        self._news, self._done = asyncio.Event(), Signal()

    @property
    def shards(self) -> set[str]:
        """The shards for which something waits."""
        return {shard for shard, _ in self._waiting.values()}

    def add(self, shard: str, name: str, key: str, field: str, *values: Word) -> None:
        """Have a command run for a shard, soon."""
        self._added += 1
        place = (key, field)
        # The newest comes last.
        self._waiting.pop(place, None)
        self._waiting[place] = (shard, (name, key, *_ordered(name, field, values)))
        self._news.set()

    async def written(self) -> None:
        """Wait until everything is written that was added before; raises when it cannot be.

        Nothing is lost by that while Redis is away: it is written when it is back.
        """
        wanted = self._added
        while self._written < wanted:
            if self._membership.lost.is_set() or not self._membership.lease.is_valid:
                raise _not_written()
            await self._done.wait(RETRY_SECONDS)

    async def run(self) -> None:
        """Write what was added, for ever."""
        while not self._membership.lost.is_set():
            await self._news.wait()
            self._news.clear()
            await self._write_all()

    async def _write_all(self) -> None:
        while self._waiting and not self._membership.lost.is_set():
            upto = self._added
            batch = dict(list(self._waiting.items())[:MOST_COMMANDS])
            whole = len(batch) == len(self._waiting)
            try:
                await self._write(list(batch.values()))
            except RedisUnreachable:
                await asyncio.sleep(RETRY_SECONDS)
                continue
            for place, entry in batch.items():
                # A newer one may have come meanwhile.
                if self._waiting.get(place) is entry:
                    del self._waiting[place]
            if whole:
                self._written = upto
                self._done.notify()

    async def _write(self, entries: list[tuple[str, Command]]) -> None:
        for shard in dict.fromkeys(shard for shard, _ in entries):
            words: list[Word] = [shard, self._membership.mark(shard)]
            for command in (command for owner, command in entries if owner == shard):
                words += [len(command), *command]
            answer = await self._link.run("write", [keys.SHARDS], words)
            if answer != _WRITTEN and shard in self._membership.epochs:
                self._membership.note(await self._membership.renew())
                raise RedisUnreachable(f"Shard {shard} is not known, or another's.")


def _ordered(name: str, field: str, values: tuple[Word, ...]) -> Command:
    # A member of a sorted set comes after its score.
    return (*values, field) if name == "ZADD" else (field, *values)


def _not_written() -> OutcomeUnknown:
    return OutcomeUnknown(
        "The cluster's Redis could not be written to, so another daemon may go on without what "
        "this call has done.",
        hint="Try again in 5 s: take a snapshot to see what came of the call, then go on.",
    )
