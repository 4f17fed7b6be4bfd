"""MCP over HTTP, in all its forms on one path."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from tabmux.errors import TabmuxError
from tabmux.mcp import rpc
from tabmux.mcp.backend import Showroom
from tabmux.mcp.dispatch import request_meta
from tabmux.mcp.dispatch.request_meta import VERSION_HEADER
from tabmux.mcp.dispatch.stateless import StatelessDispatcher
from tabmux.mcp.guests import Guest, Guests
from tabmux.mcp.http import stateless_post
from tabmux.mcp.http.connection_table import ConnectionTable
from tabmux.mcp.http.http_connection import HttpConnection
from tabmux.mcp.http.http_request import JSON, HttpRefusal, HttpRequest, Receive, Scope, Send
from tabmux.mcp.http.rate_limit import RateLimit
from tabmux.mcp.http.response_stream import check_accept
from tabmux.mcp.http.server_sent_events import EVENT_STREAM
from tabmux.mcp.http.sse_transport import SESSION_QUERY, SseTransport
from tabmux.mcp.http.streamable import SESSION_HEADER, StreamableTransport
from tabmux.mcp.rpc import Incoming, RpcError
from tabmux.mcp.schema import INTERNAL_ERROR, INVALID_REQUEST, MODERN_PROTOCOL_VERSIONS
from tabmux.mcp.server_info import ServerInfo

logger = logging.getLogger(__name__)

_METHODS = [("allow", "GET, POST, DELETE")]


@dataclass(frozen=True)
class HttpLimits:
    """How much HTTP clients may take up.

    Args:
        body_bytes: The longest body or WebSocket message.
        sessions: How many sessions each form of transport may hold.
        sessions_each: How many of them one address may hold.
        idle_seconds: How long a session lives that nobody uses.
        rate: How many requests a second a session, or an address without one, may make.
        burst: How many it may make at once.
    """

    body_bytes: int = 4 * 1024 * 1024
    sessions: int = 1_000
    sessions_each: int = 500
    idle_seconds: float = 1800.0
    rate: float = 2_000.0
    burst: float = 5_000.0


class McpEndpoint:
    """The ASGI application at `/mcp`; serves inside its `async with` block."""

    def __init__(
        self, workspaces: Showroom, *, version: str, limits: HttpLimits | None = None
    ) -> None:
        self._limits = limits or HttpLimits()
        self._group = asyncio.TaskGroup()
        identity = ServerInfo.of(workspaces, version)
        caps = self._limits.sessions, self._limits.idle_seconds, self._limits.sessions_each
        self._streamed: ConnectionTable[HttpConnection] = ConnectionTable(*caps)
        self._legacy_table: ConnectionTable[HttpConnection] = ConnectionTable(*caps)
        self._guest_table: ConnectionTable[Guest] = ConnectionTable(*caps)
        self._allowance = RateLimit(self._limits.rate, self._limits.burst)
        self._streamable = StreamableTransport(identity, workspaces, self._streamed, self._group)
        self._legacy = SseTransport(identity, workspaces, self._legacy_table, self._group)
        self._guests = Guests(workspaces, self._guest_table)
        self._stateless = StatelessDispatcher(identity, self._guests)
        self._sweeps: list[asyncio.Task[None]] = []

    @property
    def sessions(self) -> int:
        """How many sessions are open."""
        return len(self._streamed) + len(self._legacy_table) + len(self._guest_table)

    def handle(self, ident: str) -> str | None:
        """Return the workspace of a session by the session's id, for those who look inside."""
        session = self._streamed.find(ident) or self._legacy_table.find(ident)
        return None if session is None else session.handle

    def ident(self, handle: str) -> str | None:
        """Return the id of the session whose workspace this is."""
        sessions = self._streamed.all() + self._legacy_table.all()
        return next((session.id for session in sessions if session.handle == handle), None)

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        for table in (self._streamed, self._legacy_table, self._guest_table):
            self._sweeps.append(self._group.create_task(table.sweep()))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()
        for sweep in self._sweeps:
            sweep.cancel()
        await self._streamed.clear()
        await self._legacy_table.clear()
        await self._guests.close()
        await self._group.__aexit__(kind, error, traceback)

    def stop(self) -> None:
        """End the streams that would never end by themselves; calls may still finish."""
        self._stateless.close()
        for session in self._streamed.all() + self._legacy_table.all():
            session.tape.standing.end()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        ask = HttpRequest(scope, receive, send)
        try:
            await self._route(ask)
        except HttpRefusal as refusal:
            body = rpc.error(None, RpcError(INVALID_REQUEST, refusal.message))
            await ask.reply(refusal.status, body, refusal.headers)
        except RpcError as fault:
            await ask.reply(400, rpc.error(fault.ident, fault))
        except TabmuxError as error:
            text = f"{error.message} {error.hint}".strip()
            await ask.reply(503, rpc.error(None, RpcError(INTERNAL_ERROR, text)))

    def _spend(self, ask: HttpRequest) -> None:
        """Count a request for its session, or for its address if it has none."""
        ident = ask.headers.get(SESSION_HEADER) or ask.query.get(SESSION_QUERY, "")
        known = ident in self._streamed or ident in self._legacy_table
        self._allowance.spend(ident if known else ask.client)

    async def _route(self, ask: HttpRequest) -> None:
        self._spend(ask)
        match ask.method:
            case "POST":
                await self._post(ask)
            case "GET":
                await self._get(ask)
            case "DELETE" if not _is_stateless(ask):
                await self._streamable.delete(ask)
            case _:
                raise HttpRefusal(405, "Only GET, POST and DELETE are served here.", _METHODS)

    async def _post(self, ask: HttpRequest) -> None:
        if ask.content_type != JSON:
            raise HttpRefusal(415, f"The body must be of type {JSON}.")
        check_accept(ask)
        message = rpc.parse(await ask.body(self._limits.body_bytes))
        if _is_stateless(ask, message):
            await stateless_post.post(ask, message, self._stateless)
        elif SESSION_QUERY in ask.query:
            await self._legacy.post(ask, message)
        else:
            await self._streamable.post(ask, message)

    async def _get(self, ask: HttpRequest) -> None:
        if _is_stateless(ask):
            raise HttpRefusal(405, "This revision of MCP knows no GET.", [("allow", "POST")])
        opens_stream = EVENT_STREAM in ask.headers.get("accept", "")
        if SESSION_HEADER not in ask.headers and VERSION_HEADER not in ask.headers and opens_stream:
            await self._legacy.get(ask)
        else:
            await self._streamable.get(ask)


def _is_stateless(ask: HttpRequest, message: Incoming | None = None) -> bool:
    """Whether a request belongs to the stateless era, by its header or else by its body."""
    if ask.headers.get(VERSION_HEADER) in MODERN_PROTOCOL_VERSIONS:
        return True
    return message is not None and request_meta.is_stateless(message)
