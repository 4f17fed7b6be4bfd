"""Clients of the daemon as they really come: each with a relay process of its own."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

TABMUX = [sys.executable, "-m", "tabmux"]


class Client:
    """An MCP client over the standard streams of a relay."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process, self._last = process, 0

    async def request(self, method: str, params: dict[str, Any]) -> Any:
        return (await self.answer(method, params))["result"]

    def send(self, method: str, params: dict[str, Any]) -> None:
        self._last += 1
        message = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": params}
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")

    async def answer(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.send(method, params)
        assert self.process.stdout is not None
        async with asyncio.timeout(40):
            while True:
                line = await self.process.stdout.readline()
                assert line, "the relay ended"
                answer: dict[str, Any] = json.loads(line)
                if answer.get("id") == self._last:
                    return answer

    async def call(self, tool: str, /, **arguments: Any) -> str:
        result = await self.request("tools/call", {"name": tool, "arguments": arguments})
        return str(result["content"][0]["text"])


@asynccontextmanager
async def relay(home: dict[str, str], *flags: str, session: str = "") -> AsyncIterator[Client]:
    process = await asyncio.create_subprocess_exec(
        *TABMUX,
        *flags,
        env={**home, "TABMUX_SESSION": session},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=1 << 26,
    )
    try:
        client = Client(process)
        hello = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        }
        await client.request("initialize", hello)
        yield client
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


async def run(home: dict[str, str], *arguments: str) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_exec(
        *TABMUX,
        *arguments,
        env=home,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(40):
        out, _ = await process.communicate()
    return process.returncode, out.decode()
