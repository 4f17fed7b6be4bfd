"""MCP Inspector: its --cli mode, which is a process and a connection for every call."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from steps import PICTURE_CHARACTERS, Answer, Task, expect, report, run, walk


async def drive(task: Task) -> None:
    """Take the steps, each with a command."""
    named = ["-e", f"TABMUX_SESSION={task.session}"] if task.session else []
    target = [*named, "tabmux"] if task.way == "stdio" else [task.server]

    async def call(name: str, **arguments: Any) -> Answer:
        given = [f"{key}={value}" for key, value in arguments.items()]
        words = ["--tool-name", name, *(["--tool-arg", *given] if given else [])]
        result = await inspect(*target, "--method", "tools/call", *words)
        text = "\n".join(part["text"] for part in result["content"] if part["type"] == "text")
        expect(not result.get("isError"), text)
        pictures = [part["data"] for part in result["content"] if part["type"] == "image"]
        return Answer(text, sum(len(data) > PICTURE_CHARACTERS for data in pictures))

    listed = await inspect(*target, "--method", "tools/list")
    report("connect")
    await walk(task, [tool["name"] for tool in listed["tools"]], call)


async def inspect(*words: str) -> Any:
    """Run the inspector and return what it printed."""
    process = await asyncio.create_subprocess_exec(
        "mcp-inspector", "--cli", *words, stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await process.communicate()
    expect(process.returncode in (0, 5), f"exit code {process.returncode}: {printed.decode()}")
    return json.loads(printed)


run(drive)
