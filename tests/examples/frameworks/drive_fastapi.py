"""FastAPI: the application is served, and read by a client and by an agent."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import urllib.request
from urllib.parse import urlencode

import uvicorn

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    PORT = free.getsockname()[1]
os.environ.update(PORT=str(PORT), TABMUX_TOKEN="t0ken")

import fastapi_application  # reads its port when it is imported

import tabmux


def titles(url: str) -> list[str]:
    """Ask the application, as any HTTP client does."""
    query = urlencode([("url", url), ("url", url)])
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/titles?{query}", timeout=60) as answer:
        found: list[str] = json.load(answer)
        return found


async def main(url: str) -> None:
    """Serve for as long as it is looked at."""
    config = uvicorn.Config(fastapi_application.application, port=PORT, log_level="warning")
    server = uvicorn.Server(config)
    async with asyncio.TaskGroup() as group:
        group.create_task(server.serve())
        try:
            async with asyncio.timeout(60):
                while not server.started:
                    await asyncio.sleep(0.05)
            assert await asyncio.to_thread(titles, url) == ["Messages", "Messages"]
            async with tabmux.session(url=fastapi_application.AGENTS) as tab:
                await tab.goto(url)
                await tab.fill('textbox "Message"', "Hello")
                assert "Sent: Hello" in (await tab.click('button "Send"')).diff
        finally:
            server.should_exit = True


asyncio.run(main(sys.argv[1]))
