"""Streamable HTTP with sessions: POST, GET and DELETE of the handshake era."""

from __future__ import annotations

import asyncio

from tabmux.mcp.backend import Workspaces
from tabmux.mcp.dispatch.request_meta import VERSION_HEADER
from tabmux.mcp.http import server_sent_events
from tabmux.mcp.http.connection_table import ConnectionTable
from tabmux.mcp.http.http_connection import HttpConnection
from tabmux.mcp.http.http_request import HttpRefusal, HttpRequest
from tabmux.mcp.http.response_stream import deliver
from tabmux.mcp.http.server_sent_events import EVENT_STREAM
from tabmux.mcp.rpc import Incoming, RpcRequest
from tabmux.mcp.schema import HANDSHAKE_PROTOCOL_VERSIONS
from tabmux.mcp.server_info import ServerInfo

SESSION_HEADER = "mcp-session-id"
LAST_EVENT_HEADER = "last-event-id"


class StreamableTransport:
    """Clients that name their session in a header."""

    def __init__(
        self,
        identity: ServerInfo,
        workspaces: Workspaces,
        table: ConnectionTable[HttpConnection],
        group: asyncio.TaskGroup,
    ) -> None:
        self._identity, self._workspaces = identity, workspaces
        self._table, self._group = table, group

    async def post(self, ask: HttpRequest, message: Incoming) -> None:
        """Take a message; a request is answered on this connection."""
        _check_version(ask)
        if SESSION_HEADER not in ask.headers:
            await self._initialize(ask, message)
            return
        session = self._session(ask)
        with session.connected():
            if isinstance(message, RpcRequest):
                await _answer(ask, session, message)
            else:
                session.client.receive(message, session.tape.standing)
                await ask.reply(202)

    async def get(self, ask: HttpRequest) -> None:
        """Send what belongs to no request, or take up a stream that broke off."""
        _check_version(ask)
        session = self._session(ask)
        if not ask.accepts(EVENT_STREAM):
            raise HttpRefusal(406, f"Accept must name {EVENT_STREAM}.")
        standing = session.tape.standing
        found = session.tape.find(ask.headers.get(LAST_EVENT_HEADER, ""))
        stream, after = found or (standing, standing.read)
        with session.connected():
            await ask.body(0)
            await server_sent_events.begin(ask)
            if session.is_resumable and found is None:
                await ask.write(server_sent_events.primer(stream, after))
            await ask.stay(
                server_sent_events.play(ask, stream, after, numbered=session.is_resumable)
            )

    async def delete(self, ask: HttpRequest) -> None:
        """End a session."""
        await self._table.remove(self._session(ask).id)
        await ask.reply(204)

    def _session(self, ask: HttpRequest) -> HttpConnection:
        ident = ask.headers.get(SESSION_HEADER)
        if ident is None:
            raise HttpRefusal(400, f"The header {SESSION_HEADER} is missing; initialize gives it.")
        session = self._table.find(ident)
        if session is None:
            raise HttpRefusal(404, "There is no such session; it may have ended. Initialize again.")
        return session

    async def _initialize(self, ask: HttpRequest, message: Incoming) -> None:
        if not isinstance(message, RpcRequest) or message.method != "initialize":
            raise HttpRefusal(400, f"The header {SESSION_HEADER} is missing; initialize gives it.")
        if reason := self._table.full(ask.client):
            raise HttpRefusal(503, reason, [("retry-after", "60")])
        self._identity.initialize(message.params)
        session = HttpConnection(self._identity, self._workspaces, self._group)
        self._table.add(session.id, session, ask.client)
        with session.connected():
            await _answer(ask, session, message)


async def _answer(ask: HttpRequest, session: HttpConnection, request: RpcRequest) -> None:
    """Answer a request; the work goes on when the connection breaks, and its stream stays."""
    stream = session.tape.reply()
    stream.is_resumable = session.is_resumable
    session.client.receive(request, stream)
    headers = [(SESSION_HEADER, session.id)]
    streamed = await deliver(ask, stream, headers, resumable=session.is_resumable)
    if not (streamed and session.is_resumable):
        session.tape.forget(stream)


def _check_version(ask: HttpRequest) -> None:
    version = ask.headers.get(VERSION_HEADER)
    if version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS:
        raise HttpRefusal(400, f"Unsupported protocol version in the header {VERSION_HEADER}.")
