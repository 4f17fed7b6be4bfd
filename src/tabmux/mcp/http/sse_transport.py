"""The HTTP+SSE transport of revision 2024-11-05: one stream down, posts up."""

from __future__ import annotations

import asyncio
import logging
from urllib.parse import urlencode

from tabmux.mcp.backend import Workspaces
from tabmux.mcp.http import server_sent_events
from tabmux.mcp.http.connection_table import ConnectionTable
from tabmux.mcp.http.http_connection import HttpConnection
from tabmux.mcp.http.http_request import HttpRefusal, HttpRequest
from tabmux.mcp.rpc import Incoming
from tabmux.mcp.server_info import ServerInfo

logger = logging.getLogger(__name__)

SESSION_QUERY = "sessionId"


class SseTransport:
    """Clients that name their session in the query, and live as long as their stream."""

    def __init__(
        self,
        identity: ServerInfo,
        workspaces: Workspaces,
        table: ConnectionTable[HttpConnection],
        group: asyncio.TaskGroup,
    ) -> None:
        self._identity, self._workspaces = identity, workspaces
        self._table, self._group = table, group

    async def get(self, ask: HttpRequest) -> None:
        """Open a session and send everything about it, until the client leaves."""
        if reason := self._table.full(ask.client):
            raise HttpRefusal(503, reason, [("retry-after", "60")])
        await ask.body(0)
        session = HttpConnection(self._identity, self._workspaces, self._group)
        self._table.add(session.id, session, ask.client)
        logger.info("SSE connection established: session %s", session.id)
        try:
            with session.connected():
                await self._play(ask, session)
        finally:
            logger.info("SSE connection closed: session %s", session.id)
            await self._table.remove(session.id)

    async def post(self, ask: HttpRequest, message: Incoming) -> None:
        """Take a message; what it causes goes down the stream."""
        session = self._table.find(ask.query[SESSION_QUERY])
        if session is None:
            raise HttpRefusal(404, "There is no such session; open the stream again.")
        session.client.receive(message, session.tape.standing)
        await ask.reply(202, b"Accepted", kind="text/plain")

    async def _play(self, ask: HttpRequest, session: HttpConnection) -> None:
        # The query may hold a token, which the client would not add by itself.
        query = urlencode({**ask.query, SESSION_QUERY: session.id})
        await server_sent_events.begin(ask)
        await ask.write(server_sent_events.event(f"{ask.path}?{query}".encode(), name="endpoint"))
        await ask.stay(server_sent_events.play(ask, session.tape.standing, 0))
