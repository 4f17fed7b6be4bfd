"""Redis store: the rows of sessions and connections where every daemon of a cluster finds them."""

from __future__ import annotations

import logging
from collections.abc import Iterable

import msgspec

from tabmux.cluster import keys
from tabmux.cluster.fenced_writer import FencedWriter
from tabmux.cluster.redis_link import RedisLink
from tabmux.sessions.session_rows import SessionRow

logger = logging.getLogger(__name__)


class RedisStore:
    """A session store; what is saved is written in the background, in order.

    Args:
        link: The store.
        writer: What writes there.
    """

    def __init__(self, link: RedisLink, writer: FencedWriter) -> None:
        self._link, self._writer = link, writer
        self._connections: dict[str, bytes] = {}
        # Names, and tabs that other daemons may see, by the handle of their session.
        self._labels: dict[str, str] = {}
        self._tabs: dict[str, frozenset[str]] = {}
        self._places: dict[str, set[str]] = {}

    @property
    def shards(self) -> set[str]:
        """The shards of the sessions that this daemon has."""
        return {shard_of(handle) for handle in self._labels}

    async def read(self, shard: str) -> list[SessionRow]:
        """Return the sessions of a shard that this daemon has taken over."""
        rows = await self._hash(keys.sessions(shard))
        uses = await self._hash(keys.uses(shard))
        self._connections |= await self._hash(keys.connections(shard))
        found = []
        for handle, data in rows.items():
            try:
                row = SessionRow.decoded(data)
            except ValueError:
                logger.warning("A session could not be read, and is left out.")
                continue
            self._labels[handle], self._tabs[handle] = row.label, shared_tabs(row)
            found.append(_used(row, uses.get(handle)))
        return found

    def write_again(self) -> None:
        """Write the connections anew, since Redis has lost them; sessions are the recorder's."""
        self._labels.clear()
        self._tabs.clear()
        for ident, row in self._connections.items():
            self.save_connection(ident, row)

    def save(self, row: SessionRow) -> bool:
        """Write a session down, as soon as Redis answers."""
        handle, shard = row.handle, shard_of(row.handle)
        self._writer.add(shard, "HSET", keys.sessions(shard), handle, row.encoded())
        if row.label and self._labels.get(handle) != row.label:
            self._writer.add(shard, "HSET", keys.LABELS, row.label, shard)
        self._labels[handle] = row.label
        self._save_tabs(handle, shared_tabs(row))
        return True

    def note_use(self, uses: Iterable[tuple[str, float, int]]) -> None:
        """Note when sessions were last used, and how many calls they have made."""
        for handle, used, made in uses:
            shard = shard_of(handle)
            self._writer.add(shard, "HSET", keys.uses(shard), handle, f"{used:.3f} {made}")

    def remove(self, handle: str) -> None:
        """Forget a session."""
        shard = shard_of(handle)
        self._save_tabs(handle, frozenset())
        for key in (keys.sessions(shard), keys.uses(shard)):
            self._writer.add(shard, "HDEL", key, handle)
        for place in self._places.pop(handle, ()):
            self._writer.add(shard, "HDEL", keys.storage(shard), f"{handle} {place}")
        if label := self._labels.pop(handle, ""):
            self._writer.add(shard, "HDEL", keys.LABELS, label)
        self._tabs.pop(handle, None)

    def clear(self) -> None:
        """Forget everything that is this daemon's."""
        for handle in list(self._labels):
            self.remove(handle)
        for ident in list(self._connections):
            self.remove_connection(ident)

    def connection(self, ident: str) -> bytes | None:
        """Return what is known of a connection."""
        return self._connections.get(ident)

    def save_connection(self, ident: str, row: bytes) -> None:
        """Write a connection down."""
        self._connections[ident] = row
        shard = shard_of(ident)
        self._writer.add(shard, "HSET", keys.connections(shard), ident, row)

    def remove_connection(self, ident: str) -> None:
        """Forget a connection."""
        self._connections.pop(ident, None)
        shard = shard_of(ident)
        self._writer.add(shard, "HDEL", keys.connections(shard), ident)

    async def storage(self, handle: str, place: str) -> bytes | None:
        """Return what sites had stored for a session, in one of its contexts."""
        key = keys.storage(shard_of(handle))
        found: bytes | None = await self._link.ask("HGET", key, f"{handle} {place}")
        return found

    def save_storage(self, handle: str, place: str, state: bytes) -> None:
        """Write down what sites have stored."""
        shard = shard_of(handle)
        self._places.setdefault(handle, set()).add(place)
        self._writer.add(shard, "HSET", keys.storage(shard), f"{handle} {place}", state)

    async def written(self) -> None:
        """Wait until all that was saved is written."""
        await self._writer.written()

    async def tidy(self) -> None:
        """Do nothing: Redis does."""

    def close(self) -> None:
        """Leave what is there to others."""

    def _save_tabs(self, handle: str, now: frozenset[str]) -> None:
        before, shard = self._tabs.get(handle, frozenset()), shard_of(handle)
        for tab in now - before:
            self._writer.add(shard, "HSET", keys.TABS, tab, shard)
        for tab in before - now:
            self._writer.add(shard, "HDEL", keys.TABS, tab)
        self._tabs[handle] = now

    async def _hash(self, key: str) -> dict[str, bytes]:
        found = await self._link.ask("HGETALL", key)
        return {name.decode(): value for name, value in found.items()}


def shard_of(handle: str) -> str:
    """Return the shard of a handle that is ours for sure."""
    return handle.partition(".")[0]


def shared_tabs(row: SessionRow) -> frozenset[str]:
    """Return the tabs of a session that are in browsers which other daemons see."""
    grid = {f"named {n}" for n, each in enumerate(row.browsers) if each.kind == "GridSpec"}
    return frozenset(page.target for page in row.pages if page.browser not in grid)


def _used(row: SessionRow, use: bytes | None) -> SessionRow:
    used, _, made = (use or b"").decode().partition(" ")
    if not made:
        return row
    return msgspec.structs.replace(row, used=max(row.used, float(used)), made=int(made))
