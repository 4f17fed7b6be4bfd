"""HTTP connections: a client of the stateful era across its HTTP requests, by session id."""

from __future__ import annotations

import ast
import asyncio
import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from tabmux.errors import TabmuxError
from tabmux.mcp.backend import Backend, McpSession, keeper_of
from tabmux.mcp.connection import Connection
from tabmux.mcp.dispatch.request_context import request_key
from tabmux.mcp.http.http_limits import SessionQuota
from tabmux.mcp.http.replay_buffer import ReplayBuffer
from tabmux.mcp.rpc import Id, Message, RpcRequest

logger = logging.getLogger(__name__)
# Its lines name sessions by their secret ids, so it is silent; the embedded server's design wants
# them, and the access log says the same without.
openings = logging.getLogger(f"{__name__}.openings")
openings.setLevel(logging.WARNING)

# The first revision whose clients can be told how to resume before the first message.
RESUMABLE_SINCE = "2025-11-25"


class ConnectionRow(msgspec.Struct, frozen=True):
    """A connection, as it is written down for the next server.

    Attributes:
        session: The handle of its session.
        origin: The address that it came from.
        name: The name of the session, if the client gave one.
        introduction: The parameters of its `initialize`.
    """

    session: str
    origin: str
    name: str
    introduction: Message


class HttpConnection:
    """What lives between `initialize` and the client's leave, across HTTP requests."""

    def __init__(
        self,
        backend: Backend,
        group: asyncio.TaskGroup,
        name: str,
        *,
        version: str,
        ident: str = "",
        session: McpSession | None = None,
    ) -> None:
        self.id = ident or secrets.token_urlsafe(24)
        self.buffer = ReplayBuffer()
        known = session or (backend.labelled(name) if name else None)
        self.session = known or backend.open(name)
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
            name=self.id,
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

    async def close(self, *, for_next: bool = False) -> None:
        """Stop the calls, end the streams, and the session unless it has a name.

        Args:
            for_next: Whether the next server goes on with connection and session.
        """
        if for_next:
            self.connection.keep_session()
        await self.connection.close()
        self.buffer.end()
        if for_next:
            return
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
        self._keeper = keeper_of(backend)
        self._group, self._version = group, version
        self._connections: dict[str, HttpConnection] = {}

    def __contains__(self, ident: str) -> bool:
        return ident in self._connections

    def full(self, origin: str) -> str:
        """Say why this address may open no more; nothing if it may."""
        return self._quota.full(origin)

    def open(self, origin: str, name: str = "") -> HttpConnection:
        """Start a connection, with a session of its own or the one that has a name."""
        ident = self._keeper.new_id() if self._keeper is not None else ""
        opened = HttpConnection(
            self._backend, self._group, name, version=self._version, ident=ident
        )
        self._connections[opened.id] = opened
        self._quota.count(opened.session, origin)
        opened.session.on_closed(lambda: self._ended(opened.id))
        openings.info("%s connection established: session %s", self._name, opened.id)
        return opened

    async def keep(
        self, opened: HttpConnection, origin: str, name: str, introduction: Message
    ) -> None:
        """Have the next server know a connection, before its client knows it.

        Args:
            opened: The connection.
            origin: The address that it came from.
            name: The name of its session, if the client gave one.
            introduction: How the client introduced itself.
        """
        if self._keeper is not None:
            row = ConnectionRow(opened.session.handle, origin, name, introduction)
            self._keeper.keep_connection(opened.id, msgspec.json.encode(row))
        try:
            await self.written()
        except TabmuxError:
            await self.remove(opened.id)
            raise

    async def written(self) -> None:
        """Wait until the next server would know all this."""
        if self._keeper is not None:
            await self._keeper.written()

    def note_answer(self, found: HttpConnection, request: RpcRequest) -> None:
        """Note that the client has the answer of a request."""
        if self._keeper is not None and request.method == "tools/call":
            self._keeper.answered(request_key(found.id, request.id))

    def unanswered(self, found: HttpConnection) -> list[Id]:
        """Return the calls that the server before this one had begun and not answered."""
        keys = self._keeper.unanswered(f"{found.id} ") if self._keeper is not None else []
        return [ast.literal_eval(key.partition(" ")[2]) for key in keys]

    def find(self, ident: str) -> HttpConnection | None:
        """Return a connection, whose session thereby counts as used."""
        found = self._connections.get(ident) or self._resumed(ident)
        if found is not None:
            found.session.touch()
        return found

    def all(self) -> list[HttpConnection]:
        """Return every connection."""
        return list(self._connections.values())

    async def remove(self, ident: str, *, for_next: bool = False) -> None:
        """Close one, which is unknown from now on, but perhaps to the next server."""
        if found := self._pop(ident, for_next=for_next):
            try:
                await found.close(for_next=for_next)
            except Exception:  # the rim: one that closes badly must not keep the others open
                logger.exception("A session did not close properly")

    async def clear(self) -> None:
        """Close all of them, at the same time, because the server ends."""
        async with asyncio.TaskGroup() as group:
            for ident in list(self._connections):
                kept = self._keeper is not None and self._keeper.connection(ident) is not None
                group.create_task(self.remove(ident, for_next=kept))

    def _ended(self, ident: str) -> None:
        """The session has ended by itself: nobody can read its streams any longer."""
        if found := self._pop(ident):
            found.buffer.end()

    def _resumed(self, ident: str) -> HttpConnection | None:
        """Go on with a connection of the server before this one."""
        row = self._keeper.connection(ident) if self._keeper is not None else None
        if row is None:
            return None
        known = msgspec.json.decode(row, type=ConnectionRow)
        session = self._backend.find(known.session)
        if session is None:
            return None
        resumed = HttpConnection(
            self._backend,
            self._group,
            known.name,
            version=self._version,
            ident=ident,
            session=session,
        )
        resumed.connection.resume(known.introduction)
        self._connections[ident] = resumed
        self._quota.count(session, known.origin)
        session.on_closed(lambda: self._ended(ident))
        return resumed

    def _pop(self, ident: str, *, for_next: bool = False) -> HttpConnection | None:
        found = self._connections.pop(ident, None)
        if found is not None and self._keeper is not None and not for_next:
            self._keeper.drop_connection(ident)
        if found is not None:
            openings.info("%s connection closed: session %s", self._name, ident)
        return found
