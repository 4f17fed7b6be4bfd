"""A LangChain agent that uses a browser.

pip install langchain langchain-mcp-adapters langchain-anthropic
ANTHROPIC_API_KEY=… python examples/with_langchain.py "Send the message Hello on https://…"
"""

from __future__ import annotations

import asyncio
import sys

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools

SERVERS = {"tabmux": {"transport": "stdio", "command": "tabmux", "args": ["--headless"]}}


async def work(task: str, model: str | BaseChatModel = "anthropic:claude-sonnet-4-5") -> str:
    """Let an agent do a task in tabs of its own; returns what it says in the end."""
    # One session for all calls: `get_tools()` would connect anew, to an empty one, at each.
    async with MultiServerMCPClient(SERVERS).session("tabmux") as session:
        agent = create_agent(model, await load_mcp_tools(session))
        result = await agent.ainvoke({"messages": [{"role": "user", "content": task}]})
    return str(result["messages"][-1].content)


if __name__ == "__main__":
    sys.stdout.write(asyncio.run(work(sys.argv[1])) + "\n")
