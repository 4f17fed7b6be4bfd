"""An agent of the Claude Agent SDK that uses a browser.

pip install claude-agent-sdk
ANTHROPIC_API_KEY=… python examples/with_claude_agent_sdk.py "Send the message Hello on https://…"
"""

from __future__ import annotations

import asyncio
import sys

from claude_agent_sdk import ClaudeAgentOptions, ResultMessage, query


async def work(task: str, **options: object) -> str:
    """Let an agent do a task in tabs of its own; returns what it says in the end."""
    browser = {"type": "stdio", "command": "tabmux", "args": ["--headless"]}
    settings = ClaudeAgentOptions(
        mcp_servers={"tabmux": browser},
        # The browser and nothing else: no shell, no files.
        allowed_tools=["mcp__tabmux"],
        tools=["ToolSearch"],
        **options,
    )
    answer = ""
    async for message in query(prompt=task, options=settings):
        if isinstance(message, ResultMessage):
            answer = message.result or ""
    return answer


if __name__ == "__main__":
    sys.stdout.write(asyncio.run(work(sys.argv[1])) + "\n")
