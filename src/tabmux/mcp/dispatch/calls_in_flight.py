"""Calls in flight: how a tool is called, what its client is told meanwhile, and how it ends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from tabmux.content import Reply
from tabmux.errors import InternalError
from tabmux.mcp.backend import McpSession
from tabmux.mcp.dispatch import client_questions
from tabmux.mcp.dispatch.client_questions import InputRequired
from tabmux.mcp.dispatch.request_context import RequestContext
from tabmux.mcp.rpc import Id, Message, RpcError
from tabmux.mcp.schema import INVALID_PARAMS, INVALID_REQUEST
from tabmux.mcp.server_info import BUSY

logger = logging.getLogger(__name__)

# Clients give up on a call that is silent for a minute or more.
HEARTBEAT_SECONDS = 10.0
MOST_CALLS = 128
CLOSE_SECONDS = 5.0
LONGEST_NAME = 128


async def call_tool(
    session: McpSession, name: str, arguments: Mapping[str, Any], context: RequestContext
) -> Reply:
    """Call a tool; whatever goes wrong is a reply that the agent can read."""
    if len(name) > LONGEST_NAME:
        raise RpcError(INVALID_PARAMS, f"The name of a tool has at most {LONGEST_NAME} characters.")
    with RequestingClient(context) as client:
        try:
            return await session.call(name, arguments, client)
        except (RpcError, InputRequired):
            raise
        except Exception:  # the rim: a tool's error must not tell the client where our code lies
            logger.exception("The tool %s failed", name)
            return Reply.failure(InternalError(f"{name} failed inside tabmux"))


class CallsInFlight:
    """The requests of one client that are still being worked on."""

    def __init__(self, group: asyncio.TaskGroup, most: int = MOST_CALLS) -> None:
        self._group, self._most = group, most
        self._tasks: dict[Id, asyncio.Task[None]] = {}

    def __len__(self) -> int:
        return len(self._tasks)

    def start(self, context: RequestContext, work: Coroutine[Any, Any, Message]) -> None:
        """Work on a request in a task of its own."""
        ident = context.request.id
        if ident in self._tasks or len(self._tasks) >= self._most:
            work.close()
            context.refuse(self._refusal(ident))
            return
        task = self._tasks[ident] = self._group.create_task(context.settle(work))
        task.add_done_callback(lambda _: self._tasks.pop(ident, None))

    def cancel(self, ident: object) -> None:
        """Stop working on a request, if that is still going on."""
        if isinstance(ident, int | str) and (task := self._tasks.get(ident)):
            task.cancel()

    async def close(self, grace: float = 0) -> None:
        """Give the calls a moment to end, then stop them."""
        if self._tasks and grace:
            await asyncio.wait(self._tasks.values(), timeout=grace)
        for task in self._tasks.values():
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=CLOSE_SECONDS)

    def _refusal(self, ident: Id) -> RpcError:
        if ident in self._tasks:
            return RpcError(INVALID_REQUEST, "A request with this id is still being worked on.")
        return RpcError(BUSY, f"More than {self._most} calls are in flight; wait for some to end.")


class RequestingClient:
    """The client of one call, for the length of a `with` block: told of progress, and asked.

    While the call goes on without a word, the client is told that it is still running.
    """

    def __init__(self, context: RequestContext, heartbeat: float = HEARTBEAT_SECONDS) -> None:
        self._context, self._heartbeat = context, heartbeat
        token = context.request.meta.get("progressToken")
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

    async def progress(self, done: float, total: float | None, message: str, /) -> None:
        """Report; a value that does not exceed the one before is not sent."""
        if self._report(done, total, message):
            await self._context.writer.drained()

    async def confirm(self, question: str) -> bool | None:
        """Ask the user; None if the client cannot."""
        asked = self._context.questions
        return None if asked is None else await client_questions.confirm(asked, question)

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
