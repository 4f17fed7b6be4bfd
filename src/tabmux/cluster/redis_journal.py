"""Redis journal: the actions that daemons began, for whoever takes over from them."""

from __future__ import annotations

import time

from tabmux.cluster import keys
from tabmux.cluster.fenced_writer import FencedWriter
from tabmux.cluster.membership import Membership
from tabmux.cluster.redis_link import RedisLink, Word
from tabmux.cluster.redis_store import shard_of
from tabmux.errors import NoCapacity
from tabmux.sessions.call_journal import begun_before

# Of one shard; the oldest were of clients that never asked again.
MOST_CALLS = 10_000
# What `begin.lua` says.
_LOST, _BEGUN = 0, 1


class RedisJournal:
    """A call journal. Every action is compared with all others that no client has the answer of:

    the answer of one may have been on its way through another daemon, which has ended.

    Args:
        link: The store.
        writer: What writes there.
        membership: Who answers for which shard.
    """

    def __init__(self, link: RedisLink, writer: FencedWriter, membership: Membership) -> None:
        self._link, self._writer, self._membership = link, writer, membership
        # What daemons before this one had begun and not answered.
        self._before: set[str] = set()

    async def read(self, shard: str) -> None:
        """Learn what a daemon had begun, from which a shard was taken over."""
        found = await self._link.ask("ZRANGE", keys.calls(shard), 0, -1)
        self._before |= {key.decode() for key in found}

    async def begin(self, key: str) -> None:
        """Note that the action of a request begins; raises for one that was begun before."""
        await self._membership.until_valid()
        if refusal := self._membership.refusal():
            raise refusal
        shard = shard_of(key)
        words: list[Word] = [shard, self._membership.mark(shard), key]
        words += [round(time.time()), MOST_CALLS]
        answer = await self._link.run("begin", [keys.SHARDS, keys.calls(shard)], words)
        # It may have taken long.
        refusal = self._membership.refusal()
        if answer == _LOST or refusal is not None:
            raise refusal or _taken_over()
        self._before.discard(key)
        if answer != _BEGUN:
            raise begun_before()

    def answered(self, key: str) -> None:
        """Note that the client has the answer; the same key may be used again."""
        shard = shard_of(key)
        self._before.discard(key)
        self._writer.add(shard, "ZREM", keys.calls(shard), key)

    async def confirm(self, key: str) -> None:
        """Note the same for an action of another daemon, whose answer was passed on here."""
        await self._link.ask("ZREM", keys.calls(shard_of(key)), key)

    def unanswered(self, prefix: str) -> list[str]:
        """Return the keys with this beginning that daemons before had begun and not answered."""
        return [key for key in self._before if key.startswith(prefix)]

    def close(self) -> None:
        """Leave what is there to others."""


def _taken_over() -> NoCapacity:
    return NoCapacity(
        "Another daemon of the cluster has taken over this session.",
        hint="Call again: the call then reaches it.",
    )
