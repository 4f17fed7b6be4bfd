"""Python SDK 1: a client session over its own transports."""

from __future__ import annotations

from typing import Any

from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from steps import Answer, Task, mcp_answer, report, run, walk


async def drive(task: Task) -> None:
    """Connect and take the steps."""
    stdio = task.way == "stdio"
    transport: Any = (
        stdio_client(StdioServerParameters(command="tabmux"))
        if stdio
        else streamable_http_client(task.server)
    )
    async with transport as (read, write, *_), ClientSession(read, write) as session:
        await session.initialize()
        report("connect")

        async def call(name: str, **arguments: Any) -> Answer:
            return mcp_answer(await session.call_tool(name, arguments))

        await walk(task, [tool.name for tool in (await session.list_tools()).tools], call)


run(drive)
