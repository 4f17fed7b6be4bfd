"""LangChain: tools of one session, or those of `get_tools()`, which connect at every call."""

from __future__ import annotations

from typing import Any

from langchain_core.tools import BaseTool
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools
from steps import PICTURE_CHARACTERS, Answer, Task, expect, report, run, walk


async def drive(task: Task) -> None:
    """Connect and take the steps."""
    named = {"env": {"TABMUX_SESSION": task.session}} if task.session else {}
    server: Any = (
        {"transport": "stdio", "command": "tabmux", "args": [], **named}
        if task.way == "stdio"
        else {"transport": "streamable_http", "url": task.server}
    )
    client = MultiServerMCPClient({"tabmux": server})
    if task.manner == "tools":
        await use(task, await client.get_tools())
    else:
        async with client.session("tabmux") as session:
            await use(task, await load_mcp_tools(session))


async def use(task: Task, tools: list[BaseTool]) -> None:
    """Take the steps with tools as an agent would be given them."""
    report("connect")
    by_name = {tool.name: tool for tool in tools}

    async def call(name: str, **arguments: Any) -> Answer:
        said = {"type": "tool_call", "id": "1", "name": name, "args": arguments}
        message = await by_name[name].ainvoke(said)
        expect(message.status == "success", str(message.content))
        parts = message.content
        text = "\n".join(part["text"] for part in parts if part["type"] == "text")
        pictures = [part for part in parts if part["type"] == "image"]
        return Answer(text, sum(len(part["base64"]) > PICTURE_CHARACTERS for part in pictures))

    await walk(task, by_name, call)


run(drive)
