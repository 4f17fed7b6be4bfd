"""Streamable HTTP with sessions: POST, GET and DELETE of the stateful era."""

from __future__ import annotations

from tabmux.mcp.dispatch.request_meta import VERSION_HEADER
from tabmux.mcp.http import server_sent_events
from tabmux.mcp.http.http_connection import HttpConnection, HttpConnections
from tabmux.mcp.http.http_request import HttpRefusal, HttpRequest
from tabmux.mcp.http.server_sent_events import EVENT_STREAM, deliver
from tabmux.mcp.rpc import Incoming, RpcRequest
from tabmux.mcp.schema import HANDSHAKE_PROTOCOL_VERSIONS
from tabmux.mcp.server_info import ServerInfo

SESSION_HEADER = "mcp-session-id"
LAST_EVENT_HEADER = "last-event-id"


class StreamableTransport:
    """Clients that name their connection in a header."""

    def __init__(self, server: ServerInfo, connections: HttpConnections) -> None:
        self._server, self._connections = server, connections

    async def post(self, http: HttpRequest, message: Incoming) -> None:
        """Take a message; a request is answered on this connection."""
        _check_version(http)
        if SESSION_HEADER not in http.headers:
            await self._initialize(http, message)
            return
        found = self._find(http)
        with found.attached():
            if isinstance(message, RpcRequest):
                await _answer(http, found, message)
            else:
                found.connection.receive(message, found.buffer.standing)
                await http.reply(202)

    async def get(self, http: HttpRequest) -> None:
        """Send what belongs to no request, or take up a stream that broke off."""
        _check_version(http)
        found = self._find(http)
        if not http.accepts(EVENT_STREAM):
            raise HttpRefusal(406, f"Accept must name {EVENT_STREAM}.")
        standing = found.buffer.standing
        resumed = found.buffer.find(http.headers.get(LAST_EVENT_HEADER, ""))
        stream, after = resumed or (standing, standing.read)
        with found.attached():
            await http.body(0)
            await server_sent_events.begin(http)
            if found.is_resumable and resumed is None:
                await http.write(server_sent_events.primer(stream, after))
            await http.stay(
                server_sent_events.play(http, stream, after, numbered=found.is_resumable)
            )

    async def delete(self, http: HttpRequest) -> None:
        """End a session."""
        await self._connections.remove(self._find(http).id)
        await http.reply(204)

    def _find(self, http: HttpRequest) -> HttpConnection:
        ident = http.headers.get(SESSION_HEADER)
        if ident is None:
            raise HttpRefusal(400, f"The header {SESSION_HEADER} is missing; initialize gives it.")
        found = self._connections.find(ident)
        if found is None:
            raise HttpRefusal(404, "There is no such session; it may have ended. Initialize again.")
        return found

    async def _initialize(self, http: HttpRequest, message: Incoming) -> None:
        if not isinstance(message, RpcRequest) or message.method != "initialize":
            raise HttpRefusal(400, f"The header {SESSION_HEADER} is missing; initialize gives it.")
        if reason := self._connections.full(http.client):
            raise HttpRefusal(503, reason, [("retry-after", "60")])
        self._server.initialize(message.params)
        opened = self._connections.open(http.client, http.session_name)
        with opened.attached():
            await _answer(http, opened, message)


async def _answer(http: HttpRequest, found: HttpConnection, request: RpcRequest) -> None:
    """Answer a request; the work goes on when the connection breaks, and its stream stays."""
    stream = found.buffer.reply()
    stream.is_resumable = found.is_resumable
    found.connection.receive(request, stream)
    headers = [(SESSION_HEADER, found.id)]
    streamed = await deliver(http, stream, headers, resumable=found.is_resumable)
    if not (streamed and found.is_resumable):
        found.buffer.forget(stream)


def _check_version(http: HttpRequest) -> None:
    version = http.headers.get(VERSION_HEADER)
    if version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS:
        raise HttpRefusal(400, f"Unsupported protocol version in the header {VERSION_HEADER}.")
