"""Google Gen AI SDK: an MCP session as a tool of generate_content(), which calls it by itself."""

from __future__ import annotations

import asyncio
from typing import Any

from google import genai
from google.genai import types
from google.genai._mcp_utils import mcp_to_gemini_tool
from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from model_server import ModelServer, model_server
from steps import Task, report, run, walk


async def drive(task: Task) -> None:
    """Connect, give the session to a model, and take the steps."""
    stdio = task.way == "stdio"
    transport: Any = (
        stdio_client(StdioServerParameters(command="tabmux"))
        if stdio
        else streamable_http_client(task.server)
    )
    async with transport as (read, write, *_), ClientSession(read, write) as session:
        await session.initialize()
        report("connect")
        count_converted((await session.list_tools()).tools)
        async with model_server("gemini") as server, asyncio.TaskGroup() as group:
            group.create_task(generate(server, session))
            await walk(task, await server.tools.get(), server.script.call)
            await server.script.finish()


async def generate(server: ModelServer, session: ClientSession) -> None:
    """Let the SDK run its loop of model and tools."""
    options = types.HttpOptions(base_url=server.url)
    client = genai.Client(api_key="none", http_options=options)
    # As a dictionary: version 3.1 makes a deep copy of a config object, which a session is not for.
    config: Any = {"tools": [session]}
    await client.aio.models.generate_content(model="scripted", contents="go", config=config)


def count_converted(tools: list[Any]) -> None:
    """Note how many tools become function declarations."""
    refused = [tool.name for tool in tools if not converts(tool)]
    rest = f" (not {', '.join(refused[:3])} …)" if refused else ""
    report("note", f"{len(tools) - len(refused)} of {len(tools)} tools convert{rest}")


def converts(tool: Any) -> bool:
    """Whether the SDK can declare a tool to its model."""
    try:
        mcp_to_gemini_tool(tool)
    except Exception:  # noqa: BLE001 whatever it is, the tool is lost
        return False
    return True


run(drive)
