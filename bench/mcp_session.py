"""One MCP session over one HTTP connection, as plain as can be."""

from __future__ import annotations

import asyncio
import json

from bench.trouble import BenchError

CALL_SECONDS = 30.0


class Session:
    """A client that initializes, calls a trivial tool, and leaves."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._id = ""

    @classmethod
    async def opened(cls, port: int) -> Session:
        """Connect and initialize."""
        session = cls(*await asyncio.open_connection("127.0.0.1", port))
        about = {"name": "bench", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about}
        await session._ask("POST", {"id": 0, "method": "initialize", "params": params}, port)
        await session._ask("POST", {"method": "notifications/initialized"}, port)
        return session

    async def call(self, port: int) -> None:
        """Call the trivial tool."""
        await self.tool(port, "list_browsers", {})

    async def tool(
        self, port: int, name: str, arguments: dict[str, object], seconds: float = CALL_SECONDS
    ) -> bytes:
        """Call a tool; returns its answer as it came."""
        params = {"name": name, "arguments": arguments}
        message = {"id": 1, "method": "tools/call", "params": params}
        status, body = await self._ask("POST", message, port, seconds)
        if status != 200 or b'"content"' not in body or b'"isError":true' in body:
            raise BenchError(f"A call was answered with {status}: {body[:200]!r}")
        return body

    async def notify(self, port: int, message: dict[str, object]) -> None:
        """Send what needs no answer."""
        await self._ask("POST", message, port)

    async def close(self, port: int) -> None:
        """End the session."""
        await self._ask("DELETE", None, port)
        self._writer.close()

    async def _ask(
        self,
        method: str,
        message: dict[str, object] | None,
        port: int,
        seconds: float = CALL_SECONDS,
    ) -> tuple[int, bytes]:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode() if message else b""
        head = [f"{method} /mcp HTTP/1.1", f"host: 127.0.0.1:{port}"]
        head += ["content-type: application/json", f"content-length: {len(body)}"]
        head += ["accept: application/json, text/event-stream"]
        head += [f"mcp-session-id: {self._id}"] if self._id else []
        if self._reader.at_eof():  # servers close a connection that has been idle for a while
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", port)
        self._writer.write("\r\n".join([*head, "", ""]).encode() + body)
        async with asyncio.timeout(seconds):
            return await self._answer()

    async def _answer(self) -> tuple[int, bytes]:
        lines = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
        cased = dict(line.split(": ", 1) for line in lines[1:] if line)
        for key, value in cased.items():
            if key.lower() == "mcp-session-id":
                self._id = value
        if fields.get("transfer-encoding") == "chunked":
            return int(lines[0].split()[1]), await self._chunks()
        length = int(fields.get("content-length", 0))
        return int(lines[0].split()[1]), await self._reader.readexactly(length)

    async def _chunks(self) -> bytes:
        body = b""
        while size := int(await self._reader.readline(), 16):
            body += await self._reader.readexactly(size)
            await self._reader.readline()
        await self._reader.readline()
        return body
