"""Request router: finds the daemon that answers for a request's session, at most one hop away."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from tabmux.cluster import keys
from tabmux.cluster.forwarding import (
    MOVED_HEADER,
    ForwardedExchange,
    PeerBroken,
    PeerMoved,
    PeerUnreachable,
)
from tabmux.cluster.handles import Handles, is_handle
from tabmux.cluster.membership import Membership
from tabmux.cluster.owners import Owner
from tabmux.cluster.peer_signature import HEADER, ForwardedRequest, PeerSignature, digest_of
from tabmux.cluster.redis_journal import RedisJournal
from tabmux.cluster.redis_link import RedisLink, RedisUnreachable
from tabmux.concurrency import TaskOwner, contained
from tabmux.mcp.http.http_request import HttpRefusal, HttpRequest, is_session_name
from tabmux.mcp.http.session_routing import WantedSession

logger = logging.getLogger(__name__)

MOST_FORWARDED = 2_000
_RETRY = [("retry-after", "5")]


class RequestRouter:
    """Passes on what is not for this daemon.

    Args:
        link: Where names of sessions are claimed.
        membership: Who answers for which shard.
        handles: What tells the shard of a handle.
        signature: What daemons show each other.
        journal: Where it is confirmed that clients have their answers.
        has_label: Whether a session of this daemon has a name.
        tasks: What confirmations run in.
    """

    def __init__(
        self,
        link: RedisLink,
        membership: Membership,
        handles: Handles,
        signature: PeerSignature,
        journal: RedisJournal,
        has_label: Callable[[str], bool],
        tasks: TaskOwner,
    ) -> None:
        self._link, self._membership, self._handles = link, membership, handles
        self._signature, self._journal = signature, journal
        self._has_label, self._tasks = has_label, tasks
        self._under_way = 0
        # How many requests were passed on.
        self.forwarded = 0

    async def passed_on(self, http: HttpRequest, wanted: WantedSession, body: bytes) -> bool:
        """Pass a request on, if another daemon answers for its session; False if this one does."""
        if http.forwarded is not None and not http.forwarded.fits(body):
            raise HttpRefusal(400, "The body is not the one that was signed.")
        shard = await self._shard(wanted)
        if shard is None:
            return False
        loop = asyncio.get_running_loop()
        end = loop.time() + self._membership.timings.takeover
        while True:
            owner = await self._owner(shard, end)
            if owner is None or owner.daemon == self._membership.daemon:
                return False
            if http.forwarded is not None:
                raise HttpRefusal(421, "Another daemon answers for this.", [(MOVED_HEADER, "1")])
            if await self._is_answered(http, body, shard, owner, end):
                return True

    async def is_here(self, name: str) -> bool:
        """Whether this daemon has the session of a name, or may open it."""
        member = self._membership
        try:
            shard = await self._shard_of_label(name, claims=True)
        except RedisUnreachable as error:
            logger.info("Nobody knows where session %s is: %s", name, error.message)
            return False
        if shard is None or (owner := member.owner(shard)) is None:
            return False
        # While its rows are read, the session is not found, and would be opened a second time.
        return owner.daemon == member.daemon and member.is_ready(shard)

    async def _shard(self, wanted: WantedSession) -> str | None:
        """Return the shard that a request means; None for one that any daemon can answer."""
        if wanted.ident:
            if is_handle(wanted.ident):
                return self._handles.shard_of(wanted.ident)
            return await self._shard_of_label(wanted.ident, claims=False)
        if wanted.name:
            return await self._shard_of_label(wanted.name, claims=wanted.opens)
        return None

    async def _shard_of_label(self, label: str, *, claims: bool) -> str | None:
        if not is_session_name(label):
            return None
        if self._has_label(label):
            return self._membership.daemon
        if self._membership.has_forgotten:
            raise RedisUnreachable(
                "The cluster's Redis has lost where sessions are; they are written anew.",
                hint="Sessions are kept; try again in 5 s.",
            )
        if claims:
            words = [label, self._membership.daemon]
            found = await self._link.run("claim", [keys.LABELS, keys.SHARDS], words)
        else:
            found = await self._link.ask("HGET", keys.LABELS, label)
        return None if found is None else str(found.decode())

    async def _owner(self, shard: str, end: float) -> Owner | None:
        """Return who answers for a shard; when nobody does, somebody will soon."""
        member = self._membership
        if member.owner(shard) is None:
            await member.look()
        while (owner := member.owner(shard)) is not None:
            if owner.daemon == member.daemon and member.is_ready(shard):
                return owner
            if owner.daemon != member.daemon and owner.address:
                return owner
            await self._wait(end, "No daemon answers for this session yet.")
        return None

    async def _wait(self, end: float, why: str) -> None:
        left = end - asyncio.get_running_loop().time()
        if left <= 0:
            raise HttpRefusal(503, f"{why} Try again in 5 s.", _RETRY)
        await self._membership.changed.wait(min(left, self._membership.timings.look))

    async def _is_answered(
        self, http: HttpRequest, body: bytes, shard: str, owner: Owner, end: float
    ) -> bool:
        """Have the owner answer; False when another daemon has to be found."""
        exchange = ForwardedExchange(
            http, body, self._signed(http, body), lambda: self._answers(shard, owner)
        )
        try:
            await self._exchange(http, exchange, owner.address)
        except (PeerMoved, PeerUnreachable):
            await self._wait(end, "The daemon of this session cannot be reached.")
            return False
        except PeerBroken as error:
            logger.warning("Daemon %s broke off: %s", owner.daemon, error)
            if http.has_begun:
                # The client takes the stream up again, where it can.
                await http.write(b"", more=False)
                return True
            await self._until_another_answers(shard, owner, end)
            return False
        if exchange.call and not http.is_gone:
            confirming = self._journal.confirm(exchange.call)
            self._tasks.start_quietly(contained(confirming, "Confirming an answer"))
        return True

    async def _exchange(self, http: HttpRequest, exchange: ForwardedExchange, address: str) -> None:
        if self._under_way >= MOST_FORWARDED:
            raise HttpRefusal(503, "Too many requests are passed on.", _RETRY)
        self._under_way += 1
        self.forwarded += 1
        try:
            await http.stay(exchange.run(address))
        except ExceptionGroup as errors:
            raise _first(errors) from errors
        finally:
            self._under_way -= 1

    async def _until_another_answers(self, shard: str, owner: Owner, end: float) -> None:
        """Wait: the next one knows from the journal whether an action had begun."""
        while self._is_same(self._membership.owner(shard), owner):
            await self._wait(
                end, "The daemon of this session broke off, so how far the call came is unknown."
            )

    def _answers(self, shard: str, owner: Owner) -> bool:
        now = self._membership.owner(shard)
        return now is not None and bool(now.address) and self._is_same(now, owner)

    def _is_same(self, now: Owner | None, owner: Owner) -> bool:
        return now is not None and (now.daemon, now.epoch) == (owner.daemon, owner.epoch)

    def _signed(self, http: HttpRequest, body: bytes) -> tuple[str, str]:
        request = ForwardedRequest(self._membership.daemon, http.client, digest_of(body))
        return HEADER, self._signature.sign(request, http.method, http.target)


def _first(errors: ExceptionGroup[Exception]) -> Exception:
    """Return what ended an exchange; the watch over the client ends with it."""
    found: Exception = errors
    while isinstance(found, ExceptionGroup):
        found = found.exceptions[0]
    return found
