"""A Pydantic AI agent that uses a browser.

pip install "pydantic-ai-slim[mcp,anthropic]"
ANTHROPIC_API_KEY=… python examples/with_pydantic_ai.py "Send the message Hello on https://…"
"""

from __future__ import annotations

import asyncio
import sys

from fastmcp.client.transports import StdioTransport
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.models import Model


async def work(task: str, model: str | Model = "anthropic:claude-sonnet-4-5") -> str:
    """Let an agent do a task in tabs of its own; returns what it says in the end."""
    browser = MCPToolset(StdioTransport("tabmux", ["--headless"]))
    agent = Agent(model, toolsets=[browser])
    async with agent:
        return (await agent.run(task)).output


if __name__ == "__main__":
    sys.stdout.write(asyncio.run(work(sys.argv[1])) + "\n")
