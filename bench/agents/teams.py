"""The ways in which many agents can share one Chromium."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass

import psutil

from bench.agents.agent import Agent
from bench.agents.daemon import Daemon
from bench.client import Client
from bench.processes import resident_bytes
from bench.running_server import Environment
from bench.servers import CHROME_DEVTOOLS, Server
from bench.trouble import BenchError
from bench.verbs import Open

SETTLE_SECONDS = 60.0


@dataclass(frozen=True)
class Team:
    """Agents that are ready to work, and the server processes that serve them."""

    agents: tuple[Agent, ...]
    pids: tuple[int, ...]

    def resident_mb(self) -> float:
        """Resident memory of the servers."""
        return sum(map(resident_bytes, self.pids)) / 1e6

    def proportional_mb(self) -> float | None:
        """The same with shared pages counted once, where the system can tell."""
        return _proportional(self.pids)


@asynccontextmanager
async def tabmux_team(environment: Environment, daemon: Daemon, size: int) -> AsyncIterator[Team]:
    """Clients of one daemon, each over a relay of its own."""
    async with _clients(environment, daemon.relay, size) as clients:
        agents = await _seated(environment, daemon.relay, clients)
        yield Team(agents, (daemon.pid, *(client.pid for client in clients)))


@asynccontextmanager
async def shared_team(environment: Environment, size: int) -> AsyncIterator[Team]:
    """Agents that share one process and tell their tabs apart by page ids."""
    async with _clients(environment, CHROME_DEVTOOLS, 1) as clients:
        agents = await _seated(environment, CHROME_DEVTOOLS, clients * size)
        yield Team(agents, (clients[0].pid,))


@asynccontextmanager
async def separate_team(environment: Environment, size: int) -> AsyncIterator[Team]:
    """Agents with a process each."""
    async with _clients(environment, CHROME_DEVTOOLS, size) as clients:
        agents = await _seated(environment, CHROME_DEVTOOLS, clients)
        yield Team(agents, tuple(client.pid for client in clients))


async def tabs(environment: Environment) -> list[str]:
    """The ids of all tabs of the Chromium."""
    targets = (await environment.probe.call("Target.getTargets"))["targetInfos"]
    return [target["targetId"] for target in targets if target["type"] == "page"]


async def close_tabs(environment: Environment, keep: list[str]) -> None:
    """Close what a team left open."""
    for target in await tabs(environment):
        if target not in keep:
            with suppress(BenchError):
                await environment.probe.call("Target.closeTarget", targetId=target)


@asynccontextmanager
async def _clients(
    environment: Environment, server: Server, size: int
) -> AsyncIterator[list[Client]]:
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(environment.client(server)) for _ in range(size)]
        await asyncio.gather(*(client.initialize() for client in clients))
        try:
            yield clients
        finally:
            await asyncio.gather(*(client.close() for client in clients))


async def _seated(
    environment: Environment, server: Server, clients: list[Client]
) -> tuple[Agent, ...]:
    """Give every agent its tab, one after the other, as some servers only then name them right."""
    agents = []
    try:
        async with asyncio.timeout(SETTLE_SECONDS + len(clients)):
            for number, client in enumerate(clients):
                page = await _open(environment, server, client)
                agents.append(Agent(number, client, server.dialect, page, environment.url))
    except TimeoutError as error:
        raise BenchError(f"{len(agents)} of {len(clients)} agents got a tab in time") from error
    return tuple(agents)


async def _open(environment: Environment, server: Server, client: Client) -> int | None:
    url = environment.url("/blank")
    call = server.dialect.call(Open(url), {}, None)
    reply = await client.call(call.tool, call.arguments)
    page = server.dialect.page(reply.text, url)
    if page is None and server is CHROME_DEVTOOLS:
        raise BenchError(f"no page id for {url} in {reply.text[:200]!r}")
    return page


def _proportional(pids: tuple[int, ...]) -> float | None:
    total = 0.0
    for root in map(psutil.Process, pids):
        for process in (root, *root.children(recursive=True)):
            share = getattr(process.memory_full_info(), "pss", None)
            if share is None:
                return None
            total += share
    return total / 1e6
