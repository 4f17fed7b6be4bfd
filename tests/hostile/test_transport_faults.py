"""Faults of clients: very many of them, ones that flood, and ones that say nothing."""

from __future__ import annotations

import asyncio
import json
import resource
import shutil
import socket
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tabmux.daemon.app import App
from tests.agent import Agent
from tests.clock import AT_ONCE
from tests.hostile.tally import WHOLE_SECONDS, count, whole
from tests.mcp.raw_clients import INITIALIZE, http, request, serving
from tests.site import Site
from tests.soak.servers import daemon, http_server
from tests.soak.wires import HttpWire, SocketWire

CONNECTIONS = 10_000
PING = json.dumps(request(1, "ping")).encode() + b"\n"
NOTIFICATIONS = count(5_000, 100_000)


@asynccontextmanager
async def many_descriptors() -> AsyncIterator[None]:
    """Let this process have as many descriptors as the system lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def _connected(place: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect as clients do; asyncio takes a socket for connected whose queue was full."""
    connection = socket.socket(socket.AF_UNIX)
    await asyncio.to_thread(connection.connect, place)
    return await asyncio.open_unix_connection(sock=connection)


@whole
@pytest.mark.timeout(WHOLE_SECONDS)
@pytest.mark.parametrize("says", [b"", PING])
async def test_very_many_connections_keep_nobody_waiting(says: bytes) -> None:
    """Who says nothing is cut off after some seconds, who says something stays."""
    scratch = Path(tempfile.mkdtemp(prefix="tm-", dir="/tmp"))
    async with many_descriptors(), daemon(scratch / "home", {}) as server:
        before = server.process.num_fds()
        idle = [await _connected(server.place) for _ in range(CONNECTIONS)]
        for _, writer in idle:
            writer.write(says)
        if says:
            for reader, _ in idle:
                assert json.loads(await reader.readline())["id"] == 1
            assert server.process.num_fds() >= CONNECTIONS
        client = await SocketWire.open(Path(server.place))
        async with asyncio.timeout(6 * AT_ONCE):
            assert not (await client.call("list_pages", {})).get("isError")
        await client.close()
        for _, writer in idle:
            writer.close()
        async with asyncio.timeout(6 * AT_ONCE):
            # The browser and its session stay for a while.
            while server.process.num_fds() > before + 40:
                await asyncio.sleep(0.1)
        assert "pid=" in await server.status()
    shutil.rmtree(scratch)


@whole
@pytest.mark.timeout(WHOLE_SECONDS)
async def test_very_many_connections_over_http_keep_nobody_waiting() -> None:
    scratch = Path(tempfile.mkdtemp(prefix="tm-", dir="/tmp"))
    async with many_descriptors(), http_server(scratch / "home", {}) as server:
        before = server.process.num_fds()
        port = int(server.place.rpartition(":")[2])
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(CONNECTIONS)]
        for _, writer in idle[::2]:
            writer.write(b"POST /mcp HTTP/1.1\r\nHost: ")
        client = await HttpWire.open(server.place)
        async with asyncio.timeout(6 * AT_ONCE):
            assert not (await client.call("list_pages", {})).get("isError")
        for _, writer in idle:
            writer.close()
        async with asyncio.timeout(6 * AT_ONCE):
            while server.process.num_fds() > before + 40:
                await asyncio.sleep(0.1)
        assert not (await client.call("list_pages", {})).get("isError")
        await client.close()
    shutil.rmtree(scratch)


@pytest.mark.timeout(WHOLE_SECONDS)
async def test_flood_of_notifications_keeps_no_other_client_waiting(
    app: App, site: Site, agent: Agent
) -> None:
    await agent.open("<h1>Fine</h1>")
    async with Agent.joined(app, site) as rude:
        kinds = (
            {"method": "notifications/cancelled", "params": {"requestId": 999_999}},
            {"method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}},
            {"method": "notifications/roots/list_changed"},
            {"method": "notifications/unknown", "params": {"x": "y" * 500}},
        )
        longest = 0.0
        for number in range(NOTIFICATIONS):
            rude._send({**kinds[number % len(kinds)]})
            if number % 1000 == 999:
                began = time.monotonic()
                assert "Fine" in await agent("take_snapshot")
                longest = max(longest, time.monotonic() - began)
        async with asyncio.timeout(6 * AT_ONCE):
            assert "uid=" in await rude.open("<h1>Rude</h1>")
    assert longest < AT_ONCE


async def test_cancellations_of_everything_stop_nothing_of_others(
    app: App, site: Site, agent: Agent
) -> None:
    await agent.open("<title>Mine</title>")
    async with Agent.joined(app, site) as rude:
        waiting = asyncio.gather(
            agent.reply(
                "evaluate_script",
                function="() => new Promise(r => setTimeout(() => r('kept'), 800))",
            )
        )
        for ident in range(2000):
            rude._send({"method": "notifications/cancelled", "params": {"requestId": ident}})
        assert "kept" in (await waiting)[0].text


@pytest.mark.timeout(WHOLE_SECONDS)
async def test_many_sessions_at_once_are_all_answered(app: App) -> None:
    sessions, calls = count(40, 200), 5

    async def one(address: str) -> None:
        async with http(address) as client:
            await client.initialize()
            for _ in range(calls):
                assert "result" in await client.call("list_browsers")
            await client.client.delete("/mcp", headers=client.headers)

    from tabmux.mcp.http.http_limits import HttpLimits

    limits = HttpLimits(sessions=sessions + 10, sessions_each=sessions + 10)
    async with serving(app, limits=limits) as address, asyncio.TaskGroup() as group:
        for _ in range(sessions):
            group.create_task(one(address))


async def test_requests_of_every_age_are_answered_side_by_side(app: App) -> None:
    versions = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
    async with serving(app) as address:
        for version in versions:
            async with http(address) as client:
                body = {**INITIALIZE, "protocolVersion": version}
                answer = (await client.post(request(0, "initialize", **body))).text
                assert version in answer
        async with http(address) as client:
            assert "result" in await client.ask_stateless("server/discover")


async def test_ids_of_any_kind_come_back_as_they_were(app: App) -> None:
    from tests.hostile.test_inputs import Line

    good, bad = [0, -1, 2**53, "", "x" * 100, "\u202e", "0", 2**80], [1.5, True, [], {}]
    async with Line.served(app) as line:
        for ident in [*good, *bad, "last"]:
            line.send(json.dumps({"jsonrpc": "2.0", "id": ident, "method": "ping"}).encode())
        seen: list[dict[str, Any]] = []
        async with asyncio.timeout(3 * AT_ONCE):
            while not seen or seen[-1].get("id") != "last":
                seen.append(json.loads(await line._reader.readline()))
    assert [message["id"] for message in seen if "result" in message] == ["hello", *good, "last"]
    assert sum("error" in message for message in seen) == len(bad)
