"""Tool tasks: calls that outlast their request, which the client asks for again (an extension)."""

from __future__ import annotations

import asyncio
import itertools
import logging
import secrets
import time
from collections.abc import Coroutine, Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from tabmux.mcp.backend import McpSession
from tabmux.mcp.dispatch.client_questions import ClientQuestion
from tabmux.mcp.rpc import Message, RpcError
from tabmux.mcp.schema import INTERNAL_ERROR, INVALID_PARAMS
from tabmux.mcp.server_info import TASKS_EXTENSION

logger = logging.getLogger(__name__)

METHODS = frozenset({"tasks/get", "tasks/update", "tasks/cancel"})
# How long the outcome is kept, counted from the beginning; longer than such calls may take.
KEPT_SECONDS = 2 * 3600.0
POLL_MILLISECONDS = 2_000
MOST_TASKS = 200

Status = Literal["working", "input_required", "completed", "failed", "cancelled"]


class ToolTask:
    """One call that goes on by itself; asks its client through its own state.

    Args:
        capabilities: What the client has declared with the call.
        ident: Its unguessable id; a new one when absent.
    """

    def __init__(self, capabilities: Message, ident: str = "") -> None:
        self.capabilities = capabilities
        self.id = ident or secrets.token_urlsafe(24)
        self.began = time.monotonic()
        self._created = self._updated = _now()
        self._status: Status = "working"
        self._outcome: Message = {}
        self._numbers = itertools.count(1)
        self._questions: dict[str, ClientQuestion] = {}
        self._answers: dict[str, asyncio.Future[Message]] = {}
        self._work: asyncio.Task[None] | None = None

    @property
    def state(self) -> Message:
        """What the client is told of it."""
        found: Message = {
            "taskId": self.id,
            "status": self._status,
            "createdAt": self._created,
            "lastUpdatedAt": self._updated,
            "ttlMs": round(KEPT_SECONDS * 1000),
            "pollIntervalMs": POLL_MILLISECONDS,
            **self._outcome,
        }
        if self._status == "input_required":
            found["inputRequests"] = {name: q.message for name, q in self._questions.items()}
        return found

    def run(self, work: Coroutine[Any, Any, Message], group: asyncio.TaskGroup) -> None:
        """Begin the work."""
        self._work = group.create_task(self._run(work))
        # One that is cancelled before its first step would leave the work behind, never begun.
        self._work.add_done_callback(lambda _: work.close())

    @property
    def is_done(self) -> bool:
        """Whether the work has ended."""
        return self._work is None or self._work.done()

    def cancel(self) -> None:
        """End the work, unless it has ended."""
        if self._work is not None and not self.is_done:
            self._become("cancelled")
            self._work.cancel()

    async def ask(self, questions: Mapping[str, ClientQuestion]) -> dict[str, Message]:
        """Let the client see the questions with the task, and wait for its answers."""
        keys = {name: f"{name}-{next(self._numbers)}" for name in questions}
        loop = asyncio.get_running_loop()
        for name, key in keys.items():
            self._questions[key], self._answers[key] = questions[name], loop.create_future()
        self._become("input_required")
        try:
            return {name: await self._answers[key] for name, key in keys.items()}
        finally:
            for key in keys.values():
                self._questions.pop(key, None)
                self._answers.pop(key, None)
            if self._status == "input_required" and not self._questions:
                self._become("working")

    def answer(self, given: Mapping[str, Any]) -> None:
        """Take answers; those to questions that are not open any more are ignored."""
        for key in self._questions.keys() & given.keys():
            checked = self._questions[key].checked(given[key])
            if not self._answers[key].done():
                self._answers[key].set_result(checked)

    async def _run(self, work: Coroutine[Any, Any, Message]) -> None:
        try:
            self._end("completed", {"result": await work})
        except RpcError as error:
            self._end("failed", {"error": {"code": error.code, "message": error.message}})
        except Exception:  # the rim of a task that stands for itself
            logger.exception("A task failed")
            self._end("failed", {"error": {"code": INTERNAL_ERROR, "message": "Internal error."}})

    def _end(self, status: Status, outcome: Message) -> None:
        self._outcome = outcome
        self._become(status)

    def _become(self, status: Status) -> None:
        self._status, self._updated = status, _now()


class ToolTasks:
    """The tasks of all clients of a server; who knows the id of one may ask for it."""

    def __init__(self, group: asyncio.TaskGroup) -> None:
        self._group = group
        self._tasks: dict[str, ToolTask] = {}

    def suits(self, session: McpSession, tool: str, capabilities: Message) -> bool:
        """Whether a call becomes a task: its client knows tasks, and it may take long."""
        if TASKS_EXTENSION not in (capabilities.get("extensions") or {}):
            return False
        return any(spec.name == tool and spec.lasts for spec in session.tools())

    def add(self, task: ToolTask, work: Coroutine[Any, Any, Message]) -> Message:
        """Begin a task; returns what its client is answered."""
        oldest = time.monotonic() - KEPT_SECONDS
        # Those that have ended go first: others are somebody's work.
        for old in sorted(self._tasks.values(), key=lambda each: not each.is_done):
            if old.began < oldest or len(self._tasks) >= MOST_TASKS:
                old.cancel()
                del self._tasks[old.id]
        self._tasks[task.id] = task
        task.run(work, self._group)
        return {"resultType": "task", **task.state}

    def answer(self, method: str, params: Message) -> Message:
        """Answer a request about a task."""
        task = self._tasks.get(str(params.get("taskId")))
        if task is None:
            raise RpcError(INVALID_PARAMS, "There is no such task.")
        if method == "tasks/get":
            return {"resultType": "complete", **task.state}
        if method == "tasks/cancel":
            task.cancel()
        elif isinstance(given := params.get("inputResponses"), dict):
            task.answer(given)
        else:
            raise RpcError(INVALID_PARAMS, "inputResponses must be an object.")
        return {"resultType": "complete"}

    def close(self) -> None:
        """End all tasks."""
        for task in self._tasks.values():
            task.cancel()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
