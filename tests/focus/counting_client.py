"""A client of the focus toolset that counts notifications, as they come over the wire."""

from __future__ import annotations

import asyncio
import itertools
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tabmux.daemon.app import App
from tabmux.mcp.stream.line_stream import serve_stream

CHANGED = "notifications/tools/list_changed"
SECONDS = 10.0


class CountingClient:
    """Keeps every message in the order in which it came."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.log: list[dict[str, Any]] = []
        self._writer, self._ids = writer, itertools.count(1)
        self._read = 0
        self._arrived = asyncio.Condition()

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        ident = next(self._ids)
        message = {"jsonrpc": "2.0", "id": ident, "method": method, "params": params}
        self._writer.write(json.dumps(message).encode() + b"\n")
        await self._until(lambda: any(each.get("id") == ident for each in self.log), 60)
        answer = next(each for each in self.log if each.get("id") == ident)
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    async def text(self, name: str, **arguments: Any) -> str:
        """Call a tool, and return the text of its result, whether it failed or not."""
        result = await self.ask("tools/call", name=name, arguments=arguments)
        return "\n".join(each["text"] for each in result["content"])

    async def json(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that answers JSON and must succeed."""
        result = await self.ask("tools/call", name=name, arguments=arguments)
        assert not result["isError"], result
        found: dict[str, Any] = json.loads(result["content"][0]["text"])
        return found

    async def fails(self, name: str, **arguments: Any) -> str:
        """Call a tool that must fail; returns its code."""
        result = await self.ask("tools/call", name=name, arguments=arguments)
        assert result["isError"], result
        return str(result["_meta"]["code"])

    async def tools(self) -> list[str]:
        """Return the names of the tools."""
        return [each["name"] for each in (await self.ask("tools/list"))["tools"]]

    def news(self) -> int:
        """Return how many notifications came since this was last asked."""
        fresh, self._read = self.log[self._read :], len(self.log)
        return sum(each.get("method") == CHANGED for each in fresh)

    def came_before_the_answer(self) -> bool:
        """Whether the last notification came before the answer that follows it."""
        places = [at for at, each in enumerate(self.log) if each.get("method") == CHANGED]
        return bool(places) and any("id" in each for each in self.log[places[-1] :])

    async def next_news(self) -> int:
        """Wait for a notification that no call caused."""
        await self._until(
            lambda: any(each.get("method") == CHANGED for each in self.log[self._read :]), SECONDS
        )
        return self.news()

    async def _until(self, condition: Any, seconds: float) -> None:
        async with asyncio.timeout(seconds), self._arrived:
            await self._arrived.wait_for(condition)

    async def listen(self, reader: asyncio.StreamReader) -> None:
        """Read until the other side ends."""
        while line := await reader.readline():
            async with self._arrived:
                self.log.append(json.loads(line))
                self._arrived.notify_all()


@asynccontextmanager
async def counting(app: App) -> AsyncIterator[CountingClient]:
    """Connect a client for the length of the block."""
    near, far = socket.socketpair()
    ours, theirs = [await asyncio.open_connection(sock=end, limit=1 << 26) for end in (near, far)]
    async with asyncio.TaskGroup() as group:
        serving = group.create_task(serve_stream(app, *theirs, version="test"))
        client = CountingClient(ours[1])
        listening = group.create_task(client.listen(ours[0]))
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}}
        answer = await client.ask("initialize", **hello, clientInfo={"name": "t", "version": "1"})
        assert answer["capabilities"]["tools"]["listChanged"] is True
        try:
            yield client
        finally:
            ours[1].close()
            await serving
            listening.cancel()
            theirs[1].close()
