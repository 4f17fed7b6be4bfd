"""Pydantic AI: an agent with an MCP toolset, whose model is the script."""

from __future__ import annotations

import asyncio
from typing import Any

from fastmcp.client.transports import StdioTransport
from pydantic_ai import Agent, BinaryImage
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    RetryPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from script import Script
from steps import Answer, StepFailed, Task, report, run, walk


async def drive(task: Task) -> None:
    """Run the agent and take the steps."""
    script = Script()
    tools: asyncio.Queue[list[str]] = asyncio.Queue()

    async def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if len(messages) == 1:
            await tools.put([tool.name for tool in info.function_tools])
        else:
            await script.answered(read(messages[-1].parts))
        call = await script.next_call()
        return ModelResponse([ToolCallPart(*call) if call else TextPart("done")])

    target: Any = StdioTransport("tabmux", []) if task.way == "stdio" else task.server
    agent = Agent(FunctionModel(model), toolsets=[MCPToolset(target)])
    async with agent, asyncio.TaskGroup() as group:
        report("connect")
        group.create_task(agent.run("go"))
        await walk(task, await tools.get(), script.call)
        await script.finish()


def read(parts: Any) -> Answer | Exception:
    """Read what the agent tells its model of a call."""
    text, pictures = "", 0
    for part in parts:
        if isinstance(part, RetryPromptPart):
            return StepFailed(str(part.content))
        if isinstance(part, ToolReturnPart | UserPromptPart):
            content = part.content if isinstance(part.content, list) else [part.content]
            text += "\n".join(str(item) for item in content if not isinstance(item, BinaryImage))
            pictures += sum(isinstance(item, BinaryImage) for item in content)
    return Answer(text, pictures)


run(drive)
