"""MCP over a stream of bytes, one message a line: stdio, or a socket."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Protocol

from tabmux.content import ToolSpec
from tabmux.mcp import rpc
from tabmux.mcp.backend import Workspace, Workspaces
from tabmux.mcp.dispatch import request_meta
from tabmux.mcp.dispatch.calls_in_flight import CallsInFlight
from tabmux.mcp.dispatch.request_context import MessageWriter, RequestContext
from tabmux.mcp.dispatch.stateful import Client
from tabmux.mcp.dispatch.stateless import StatelessDispatcher
from tabmux.mcp.lodging import Stay
from tabmux.mcp.rpc import Id, RpcError, RpcRequest
from tabmux.mcp.schema import INVALID_REQUEST
from tabmux.mcp.server_info import ServerInfo

logger = logging.getLogger(__name__)

LONGEST_LINE = 64 * 1024 * 1024
# Answers that are nearly ready still reach a script that closed its end after the last request.
GRACE_SECONDS = 0.5
CLOSE_SECONDS = 10.0

_CHUNK = 256 * 1024


class Source(Protocol):
    """Where bytes come from; asyncio.StreamReader is one."""

    async def read(self, n: int = -1, /) -> bytes:
        """Return some bytes, or none at the end."""


class Sink(Protocol):
    """Where bytes go; asyncio.StreamWriter is one."""

    def write(self, data: bytes, /) -> None:
        """Queue bytes."""

    async def drain(self) -> None:
        """Wait until the queue is short again."""


async def serve_stream(workspaces: Workspaces, source: Source, sink: Sink, *, version: str) -> None:
    """Serve one client until its end of the stream closes, then end its session."""
    async with asyncio.TaskGroup() as group:
        identity = ServerInfo.of(workspaces, version)
        connection = Connection(identity, workspaces, LineWriter(sink), group)
        try:
            async for line in lines(source):
                connection.receive(line)
        except ConnectionError:
            logger.debug("The client has gone away")
        finally:
            await connection.close()


async def lines(source: Source, longest: int = LONGEST_LINE) -> AsyncIterator[bytes | None]:
    """Cut a stream into lines; None stands for one that was too long."""
    rest, overlong = bytearray(), False
    while chunk := await source.read(_CHUNK):
        first, *more = chunk.split(b"\n")
        rest += first
        for following in more:
            yield None if overlong else bytes(rest)
            rest, overlong = bytearray(following), False
        if len(rest) > longest:
            rest, overlong = bytearray(), True
    if rest:
        yield bytes(rest)


class LineWriter:
    """Writes messages as lines."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def send(self, frame: bytes) -> None:
        """Write a message."""
        self._sink.write(frame + b"\n")

    finish = send

    def abandon(self, ident: Id) -> None:
        """Say nothing: whoever cancelled expects no answer."""

    async def drained(self) -> None:
        """Wait for a slow reader; one that is gone shows at the other end of the stream."""
        try:
            await self._sink.drain()
        except ConnectionError:
            logger.debug("The client no longer reads")


class Connection:
    """One client on one stream, whichever era each of its requests belongs to.

    The stream itself stands for the session, in both eras.
    """

    def __init__(
        self,
        identity: ServerInfo,
        workspaces: Workspaces,
        outlet: MessageWriter,
        group: asyncio.TaskGroup,
    ) -> None:
        self._outlet = outlet
        self._calls = CallsInFlight(group)
        self._berth = _Berth(workspaces)
        self._client = Client(identity, self._berth.workspace, outlet, self._calls)
        self._stateless = StatelessDispatcher(identity, self._berth)

    def receive(self, line: bytes | None) -> None:
        """Take one line."""
        if line is not None and (not line or line.isspace()):
            return
        try:
            if line is None:
                raise RpcError(INVALID_REQUEST, f"A message must not exceed {LONGEST_LINE} bytes.")
            message = rpc.parse(line)
        except RpcError as fault:
            self._outlet.send(rpc.error(fault.ident, fault))
            return
        if isinstance(message, RpcRequest) and request_meta.is_stateless(message):
            self._request(RequestContext(message, self._outlet, self))
        else:
            self._client.receive(message, self._outlet)

    def _request(self, exchange: RequestContext) -> None:
        with exchange.guarded():
            opened = request_meta.read_meta(exchange.request)
            self._stateless.receive(exchange, opened, self._calls.start)

    async def close(self) -> None:
        """End the calls, then the session."""
        self._stateless.close()
        await self._calls.close(GRACE_SECONDS)
        self._client.close()
        await self._berth.close()


class _Berth:
    """The session that a stream stands for, opened when first needed."""

    def __init__(self, workspaces: Workspaces) -> None:
        self._workspaces = workspaces
        self._own: Workspace | None = None

    def workspace(self) -> Workspace:
        if self._own is None:
            self._own = self._workspaces.open()
        return self._own

    def tools(self) -> Sequence[ToolSpec]:
        return self.workspace().tools(stateless=True)

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        return self.workspace().on_tools_changed(listener)

    def enter(self, handle: str | None, origin: str = "") -> Stay | None:
        found = self.workspace() if handle is None else self._workspaces.find(handle)
        return None if found is None else Stay(found)

    async def discard(self, workspace: Workspace) -> None:
        """Keep it: the next call without a handle uses it again."""

    async def close(self) -> None:
        if self._own is not None:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._own.close()
