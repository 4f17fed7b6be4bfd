"""Python SDK 2: its client, which chooses the revision by itself."""

from __future__ import annotations

from typing import Any

from mcp import Client, StdioServerParameters
from steps import Answer, Task, mcp_answer, report, run, walk


async def drive(task: Task) -> None:
    """Connect and take the steps."""
    stdio = StdioServerParameters(command="tabmux")
    async with Client(stdio if task.way == "stdio" else task.server) as client:
        report("connect")
        report("note", f"revision {client.protocol_version}")

        async def call(name: str, **arguments: Any) -> Answer:
            return mcp_answer(await client.call_tool(name, arguments))

        await walk(task, [tool.name for tool in (await client.list_tools()).tools], call)


run(drive)
