"""Command-line clients: run them, and let them work with the scripted model."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence

from model_server import ModelServer
from steps import Call, Task, expect, walk


async def run_command(*words: str, **further: str) -> str:
    """Run a command to its end; returns what it printed, on either stream."""
    process = await asyncio.create_subprocess_exec(
        *words,
        env={**os.environ, **further},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    printed, _ = await process.communicate()
    text = printed.decode()
    expect(process.returncode == 0, f"{' '.join(words)}: exit code {process.returncode}: {text}")
    return text


async def as_offered(call: Call, tools: list[str]) -> list[str]:
    """Take the tools that the model was offered."""
    return tools


async def work(
    task: Task,
    server: ModelServer,
    words: Sequence[str],
    find_tools: Callable[[Call, list[str]], Awaitable[list[str]]] = as_offered,
    **further: str,
) -> None:
    """Run an agent with the scripted model, and take the steps through it."""
    async with asyncio.TaskGroup() as group:
        agent = group.create_task(run_command(*words, **further))
        tools = group.create_task(server.tools.get())
        await asyncio.wait([agent, tools], return_when=asyncio.FIRST_COMPLETED)
        expect(tools.done(), f"no call of the model: {agent.result() if agent.done() else ''}")
        found = await find_tools(server.script.call, tools.result())
        await walk(task, found, server.script.call)
        await server.script.finish()
