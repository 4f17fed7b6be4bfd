"""fastmcp: its client, with the transports that it makes of a configuration or a URL."""

from __future__ import annotations

from typing import Any

from fastmcp import Client
from steps import Answer, Task, mcp_answer, report, run, walk

STDIO = {"mcpServers": {"tabmux": {"command": "tabmux"}}}


async def drive(task: Task) -> None:
    """Connect and take the steps."""
    target: Any = STDIO if task.way == "stdio" else task.server
    async with Client(target) as client:
        report("connect")

        async def call(name: str, **arguments: Any) -> Answer:
            return mcp_answer(await client.call_tool(name, arguments))

        await walk(task, [tool.name for tool in await client.list_tools()], call)


run(drive)
