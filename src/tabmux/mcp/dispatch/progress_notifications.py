"""Progress notifications: how far a call has come, told to its client, which is also asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from tabmux.mcp.dispatch import client_questions
from tabmux.mcp.dispatch.request_context import RequestContext
from tabmux.mcp.rpc import Message

# Clients give up on a call that is silent for a minute or more.
HEARTBEAT_SECONDS = 10.0
LONGEST_TRACEPARENT = 55


class RequestingClient:
    """The client of one call, for the length of a `with` block: told of progress, and asked.

    While the call goes on without a word, the client is told that it is still running.
    """

    def __init__(self, context: RequestContext, heartbeat: float = HEARTBEAT_SECONDS) -> None:
        self._context, self._heartbeat = context, heartbeat
        self.request_key, self.has_begun = context.key, False
        token = context.request.meta.get("progressToken")
        self._token = token if isinstance(token, int | str) else None
        self.traceparent = str(context.request.meta.get("traceparent") or "")[:LONGEST_TRACEPARENT]
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

    @property
    def is_patient(self) -> bool:
        """Whether the client waits as long as the call takes."""
        return self._context.outlasts

    async def progress(self, done: float, total: float | None, message: str, /) -> None:
        """Report; a value that does not exceed the one before is not sent."""
        if self._report(done, total, message):
            await self._context.writer.drained()

    async def confirm(self, question: str, *, about: str = "confirm") -> bool | None:
        """Ask the user; None if the client cannot. `about` tells questions of one call apart."""
        asked = self._context.questions
        return None if asked is None else await client_questions.confirm(asked, question, about)

    async def roots(self) -> Sequence[str]:
        """Return the URIs of the folders that the client works in."""
        asked = self._context.questions
        return () if asked is None else await client_questions.list_roots(asked)

    def _report(self, done: float, total: float | None, message: str) -> bool:
        if self._token is None or done <= self._latest:
            return False
        self._latest = done
        params: Message = {"progressToken": self._token, "progress": done}
        if total is not None:
            params["total"] = total
        if message:
            params["message"] = message
        self._context.notify("notifications/progress", params)
        return True

    def _wind(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._heartbeat, self._beat)

    def _beat(self) -> None:
        """Take the smallest step that counts as progress, so that the tool's own numbers fit."""
        step = 0.0 if self._latest == float("-inf") else self._latest + 1e-6
        self._report(step, None, "still running")
        self._wind()
