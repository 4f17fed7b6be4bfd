"""Streamable HTTP with sessions: POST, GET and DELETE of the stateful era."""

from __future__ import annotations

from functools import partial

from tabmux.content import Reply
from tabmux.errors import CODES, OutcomeUnknown
from tabmux.mcp import rpc, tool_messages
from tabmux.mcp.dispatch.request_context import request_key
from tabmux.mcp.dispatch.request_meta import VERSION_HEADER
from tabmux.mcp.http import server_sent_events
from tabmux.mcp.http.http_connection import HttpConnection, HttpConnections
from tabmux.mcp.http.http_request import HttpRefusal, HttpRequest
from tabmux.mcp.http.replay_buffer import MessageStream, ReplyStream
from tabmux.mcp.http.server_sent_events import EVENT_STREAM, deliver
from tabmux.mcp.rpc import Incoming, RpcRequest
from tabmux.mcp.schema import HANDSHAKE_PROTOCOL_VERSIONS
from tabmux.mcp.server_info import ServerInfo

SESSION_HEADER = "mcp-session-id"
LAST_EVENT_HEADER = "last-event-id"
_UNKNOWN_OUTCOME = tool_messages.outcome(
    Reply.failure(
        OutcomeUnknown(
            "The server ended during this call, so how far it came is unknown.",
            hint=CODES["outcome_unknown"].next_step,
        )
    )
)


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
                self._note(http, found, await _answer(http, found, message))
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
        if resumed is None and LAST_EVENT_HEADER in http.headers:
            # The stream that broke off was in a server that has ended.
            for ident in self._connections.unanswered(found):
                standing.send(rpc.result(ident, _UNKNOWN_OUTCOME))
        if stream.call is not None:
            http.call_key = partial(request_key, found.id, stream.call.id)
        with found.attached():
            await http.body(0)
            await server_sent_events.begin(http)
            if found.is_resumable and resumed is None:
                await http.write(server_sent_events.primer(stream, after))
            await http.stay(
                server_sent_events.play(http, stream, after, numbered=found.is_resumable)
            )
            self._note(http, found, stream)

    async def delete(self, http: HttpRequest) -> None:
        """End a session."""
        await self._connections.remove(self._find(http).id)
        await self._connections.written()
        await http.reply(204)

    def _note(self, http: HttpRequest, found: HttpConnection, stream: MessageStream) -> None:
        """Note that a client has its answer, if it was there to read it to the end."""
        if http.is_answered and stream.call is not None and stream.is_read:
            self._connections.note_answer(found, stream.call)

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
        await self._connections.keep(opened, http.client, http.session_name, message.params)
        with opened.attached():
            await _answer(http, opened, message)


async def _answer(http: HttpRequest, found: HttpConnection, request: RpcRequest) -> ReplyStream:
    """Answer a request; the work goes on when the connection breaks, and its stream stays."""
    stream = found.buffer.reply()
    stream.is_resumable = found.is_resumable
    if request.method == "tools/call":
        stream.call = request
        http.call_key = partial(request_key, found.id, request.id)
    found.connection.receive(request, stream)
    headers = [(SESSION_HEADER, found.id)]
    await http.stay(deliver(http, stream, headers, resumable=found.is_resumable))
    if not (http.is_stream and found.is_resumable):
        # Nobody can ask for what comes after this.
        stream.end()
        found.buffer.forget(stream)
    return stream


def _check_version(http: HttpRequest) -> None:
    version = http.headers.get(VERSION_HEADER)
    if version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS:
        raise HttpRefusal(400, f"Unsupported protocol version in the header {VERSION_HEADER}.")
