"""Wires: how an agent of the soak reaches a server, over the daemon's socket or over HTTP."""

from __future__ import annotations

import asyncio
import itertools
import json
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import httpx2

from tests.mcp.raw_clients import INITIALIZE, request

# Every tool ends by itself well before; a call that takes longer hangs.
HANG_SECONDS = 240.0
LARGEST = 1 << 28


class Hang(Exception):
    """A call was not answered at all."""


class Gone(Exception):
    """The connection has ended."""


class Wire(Protocol):
    """One client's way to a server."""

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call a tool; returns its result."""

    async def give_up(self, tool: str, arguments: dict[str, Any], seconds: float) -> None:
        """Call a tool, and cancel the call after a while."""

    async def drop(self, tool: str, arguments: dict[str, Any], seconds: float) -> None:
        """Call a tool, and vanish while it runs."""

    async def close(self) -> None:
        """Leave as a client should."""


class SocketWire:
    """A client on the daemon's socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._ids = itertools.count(1)

    @classmethod
    async def open(cls, socket: Path) -> SocketWire:
        """Connect and shake hands."""
        wire = cls(*await asyncio.open_unix_connection(str(socket), limit=LARGEST))
        await wire._answer(wire._send("initialize", INITIALIZE))
        wire._write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return wire

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call a tool; returns its result."""
        return await self._answer(self._send("tools/call", _called(tool, arguments)))

    async def give_up(self, tool: str, arguments: dict[str, Any], seconds: float) -> None:
        """Call a tool, and cancel the call after a while."""
        ident = self._send("tools/call", _called(tool, arguments))
        await asyncio.sleep(seconds)
        cancelled = {"requestId": ident}
        self._write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled})
        # Whatever came of it, the next request is answered.
        await self._answer(self._send("ping", {}))

    async def drop(self, tool: str, arguments: dict[str, Any], seconds: float) -> None:
        """Call a tool, and vanish while it runs."""
        self._send("tools/call", _called(tool, arguments))
        await asyncio.sleep(seconds)
        self._writer.transport.abort()

    async def close(self) -> None:
        """Leave as a client should."""
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()

    def _send(self, method: str, params: dict[str, Any]) -> int:
        ident = next(self._ids)
        self._write(request(ident, method, **params))
        return ident

    def _write(self, message: dict[str, Any]) -> None:
        self._writer.write(json.dumps(message).encode() + b"\n")

    async def _answer(self, ident: int) -> dict[str, Any]:
        try:
            async with asyncio.timeout(HANG_SECONDS):
                while line := await self._reader.readline():
                    message = json.loads(line)
                    if message.get("id") == ident and "method" not in message:
                        return _result(message)
        except TimeoutError as error:
            raise Hang from error
        except OSError as error:
            raise Gone from error
        raise Gone


class HttpWire:
    """A client of `/mcp`."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self._client = client
        self._ids = itertools.count(1)
        self._headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
        }

    @classmethod
    async def open(cls, address: str) -> HttpWire:
        """Connect and shake hands."""
        wire = cls(httpx2.AsyncClient(base_url=address, timeout=HANG_SECONDS))
        response = await wire._post(request(0, "initialize", **INITIALIZE))
        wire._headers["mcp-session-id"] = response.headers["mcp-session-id"]
        return wire

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call a tool; returns its result."""
        message = request(next(self._ids), "tools/call", **_called(tool, arguments))
        response = await self._post(message)
        if response.status_code == 404:
            raise Gone
        return _result(_last_message(response))

    async def give_up(self, tool: str, arguments: dict[str, Any], seconds: float) -> None:
        """Call a tool, and cancel the call after a while."""
        ident = next(self._ids)
        message = request(ident, "tools/call", **_called(tool, arguments))
        cancelled = {
            "jsonrpc": "2.0",
            "method": "notifications/cancelled",
            "params": {"requestId": ident},
        }
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._post(message))
                await asyncio.sleep(seconds)
                await self._post(cancelled)
        except ExceptionGroup as error:
            raise error.exceptions[0] from None

    async def drop(self, tool: str, arguments: dict[str, Any], seconds: float) -> None:
        """Call a tool, and vanish while it runs."""
        with suppress(TimeoutError, Gone):
            async with asyncio.timeout(seconds):
                await self.call(tool, arguments)
        await self._client.aclose()

    async def close(self) -> None:
        """Leave as a client should."""
        with suppress(httpx2.HTTPError, RuntimeError):
            await self._client.delete("/mcp", headers=self._headers)
        await self._client.aclose()

    async def _post(self, message: dict[str, Any]) -> httpx2.Response:
        try:
            async with asyncio.timeout(HANG_SECONDS):
                return await self._client.post("/mcp", json=message, headers=self._headers)
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise Hang from error
        except httpx2.HTTPError as error:
            raise Gone from error


def code_of(result: dict[str, Any]) -> str:
    """Return the code of a failure, or nothing."""
    return str(result.get("_meta", {}).get("code") or "") if result.get("isError") else ""


def text_of(result: dict[str, Any]) -> str:
    """Return the text of a result."""
    parts = result.get("content", [])
    return "\n".join(part["text"] for part in parts if part["type"] == "text")


def _called(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"name": tool, "arguments": arguments}


def _result(message: dict[str, Any]) -> dict[str, Any]:
    if "error" in message:
        text = {"type": "text", "text": message["error"]["message"]}
        code = f"rpc {message['error']['code']}"
        return {"isError": True, "content": [text], "_meta": {"code": code}}
    result: dict[str, Any] = message["result"]
    return result


def _last_message(response: httpx2.Response) -> dict[str, Any]:
    if response.headers.get("content-type", "").startswith("application/json"):
        message: dict[str, Any] = response.json()
        return message
    data = [line[5:] for line in response.text.splitlines() if line.startswith("data:")]
    messages = [json.loads(text) for text in data if text.strip()]
    if not messages:
        raise Gone
    last: dict[str, Any] = messages[-1]
    return last
