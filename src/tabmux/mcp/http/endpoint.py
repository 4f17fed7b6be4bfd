"""MCP endpoint: MCP over HTTP in all its forms, on one path."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self

from tabmux.errors import TabmuxError
from tabmux.mcp import rpc
from tabmux.mcp.backend import Backend, keeper_of
from tabmux.mcp.dispatch import request_meta
from tabmux.mcp.dispatch.request_meta import VERSION_HEADER
from tabmux.mcp.dispatch.stateless import StatelessDispatcher
from tabmux.mcp.http import stateless_post
from tabmux.mcp.http.http_connection import HttpConnections
from tabmux.mcp.http.http_limits import HttpLimits, RateLimit, SessionQuota
from tabmux.mcp.http.http_request import (
    JSON,
    HttpRefusal,
    HttpRequest,
    Receive,
    Scope,
    Send,
)
from tabmux.mcp.http.server_sent_events import EVENT_STREAM, check_accept
from tabmux.mcp.http.session_routing import SessionRouter, WantedSession
from tabmux.mcp.http.sse_transport import SESSION_QUERY, SseTransport
from tabmux.mcp.http.streamable import SESSION_HEADER, StreamableTransport
from tabmux.mcp.rpc import Incoming, RpcError, RpcRequest
from tabmux.mcp.schema import INTERNAL_ERROR, INVALID_REQUEST, MODERN_PROTOCOL_VERSIONS
from tabmux.mcp.server_info import ServerInfo

_METHODS = [("allow", "GET, POST, DELETE")]


class McpEndpoint:
    """The ASGI application at `/mcp`; serves inside its `async with` block.

    Args:
        backend: Where sessions come from.
        version: Our version, as clients are told.
        limits: How much clients may take up.
        router: What finds the server of a session, where there are several.
    """

    def __init__(
        self,
        backend: Backend,
        *,
        version: str,
        limits: HttpLimits | None = None,
        router: SessionRouter | None = None,
    ) -> None:
        self._limits, self._router = limits or HttpLimits(), router
        self._group = asyncio.TaskGroup()
        self._quota = SessionQuota(self._limits.sessions, self._limits.sessions_each)
        self._rate_limit = RateLimit(self._limits.rate, self._limits.burst)
        self._streamed, self._sse_streamed = (
            HttpConnections(name, backend, self._quota, self._group, version=version)
            for name in ("Streamable HTTP", "SSE")
        )
        server = ServerInfo.of(backend, version)
        self._streamable = StreamableTransport(server, self._streamed)
        self._sse = SseTransport(self._sse_streamed)
        self._stateless = StatelessDispatcher(
            server,
            stateless_post.StatelessSessions(backend, self._quota),
            self._group,
            keeper_of(backend),
        )

    @property
    def sessions(self) -> int:
        """How many sessions are open."""
        return len(self._quota)

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()
        await self._streamed.clear()
        await self._sse_streamed.clear()
        await self._group.__aexit__(kind, error, traceback)

    def stop(self) -> None:
        """End the streams that would never end by themselves; calls may still finish."""
        self._stateless.close()
        for each in self._streamed.all() + self._sse_streamed.all():
            each.buffer.standing.end()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        http = HttpRequest(scope, receive, send, self._limits.timings)
        try:
            await self._route(http)
        except HttpRefusal as refusal:
            body = rpc.error(None, RpcError(INVALID_REQUEST, refusal.message))
            await http.reply(refusal.status, body, refusal.headers)
        except RpcError as error:
            await http.reply(400, rpc.error(error.ident, error))
        except TabmuxError as error:
            await http.reply(503, rpc.error(None, RpcError(INTERNAL_ERROR, error.text)))

    def _check_rate(self, http: HttpRequest) -> None:
        """Count a request for its session, or for its address if it has none."""
        ident = http.headers.get(SESSION_HEADER) or http.query.get(SESSION_QUERY, "")
        known = ident in self._streamed or ident in self._sse_streamed
        self._rate_limit.spend(ident if known else http.client)

    async def _route(self, http: HttpRequest) -> None:
        self._check_rate(http)
        match http.method:
            case "POST":
                await self._post(http)
            case "GET":
                await self._get(http)
            case "DELETE" if not _is_stateless(http):
                if not await self._is_passed_on(http):
                    await self._streamable.delete(http)
            case _:
                raise HttpRefusal(405, "Only GET, POST and DELETE are served here.", _METHODS)

    async def _post(self, http: HttpRequest) -> None:
        if http.content_type != JSON:
            raise HttpRefusal(415, f"The body must be of type {JSON}.")
        check_accept(http)
        message = rpc.parse(await http.body(self._limits.body_bytes))
        if await self._is_passed_on(http, message):
            return
        if _is_stateless(http, message):
            await stateless_post.post(http, message, self._stateless)
        elif SESSION_QUERY in http.query:
            await self._sse.post(http, message)
        else:
            await self._streamable.post(http, message)

    async def _get(self, http: HttpRequest) -> None:
        if _is_stateless(http):
            raise HttpRefusal(405, "This revision of MCP knows no GET.", [("allow", "POST")])
        of_streamable = SESSION_HEADER in http.headers or VERSION_HEADER in http.headers
        # Who does not say what it takes, takes the stream; programs that look around say */*.
        if await self._is_passed_on(http):
            return
        if not of_streamable and EVENT_STREAM in http.headers.get("accept", EVENT_STREAM):
            await self._sse.get(http)
        else:
            await self._streamable.get(http)

    async def _is_passed_on(self, http: HttpRequest, message: Incoming | None = None) -> bool:
        """Have another server answer a request whose session it has."""
        if self._router is None:
            return False
        body = await http.body(self._limits.body_bytes if message is not None else 0)
        return await self._router.passed_on(http, self._wanted_session(http, message), body)

    def _wanted_session(self, http: HttpRequest, message: Incoming | None) -> WantedSession:
        if not _is_stateless(http, message):
            ident = http.headers.get(SESSION_HEADER) or http.query.get(SESSION_QUERY, "")
            return WantedSession(ident, http.session_name, opens=True)
        if not isinstance(message, RpcRequest):
            return WantedSession()
        opens = message.method == "tools/call"
        return WantedSession(self._stateless.named_by(message), http.session_name, opens)


def _is_stateless(http: HttpRequest, message: Incoming | None = None) -> bool:
    """Whether a request belongs to the stateless era, by its header or else by its body."""
    if http.headers.get(VERSION_HEADER) in MODERN_PROTOCOL_VERSIONS:
        return True
    return message is not None and request_meta.is_stateless(message)
