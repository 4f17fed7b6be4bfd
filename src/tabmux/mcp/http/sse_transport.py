"""HTTP+SSE, the transport of revision 2024-11-05: one stream down, posts up."""

from __future__ import annotations

from urllib.parse import urlencode

from tabmux.mcp.http import server_sent_events
from tabmux.mcp.http.http_connection import HttpConnection, HttpConnections
from tabmux.mcp.http.http_request import HttpRefusal, HttpRequest
from tabmux.mcp.rpc import Incoming

SESSION_QUERY = "sessionId"


class SseTransport:
    """Clients that name their connection in the query, and live as long as their stream."""

    def __init__(self, connections: HttpConnections) -> None:
        self._connections = connections

    async def get(self, http: HttpRequest) -> None:
        """Open a session and send everything about it, until the client leaves."""
        if reason := self._connections.full(http.client):
            raise HttpRefusal(503, reason, [("retry-after", "60")])
        await http.body(0)
        opened = self._connections.open(http.client, http.session_name)
        try:
            with opened.attached():
                await self._play(http, opened)
        finally:
            await self._connections.remove(opened.id)

    async def post(self, http: HttpRequest, message: Incoming) -> None:
        """Take a message; what it causes goes down the stream."""
        found = self._connections.find(http.query[SESSION_QUERY])
        if found is None:
            raise HttpRefusal(404, "There is no such session; open the stream again.")
        found.connection.receive(message, found.buffer.standing)
        await http.reply(202, b"Accepted", kind="text/plain")

    async def _play(self, http: HttpRequest, opened: HttpConnection) -> None:
        # The query may hold a token, which the client would not add by itself.
        query = urlencode({**http.query, SESSION_QUERY: opened.id})
        await server_sent_events.begin(http)
        endpoint = f"{http.path}?{query}".encode()
        await http.write(server_sent_events.event(endpoint, name="endpoint"))
        await http.stay(server_sent_events.play(http, opened.buffer.standing, 0))
