"""HTTP connections: a client of the stateful era across its HTTP requests, by session id."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from tabmux.mcp.backend import Backend
from tabmux.mcp.connection import Connection
from tabmux.mcp.http.http_limits import SessionQuota
from tabmux.mcp.http.replay_buffer import ReplayBuffer

logger = logging.getLogger(__name__)
# Its lines name sessions by their secret ids, so it is silent; the embedded server's design wants
# them, and the access log says the same without.
openings = logging.getLogger(f"{__name__}.openings")
openings.setLevel(logging.WARNING)

# The first revision whose clients can be told how to resume before the first message.
RESUMABLE_SINCE = "2025-11-25"


class HttpConnection:
    """What lives between `initialize` and the client's leave, across HTTP requests."""

    def __init__(
        self, backend: Backend, group: asyncio.TaskGroup, name: str, *, version: str
    ) -> None:
        self.id = secrets.token_urlsafe(24)
        self.buffer = ReplayBuffer()
        self.session = (backend.labelled(name) if name else None) or backend.open(name)
        self.session.aliases.add(self.id)
        # One that has a name may have other connections, and is found again by it.
        self._keeps_session = bool(name)
        self.connection = Connection(
            backend,
            self.buffer.standing,
            group,
            version=version,
            join=lambda: self.session,
            keeps_session=self._keeps_session,
            counts=False,
        )

    @property
    def is_resumable(self) -> bool:
        """Whether the client understands how to take up a broken stream."""
        protocol = self.connection.protocol
        return protocol is not None and protocol >= RESUMABLE_SINCE

    @contextmanager
    def attached(self) -> Iterator[None]:
        """Attach to the session for the length of the block."""
        self.session.attach()
        try:
            yield
        finally:
            self.session.leave()

    async def close(self) -> None:
        """Stop the calls, end the streams, and the session unless it has a name."""
        await self.connection.close()
        self.buffer.end()
        self.session.aliases.discard(self.id)
        if not self._keeps_session:
            await self.session.close()


class HttpConnections:
    """The connections of one transport, by id; each goes with its session."""

    def __init__(
        self,
        name: str,
        backend: Backend,
        quota: SessionQuota,
        group: asyncio.TaskGroup,
        *,
        version: str,
    ) -> None:
        self._name, self._backend, self._quota = name, backend, quota
        self._group, self._version = group, version
        self._connections: dict[str, HttpConnection] = {}

    def __contains__(self, ident: str) -> bool:
        return ident in self._connections

    def full(self, origin: str) -> str:
        """Say why this address may open no more; nothing if it may."""
        return self._quota.full(origin)

    def open(self, origin: str, name: str = "") -> HttpConnection:
        """Start a connection, with a session of its own or the one that has a name."""
        opened = HttpConnection(self._backend, self._group, name, version=self._version)
        self._connections[opened.id] = opened
        self._quota.count(opened.session, origin)
        opened.session.on_closed(lambda: self._ended(opened.id))
        openings.info("%s connection established: session %s", self._name, opened.id)
        return opened

    def find(self, ident: str) -> HttpConnection | None:
        """Return a connection, whose session thereby counts as used."""
        found = self._connections.get(ident)
        if found is not None:
            found.session.touch()
        return found

    def all(self) -> list[HttpConnection]:
        """Return every connection."""
        return list(self._connections.values())

    async def remove(self, ident: str) -> None:
        """Close one, which is unknown from now on."""
        if found := self._pop(ident):
            try:
                await found.close()
            except Exception:  # the rim: one that closes badly must not keep the others open
                logger.exception("A session did not close properly")

    async def clear(self) -> None:
        """Close all of them, at the same time."""
        async with asyncio.TaskGroup() as group:
            for ident in list(self._connections):
                group.create_task(self.remove(ident))

    def _ended(self, ident: str) -> None:
        """The session has ended by itself: nobody can read its streams any longer."""
        if found := self._pop(ident):
            found.buffer.end()

    def _pop(self, ident: str) -> HttpConnection | None:
        found = self._connections.pop(ident, None)
        if found is not None:
            openings.info("%s connection closed: session %s", self._name, ident)
        return found
