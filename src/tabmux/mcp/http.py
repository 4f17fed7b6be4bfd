"""MCP over HTTP, in all its forms on one path."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from mcp_types.jsonrpc import INTERNAL_ERROR, INVALID_REQUEST
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from tabmux.errors import TabmuxError
from tabmux.mcp import envelope, rpc, standalone
from tabmux.mcp.asgi import JSON, Ask, Receive, Refusal, Scope, Send
from tabmux.mcp.delivery import check_accept
from tabmux.mcp.envelope import VERSION_HEADER
from tabmux.mcp.guests import Guest, Guests
from tabmux.mcp.legacy import SESSION_QUERY, Legacy
from tabmux.mcp.protocol import Identity
from tabmux.mcp.rpc import Fault, Incoming
from tabmux.mcp.session import Session
from tabmux.mcp.sse import EVENT_STREAM
from tabmux.mcp.stateless import Stateless
from tabmux.mcp.streamable import SESSION_HEADER, Streamable
from tabmux.mcp.table import Table
from tabmux.mcp.workspace import Workspaces

logger = logging.getLogger(__name__)

_METHODS = [("allow", "GET, POST, DELETE")]


@dataclass(frozen=True)
class Limits:
    """How much HTTP clients may take up."""

    body_bytes: int = 4 * 1024 * 1024
    sessions: int = 500
    idle_seconds: float = 1800.0


class Endpoint:
    """The ASGI application at `/mcp`; serves inside its `async with` block."""

    def __init__(
        self, workspaces: Workspaces, *, version: str, limits: Limits | None = None
    ) -> None:
        self._limits = limits or Limits()
        self._group = asyncio.TaskGroup()
        identity = Identity(version)
        sessions, idle = self._limits.sessions, self._limits.idle_seconds
        self._streamed: Table[Session] = Table(sessions, idle)
        self._legacy_table: Table[Session] = Table(sessions, idle)
        self._guest_table: Table[Guest] = Table(sessions, idle)
        self._streamable = Streamable(identity, workspaces, self._streamed, self._group)
        self._legacy = Legacy(identity, workspaces, self._legacy_table, self._group)
        self._guests = Guests(workspaces, self._guest_table)
        self._stateless = Stateless(identity, self._guests)
        self._sweeps: list[asyncio.Task[None]] = []

    @property
    def sessions(self) -> int:
        """How many sessions are open."""
        return len(self._streamed) + len(self._legacy_table) + len(self._guest_table)

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
        ask = Ask(scope, receive, send)
        try:
            await self._route(ask)
        except Refusal as refusal:
            body = rpc.error(None, Fault(INVALID_REQUEST, refusal.message))
            await ask.reply(refusal.status, body, refusal.headers)
        except Fault as fault:
            await ask.reply(400, rpc.error(fault.ident, fault))
        except TabmuxError as error:
            text = f"{error.message} {error.hint}".strip()
            await ask.reply(503, rpc.error(None, Fault(INTERNAL_ERROR, text)))

    async def _route(self, ask: Ask) -> None:
        match ask.method:
            case "POST":
                await self._post(ask)
            case "GET":
                await self._get(ask)
            case "DELETE" if not _is_stateless(ask):
                await self._streamable.delete(ask)
            case _:
                raise Refusal(405, "Only GET, POST and DELETE are served here.", _METHODS)

    async def _post(self, ask: Ask) -> None:
        if ask.content_type != JSON:
            raise Refusal(415, f"The body must be of type {JSON}.")
        check_accept(ask)
        message = rpc.parse(await ask.body(self._limits.body_bytes))
        if _is_stateless(ask, message):
            await standalone.post(ask, message, self._stateless)
        elif SESSION_QUERY in ask.query:
            await self._legacy.post(ask, message)
        else:
            await self._streamable.post(ask, message)

    async def _get(self, ask: Ask) -> None:
        if _is_stateless(ask):
            raise Refusal(405, "This revision of MCP knows no GET.", [("allow", "POST")])
        opens_stream = EVENT_STREAM in ask.headers.get("accept", "")
        if SESSION_HEADER not in ask.headers and VERSION_HEADER not in ask.headers and opens_stream:
            await self._legacy.get(ask)
        else:
            await self._streamable.get(ask)


def _is_stateless(ask: Ask, message: Incoming | None = None) -> bool:
    """Whether a request belongs to the stateless era, by its header or else by its body."""
    if ask.headers.get(VERSION_HEADER) in MODERN_PROTOCOL_VERSIONS:
        return True
    return message is not None and envelope.is_stateless(message)
