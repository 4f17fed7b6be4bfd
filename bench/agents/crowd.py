"""Sessions in great number: what they cost while they idle, and what they leave behind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

import psutil

from bench.agents.daemon import Daemon, open_daemon, words
from bench.agents.teams import tabs
from bench.client import PROTOCOL, JsonObject
from bench.processes import resident_bytes
from bench.running_server import Environment
from bench.trouble import BenchError

ANSWER_SECONDS = 30.0
LINE_LIMIT = 1 << 24
WARM_UP = 50
AT_ONCE = 20
PAGE_EVERY = 10
SETTLE_SECONDS = 2.0


@dataclass(frozen=True)
class Weight:
    """What a daemon holds at one moment."""

    sessions: int
    pages: int
    descriptors: int
    tasks: int
    resident_mb: float

    def since(self, before: Weight) -> Weight:
        """What has been added."""
        return Weight(
            self.sessions - before.sessions,
            self.pages - before.pages,
            self.descriptors - before.descriptors,
            self.tasks - before.tasks,
            self.resident_mb - before.resident_mb,
        )


class Wire:
    """An MCP connection to the daemon's socket, without a relay."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._ids = count(1)

    async def enter(self, session: str, browser: str) -> None:
        """Open a session of this name and shake hands."""
        flags = ["--browser-url", browser]
        hello = {"version": "bench", "session": session, "create": True, "flags": flags}
        self._writer.write(b"hello " + json.dumps(hello).encode() + b"\n")
        if "error" in (answer := await self._line()):
            raise BenchError(f"hello was refused: {answer['error']}")
        client = {"name": "tabmux-bench", "version": "1"}
        shake = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client}
        await self.request("initialize", shake)
        self._write({"method": "notifications/initialized"})

    async def visit(self, url: str) -> None:
        """Open the session's page there."""
        result = await self.call("navigate_page", {"type": "url", "url": url})
        if url not in json.dumps(result):
            raise BenchError(f"navigate_page: {json.dumps(result)[:300]}")

    async def call(self, tool: str, arguments: JsonObject) -> JsonObject:
        """Call a tool, and return its result."""
        result = await self.request("tools/call", {"name": tool, "arguments": arguments})
        if result.get("isError"):
            raise BenchError(f"{tool}: {json.dumps(result)[:300]}")
        return result

    async def request(self, method: str, parameters: JsonObject) -> JsonObject:
        """Ask, and return the result."""
        ident = next(self._ids)
        self._write({"id": ident, "method": method, "params": parameters})
        while (message := await self._line()).get("id") != ident:
            pass
        if "error" in message:
            raise BenchError(f"{method} was refused: {message['error'].get('message')}")
        result: JsonObject = message["result"]
        return result

    async def _line(self) -> dict[str, Any]:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                line = await self._reader.readline()
        except (OSError, TimeoutError) as error:
            raise BenchError(f"the daemon said nothing: {error!r}") from error
        if not line:
            raise BenchError("the daemon closed the connection")
        message: dict[str, Any] = json.loads(line)
        return message

    def _write(self, message: JsonObject) -> None:
        self._writer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


async def idle_cost(environment: Environment, sessions: int) -> Weight:
    """What sessions without a page cost the daemon while their connections are open."""
    async with open_daemon(environment.chromium, environment.scratch) as daemon:
        await _churn(environment, daemon, WARM_UP, "warm")
        before = await _weigh(environment, daemon)
        async with AsyncExitStack() as stack:
            for _ in range(sessions):
                wire = await stack.enter_async_context(open_wire(daemon))
                await wire.enter("", daemon.browser)
            cost = (await _weigh(environment, daemon)).since(before)
    if cost.sessions != sessions:
        raise BenchError(f"The daemon counts {cost.sessions} new sessions, not {sessions}.")
    return cost


async def residue(environment: Environment, sessions: int) -> Weight:
    """What is left of sessions that were opened, some with a page, and closed again."""
    async with open_daemon(environment.chromium, environment.scratch) as daemon:
        await _churn(environment, daemon, WARM_UP, "warm")
        before = await _weigh(environment, daemon)
        await _churn(environment, daemon, sessions, "churn")
        await asyncio.sleep(SETTLE_SECONDS)
        return (await _weigh(environment, daemon)).since(before)


async def _churn(environment: Environment, daemon: Daemon, sessions: int, label: str) -> None:
    numbers = iter(range(sessions))

    async def work() -> None:
        for number in numbers:
            await _one(environment, daemon, f"{label}-{number}", page=number % PAGE_EVERY == 0)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(work())
    except* BenchError as errors:
        raise BenchError(str(errors.exceptions[0])) from errors


async def _one(environment: Environment, daemon: Daemon, name: str, *, page: bool) -> None:
    async with open_wire(daemon) as wire:
        await wire.enter(name, daemon.browser)
        if page:
            await wire.visit(environment.url("/blank"))
    await daemon.control(f"session_close session={name}")


@asynccontextmanager
async def open_wire(daemon: Daemon) -> AsyncIterator[Wire]:
    """Connect to the daemon's socket."""
    async with asyncio.timeout(ANSWER_SECONDS):
        reader, writer = await asyncio.open_unix_connection(daemon.socket, limit=LINE_LIMIT)
    try:
        yield Wire(reader, writer)
    finally:
        writer.close()


async def _weigh(environment: Environment, daemon: Daemon) -> Weight:
    status = words((await daemon.control("status"))[0])
    return Weight(
        sessions=int(status["sessions"]),
        pages=len(await tabs(environment)),
        descriptors=psutil.Process(daemon.pid).num_fds(),
        tasks=int(status["tasks"]),
        resident_mb=resident_bytes(daemon.pid) / 1e6,
    )
