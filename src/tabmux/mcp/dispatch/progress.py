"""How far a call has come, told to the client that asked to know."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self

from tabmux.mcp.dispatch.request_context import RequestContext
from tabmux.mcp.rpc import Message

# Clients give up on a call that is silent for a minute or more.
HEARTBEAT_SECONDS = 10.0


class ProgressReporter:
    """Reports of one call, for the length of a `with` block; says "still running" meanwhile."""

    def __init__(self, exchange: RequestContext, heartbeat: float = HEARTBEAT_SECONDS) -> None:
        self._exchange, self._heartbeat = exchange, heartbeat
        token = exchange.request.meta.get("progressToken")
        self._token = token if isinstance(token, int | str) else None
        self._latest = float("-inf")
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> Self:
        if self._token is not None:
            self._wind()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()

    async def __call__(self, done: float, total: float | None, message: str) -> None:
        """Report; a value that does not exceed the one before is not sent."""
        if self._report(done, total, message):
            await self._exchange.outlet.drained()

    def _report(self, done: float, total: float | None, message: str) -> bool:
        if self._token is None or done <= self._latest:
            return False
        self._latest = done
        params: Message = {"progressToken": self._token, "progress": done}
        if total is not None:
            params["total"] = total
        if message:
            params["message"] = message
        self._exchange.notify("notifications/progress", params)
        return True

    def _wind(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._heartbeat, self._beat)

    def _beat(self) -> None:
        """Take the smallest step that counts as progress, so that the tool's own numbers fit."""
        step = 0.0 if self._latest == float("-inf") else self._latest + 1e-6
        self._report(step, None, "still running")
        self._wind()
