"""A raw MCP client over stdio: no SDK, so that its own cost is small and the same for all."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from bench.processes import end_group
from bench.trouble import BenchError

CALL_SECONDS = 40.0
GOODBYE_SECONDS = 2.0
PROTOCOL = "2025-06-18"

JsonObject = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """What a tool answered, and how many seconds after the call was written."""

    text: str
    images: tuple[str, ...]
    seconds: float


class Client(asyncio.SubprocessProtocol):
    """One server process and the requests under way in it.

    A reply's time is taken when its last byte was read, before it is decoded.

    Attributes:
        patience: How many seconds a call may take.
    """

    def __init__(self, log: Path) -> None:
        self.pid = 0
        self.usable = True
        self.patience = CALL_SECONDS
        self._log = log
        self._input: asyncio.WriteTransport | None = None
        self._process: asyncio.SubprocessTransport | None = None
        self._parts: list[bytes] = []
        self._last_id = 0
        self._pending: dict[int, asyncio.Future[tuple[float, JsonObject]]] = {}
        self._ended = asyncio.Event()

    async def initialize(self) -> JsonObject:
        """Shake hands; returns what the server says about itself."""
        parameters = {
            "protocolVersion": PROTOCOL,
            "capabilities": {},
            "clientInfo": {"name": "tabmux-bench", "version": "1"},
        }
        _, result = await self.request("initialize", parameters)
        self._write({"method": "notifications/initialized"})
        return result

    async def tools(self) -> list[JsonObject]:
        """All tool definitions, over as many pages as the server makes of them."""
        tools: list[JsonObject] = []
        cursor: JsonObject = {}
        while True:
            _, result = await self.request("tools/list", cursor)
            tools += result["tools"]
            if not result.get("nextCursor"):
                return tools
            cursor = {"cursor": result["nextCursor"]}

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        """Call a tool; a reply that is an error is an error here too."""
        parameters = {"name": tool, "arguments": arguments}
        seconds, result = await self.request("tools/call", parameters)
        content: list[JsonObject] = result.get("content", [])
        text = "\n".join(item["text"] for item in content if item["type"] == "text")
        if result.get("isError"):
            raise BenchError(f"{tool} failed: {text[:300]}")
        images = tuple(item["data"] for item in content if item["type"] == "image")
        return Reply(text, images, seconds)

    async def request(self, method: str, parameters: JsonObject) -> tuple[float, JsonObject]:
        """Send a request; returns the seconds it took and its result."""
        ident, sent = self.post(method, parameters)
        received, result = await self.answered(ident, method)
        return received - sent, result

    async def answered(self, ident: int, method: str) -> tuple[float, JsonObject]:
        """Wait for the answer to a request that was posted; returns its moment and its result."""
        try:
            async with asyncio.timeout(self.patience):
                received, message = await self._pending[ident]
        except TimeoutError as error:
            self.usable = False
            self.abandon(ident)
            raise BenchError(f"{method} got no answer within {self.patience:g} s") from error
        self._pending.pop(ident, None)
        if "error" in message:
            raise BenchError(f"{method} was refused: {message['error'].get('message')}")
        return received, message["result"]

    def post(self, method: str, parameters: JsonObject) -> tuple[int, float]:
        """Write a request; returns its id and the moment, and leaves the answer for later."""
        if self._ended.is_set():
            raise self._gone()
        self._last_id += 1
        self._pending[self._last_id] = asyncio.get_running_loop().create_future()
        sent = time.perf_counter()
        self._write({"id": self._last_id, "method": method, "params": parameters})
        return self._last_id, sent

    def abandon(self, ident: int) -> None:
        """Tell the server that nobody waits for a request any more."""
        self._write({"method": "notifications/cancelled", "params": {"requestId": ident}})
        self._pending.pop(ident, None)

    async def close(self) -> None:
        """Close the server's input, as a client that leaves does, then end what is left of it."""
        if self._input is not None:
            self._input.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE_SECONDS):
                await self._ended.wait()
        await end_group(self.pid, self._ended.wait)
        if self._process is not None:
            self._process.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the pipes of the process that was started."""
        process = self._process = cast("asyncio.SubprocessTransport", transport)
        self.pid = process.get_pid()
        self._input = cast("asyncio.WriteTransport", process.get_pipe_transport(0))

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Cut the output into lines, one message each."""
        now = time.perf_counter()
        *lines, rest = data.split(b"\n")
        for line in lines:
            self._parts.append(line)
            self._receive(now, b"".join(self._parts))
            self._parts = []
        if rest:
            self._parts.append(rest)

    def process_exited(self) -> None:
        """Fail at once what can no longer be answered."""
        self.usable = False
        self._ended.set()
        for answer in self._pending.values():
            if not answer.done():
                answer.set_exception(self._gone())

    def _gone(self) -> BenchError:
        lines = self._log.read_text(errors="replace").strip().splitlines()
        return BenchError(f"the server process ended: {lines[-1] if lines else 'without a word'}")

    def _receive(self, now: float, line: bytes) -> None:
        try:
            message: JsonObject = json.loads(line)
        except ValueError:
            return
        if "method" in message:
            self._serve(message)
        elif (answer := self._pending.get(message.get("id", 0))) and not answer.done():
            answer.set_result((now, message))

    def _serve(self, message: JsonObject) -> None:
        if "id" not in message:
            return
        answer: JsonObject = {"result": {}}
        if message["method"] != "ping":
            answer = {"error": {"code": -32601, "message": "not offered by this client"}}
        self._write({"id": message["id"], **answer})

    def _write(self, message: JsonObject) -> None:
        if self._input is not None and not self._ended.is_set():
            line = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":"))
            self._input.write(line.encode() + b"\n")


@asynccontextmanager
async def open_client(
    command: tuple[str, ...], environment: Mapping[str, str], folder: Path, log: Path
) -> AsyncIterator[Client]:
    """Start a server in a group of its own, its talk going to a log; it is gone afterwards."""
    with log.open("ab") as talk:
        _, client = await asyncio.get_running_loop().subprocess_exec(
            lambda: Client(log),
            *command,
            stderr=talk,
            env=dict(environment),
            cwd=folder,
            # Not in a session of its own: see `bench/chromium.py`.
            process_group=0,
        )
    try:
        yield client
    finally:
        await client.close()
