"""A Gemini model that uses a browser, by the Google Gen AI SDK.

pip install google-genai mcp
GEMINI_API_KEY=… python examples/with_google_genai.py "Send the message Hello on https://…"
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from google import genai
from mcp import ClientSession, StdioServerParameters, stdio_client

BROWSER = StdioServerParameters(command="tabmux", args=["--headless"])


async def work(task: str, client: genai.Client | None = None) -> str:
    """Let a model do a task in tabs of its own; returns what it says in the end."""
    client = client or genai.Client()
    async with stdio_client(BROWSER) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        # The SDK calls the tools of the session by itself, until the model has no more to do.
        config: Any = {"tools": [session]}
        response = await client.aio.models.generate_content(
            model="gemini-3-pro", contents=task, config=config
        )
    return str(response.text)


if __name__ == "__main__":
    sys.stdout.write(asyncio.run(work(sys.argv[1])) + "\n")
