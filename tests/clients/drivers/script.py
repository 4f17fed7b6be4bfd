"""The steps as a model: an agent asks what to do next, and is told the next step's call."""

from __future__ import annotations

import asyncio
from typing import Any

from steps import Answer


class Script:
    """Joins a walk, which calls tools, to an agent, which asks its model for calls."""

    def __init__(self) -> None:
        self._calls: asyncio.Queue[tuple[str, dict[str, Any]] | None] = asyncio.Queue()
        self._answers: asyncio.Queue[Answer | Exception] = asyncio.Queue()

    async def call(self, name: str, **arguments: Any) -> Answer:
        """Let the agent call a tool when it asks next; returns what it tells its model."""
        await self._calls.put((name, arguments))
        answer = await self._answers.get()
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def answered(self, answer: Answer | Exception) -> None:
        """Take what became of the last call."""
        await self._answers.put(answer)

    async def next_call(self) -> tuple[str, dict[str, Any]] | None:
        """Return what the agent is to call; nothing after the last step."""
        return await self._calls.get()

    async def finish(self) -> None:
        """Let the agent end."""
        await self._calls.put(None)
