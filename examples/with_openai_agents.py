"""An agent of the OpenAI Agents SDK that uses a browser.

pip install openai-agents
OPENAI_API_KEY=… python examples/with_openai_agents.py "Send the message Hello on https://…"
"""

from __future__ import annotations

import asyncio
import sys

from agents import Agent, Model, Runner
from agents.mcp import MCPServerStdio


async def work(task: str, model: str | Model | None = None) -> str:
    """Let an agent do a task in tabs of its own; returns what it says in the end."""
    command = {"command": "tabmux", "args": ["--headless"]}
    # The SDK gives up after five seconds; pages and the start of a browser may take longer.
    async with MCPServerStdio(command, client_session_timeout_seconds=120) as browser:
        agent = Agent(
            name="browser agent",
            instructions="Do the task in the browser, and say in one sentence what came of it.",
            mcp_servers=[browser],
            model=model,
        )
        result = await Runner.run(agent, task)
    return str(result.final_output)


if __name__ == "__main__":
    sys.stdout.write(asyncio.run(work(sys.argv[1])) + "\n")
