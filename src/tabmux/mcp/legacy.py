"""The HTTP+SSE transport of revision 2024-11-05: one stream down, posts up."""

from __future__ import annotations

import asyncio
import logging
from urllib.parse import urlencode

from tabmux.mcp import sse
from tabmux.mcp.asgi import Ask, Refusal
from tabmux.mcp.protocol import Identity
from tabmux.mcp.rpc import Incoming
from tabmux.mcp.session import Session
from tabmux.mcp.table import Table
from tabmux.mcp.workspace import Workspaces

logger = logging.getLogger(__name__)

SESSION_QUERY = "sessionId"


class Legacy:
    """Clients that name their session in the query, and live as long as their stream."""

    def __init__(
        self,
        identity: Identity,
        workspaces: Workspaces,
        table: Table[Session],
        group: asyncio.TaskGroup,
    ) -> None:
        self._identity, self._workspaces = identity, workspaces
        self._table, self._group = table, group

    async def get(self, ask: Ask) -> None:
        """Open a session and send everything about it, until the client leaves."""
        if reason := self._table.full(ask.client):
            raise Refusal(503, reason, [("retry-after", "60")])
        await ask.body(0)
        session = Session(self._identity, self._workspaces, self._group)
        self._table.add(session.id, session, ask.client)
        logger.info("SSE connection established: session %s", session.id)
        try:
            with session.connected():
                await self._play(ask, session)
        finally:
            logger.info("SSE connection closed: session %s", session.id)
            await self._table.remove(session.id)

    async def post(self, ask: Ask, message: Incoming) -> None:
        """Take a message; what it causes goes down the stream."""
        session = self._table.find(ask.query[SESSION_QUERY])
        if session is None:
            raise Refusal(404, "There is no such session; open the stream again.")
        session.client.receive(message, session.tape.standing)
        await ask.reply(202, b"Accepted", kind="text/plain")

    async def _play(self, ask: Ask, session: Session) -> None:
        # The query may hold a token, which the client would not add by itself.
        query = urlencode({**ask.query, SESSION_QUERY: session.id})
        await sse.begin(ask)
        await ask.write(sse.event(f"{ask.path}?{query}".encode(), name="endpoint"))
        await ask.stay(sse.play(ask, session.tape.standing, 0))
