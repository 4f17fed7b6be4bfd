"""One client of the handshake era over HTTP: its id, its streams, its workspace."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from tabmux.mcp.backend import Workspaces
from tabmux.mcp.dispatch.calls_in_flight import CallsInFlight
from tabmux.mcp.dispatch.stateful import Client
from tabmux.mcp.http.replay_buffer import ReplayBuffer
from tabmux.mcp.server_info import ServerInfo

CLOSE_SECONDS = 10.0
# The first revision whose clients can be told how to resume before the first message.
RESUMABLE_SINCE = "2025-11-25"


class HttpConnection:
    """What lives between `initialize` and the client's leave, across connections."""

    def __init__(
        self, identity: ServerInfo, workspaces: Workspaces, group: asyncio.TaskGroup
    ) -> None:
        self.id = secrets.token_urlsafe(24)
        self.tape = ReplayBuffer()
        self._workspace = workspaces.open()
        calls = CallsInFlight(group)
        self.client = Client(identity, lambda: self._workspace, self.tape.standing, calls)
        self._connections = 0

    @property
    def handle(self) -> str:
        """The name of its workspace."""
        return self._workspace.handle

    @property
    def is_busy(self) -> bool:
        """Whether the client is connected, or a call of its goes on."""
        return self._connections > 0 or len(self.client.calls) > 0

    @property
    def is_resumable(self) -> bool:
        """Whether the client understands how to take up a broken stream."""
        return self.client.version is not None and self.client.version >= RESUMABLE_SINCE

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Count a connection for the length of the block."""
        self._connections += 1
        try:
            yield
        finally:
            self._connections -= 1

    async def close(self) -> None:
        """Stop the calls, end the streams and the session."""
        self.client.close()
        await self.client.calls.close()
        self.tape.end()
        async with asyncio.timeout(CLOSE_SECONDS):
            await self._workspace.close()
