"""Calls in flight: how a tool is called, and the requests of a client still being worked on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from typing import Any

from tabmux.content import Reply
from tabmux.errors import unexpected
from tabmux.mcp.backend import McpSession
from tabmux.mcp.dispatch.client_questions import InputRequired
from tabmux.mcp.dispatch.progress_notifications import RequestingClient
from tabmux.mcp.dispatch.request_context import RequestContext
from tabmux.mcp.rpc import Id, Message, RpcError
from tabmux.mcp.schema import INVALID_PARAMS, INVALID_REQUEST
from tabmux.mcp.server_info import BUSY

logger = logging.getLogger(__name__)

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
        except Exception as error:  # the rim: errors must not tell clients where our code lies
            logger.exception("The tool %s failed", name)
            return Reply.failure(unexpected(error, f"{name} failed inside tabmux"))


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
        task.add_done_callback(lambda _: self._ended(context, work))

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

    def _ended(self, context: RequestContext, work: Coroutine[Any, Any, Message]) -> None:
        self._tasks.pop(context.request.id, None)
        # A task that is cancelled before its first step settles nothing itself.
        work.close()
        context.abandon()

    def _refusal(self, ident: Id) -> RpcError:
        if ident in self._tasks:
            return RpcError(INVALID_REQUEST, "A request with this id is still being worked on.")
        return RpcError(BUSY, f"More than {self._most} calls are in flight; wait for some to end.")
