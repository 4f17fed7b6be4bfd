"""`python -m bench http`: many HTTP sessions beside the TypeScript SDK's; and embed's start."""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench import machine, packages
from bench.chromium import find_chromium, open_chromium
from bench.mcp_session import Session
from bench.processes import end_group, resident_bytes
from bench.trouble import BenchError

TYPESCRIPT = ("@modelcontextprotocol/sdk", "1.32.2")
ALLOWED_GROWTH = 10_000_000
READY_SECONDS = 20.0
STARTS = 5
# Sessions and seconds of a smoke test.
QUICK = (5, 1.0)

_EMPTY_SERVER = """
import { randomUUID } from 'node:crypto';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
const transports = new Map();
const app = createMcpExpressApp();
app.all('/mcp', async (req, res) => {
  let transport = transports.get(req.headers['mcp-session-id']);
  if (!transport) {
    const server = new McpServer({ name: 'empty', version: '1' });
    server.registerTool('list_browsers', { description: 'Nothing.' },
      async () => ({ content: [{ type: 'text', text: 'nothing' }] }));
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID, enableJsonResponse: true,
      onsessioninitialized: (id) => transports.set(id, transport),
      onsessionclosed: (id) => transports.delete(id),
    });
    await server.connect(transport);
  }
  await transport.handleRequest(req, res, req.body);
});
app.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('is ready'));
"""


@dataclass
class Load:
    """What came of one server's load."""

    name: str
    seconds: float = 0.0
    errors: int = 0
    latencies: list[float] = field(default_factory=list)
    before: int = 0
    during: int = 0
    after: int = 0

    @property
    def is_good(self) -> bool:
        """Whether nothing failed."""
        return not self.errors and bool(self.latencies)

    @property
    def line(self) -> str:
        """One row of the table."""
        p50, p99 = (statistics.quantiles(self.latencies, n=100)[n] * 1000 for n in (49, 98))
        rate = len(self.latencies) / self.seconds
        memory = " → ".join(f"{size / 1e6:.1f}" for size in (self.before, self.during, self.after))
        return (
            f"{self.name:<16} {len(self.latencies):>8} calls {rate:>7.0f}/s  "
            f"p50 {p50:6.1f} ms  p99 {p99:6.1f} ms  errors {self.errors}  memory {memory} MB"
        )


@asynccontextmanager
async def server(*command: str, ready: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a server until the end of the block; it has said that it is ready."""
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    try:
        await _said(process, ready)
        yield process
    finally:
        await end_group(process.pid, process.wait)


async def _said(process: asyncio.subprocess.Process, words: str) -> None:
    assert process.stdout is not None
    async with asyncio.timeout(READY_SECONDS):
        while words not in (line := (await process.stdout.readline()).decode()):
            if not line:
                raise BenchError("The server ended before it was ready.")


async def load(name: str, command: Sequence[str], port: int, sessions: int, seconds: float) -> Load:
    """Have many sessions call at once, for so long."""
    result = Load(name)
    async with server(*command, ready="is ready") as process:
        warm = await Session.opened(port)
        await warm.call(port)
        await warm.close(port)
        result.before = resident_bytes(process.pid)
        began = time.monotonic()
        opened = [await Session.opened(port) for _ in range(sessions)]
        until = time.monotonic() + seconds
        async with asyncio.TaskGroup() as group:
            for session in opened:
                group.create_task(_calls(session, port, until, result))
        result.seconds = time.monotonic() - began
        result.during = resident_bytes(process.pid)
        for session in opened:
            await session.close(port)
        result.after = resident_bytes(process.pid)
    return result


async def _calls(session: Session, port: int, until: float, result: Load) -> None:
    while (began := time.monotonic()) < until:
        try:
            await session.call(port)
        except (BenchError, OSError, TimeoutError) as error:
            result.errors += 1
            sys.stderr.write(f"{result.name}: {error}\n")
            return
        result.latencies.append(time.monotonic() - began)


async def embed_starts(chromium: str, starts: int) -> list[str]:
    """Measure how long the embedded server takes to its ready line, and of what that is made."""
    async with open_chromium(chromium) as endpoint:
        cdp = endpoint.url.rpartition(":")[2].strip("/")
        flags = ("-m", "tabmux", "embed", f"--cdp-port={cdp}")
        ready = [await _start(*flags, f"--mcp-port={free_port()}") for _ in range(starts)]
    bare = [await _run("-c", "pass") for _ in range(starts)]
    imports = [await _run("-c", "import tabmux.daemon.embedded_server") for _ in range(starts)]
    start, whole, total = (statistics.median(each) for each in (bare, imports, ready))
    return [
        f"embed to its ready line: {total * 1000:.0f} ms wall, median of {starts} "
        f"({min(ready) * 1000:.0f} to {max(ready) * 1000:.0f})",
        f"  Python itself {start * 1000:.0f} ms, imports {(whole - start) * 1000:.0f} ms, "
        f"connecting and listening {(total - whole) * 1000:.0f} ms",
    ]


async def _start(*flags: str) -> float:
    began = time.monotonic()
    async with server(sys.executable, *flags, ready="MCP Server ready"):
        return time.monotonic() - began


async def _run(*flags: str) -> float:
    began = time.monotonic()
    process = await asyncio.create_subprocess_exec(sys.executable, *flags)
    async with asyncio.timeout(READY_SECONDS):
        await process.wait()
    return time.monotonic() - began


def free_port() -> int:
    """Return a port where nobody listens."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def _typescript(port: int) -> list[str]:
    folder = packages.cache() / "typescript"
    folder.mkdir(exist_ok=True)
    await packages.install(dict([TYPESCRIPT]), folder)
    script: Path = folder / "empty.mjs"
    await asyncio.to_thread(script.write_text, _EMPTY_SERVER)
    return ["node", str(script), str(port)]


async def _measure(sessions: int, seconds: float, chromium: str, *, without_peer: bool) -> int:
    facts = await asyncio.to_thread(machine.look)
    sys.stdout.write(f"{facts.system}, {facts.cores} cores, load {facts.load}\n{facts.warning}\n")
    port = free_port()
    flags = ("serve", "--http", "--no-auth", "--browser-url", "http://127.0.0.1:1")
    ours = [sys.executable, "-m", "tabmux", *flags, "--port", str(port)]
    loads = [await load("tabmux", ours, port, sessions, seconds)]
    if not without_peer:
        port = free_port()
        command = await _typescript(port)
        loads.append(await load("TypeScript SDK", command, port, sessions, seconds))
    sys.stdout.write(f"{sessions} sessions, each calling a trivial tool for {seconds:g} s:\n")
    sys.stdout.write("".join(f"{each.line}\n" for each in loads))
    starts = 1 if without_peer else STARTS
    sys.stdout.write("".join(f"{line}\n" for line in await embed_starts(chromium, starts)))
    sys.stdout.write(f"load afterwards {os.getloadavg()}\n")
    grown = loads[0].after - loads[0].before
    return 0 if all(each.is_good for each in loads) and grown <= ALLOWED_GROWTH else 1


def http(arguments: Sequence[str]) -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench http", description=__doc__)
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument(
        "--quick", action="store_true", help="few sessions, a second, no peer: a smoke test"
    )
    parser.add_argument("--chromium", help="the browser to embed beside (default: the first found)")
    given = parser.parse_args(arguments)
    chromium = given.chromium or find_chromium()
    sessions, seconds = QUICK if given.quick else (given.sessions, given.seconds)
    return asyncio.run(_measure(sessions, seconds, chromium, without_peer=given.quick))
