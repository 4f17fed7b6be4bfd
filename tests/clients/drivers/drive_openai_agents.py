"""OpenAI Agents SDK: its servers, with the function tools that it makes for its agents."""

from __future__ import annotations

import json
from typing import Any

from agents import Agent, RunContextWrapper
from agents.mcp import MCPServer, MCPServerStdio, MCPServerStreamableHttp, MCPUtil
from agents.tool_context import ToolContext
from steps import PICTURE_CHARACTERS, Answer, Task, expect, report, run, walk


async def drive(task: Task) -> None:
    """Connect and take the steps."""
    server: MCPServer = (
        MCPServerStdio({"command": "tabmux"})
        if task.way == "stdio"
        else MCPServerStreamableHttp({"url": task.server})
    )
    async with server:
        report("connect")
        agent = Agent(name="agent", mcp_servers=[server])
        tools: dict[str, Any] = {
            tool.name: tool for tool in await agent.get_mcp_tools(RunContextWrapper(None))
        }
        await count_strict(server, agent)

        async def call(name: str, **arguments: Any) -> Answer:
            said = json.dumps(arguments)
            context = ToolContext(None, tool_name=name, tool_call_id="1", tool_arguments=said)
            return read(await tools[name].on_invoke_tool(context, said))

        await walk(task, tools, call)


async def count_strict(server: MCPServer, agent: Agent) -> None:
    """Note how many tools can be used in strict mode, which is off by default."""
    strict: Any = await MCPUtil.get_function_tools(server, True, RunContextWrapper(None), agent)
    loose = [tool.name for tool in strict if not tool.strict_json_schema]
    rest = f" (not {', '.join(loose)})" if loose else ""
    report("note", f"strict mode: {len(strict) - len(loose)} of {len(strict)} tools{rest}")


def read(output: Any) -> Answer:
    """Read what a function tool gives to the model."""
    expect(not isinstance(output, str), str(output))
    parts = output if isinstance(output, list) else [output]
    text = "\n".join(part["text"] for part in parts if part["type"] == "text")
    pictures = [part["image_url"] for part in parts if part["type"] == "image"]
    return Answer(text, sum(len(url) > PICTURE_CHARACTERS for url in pictures))


run(drive)
