from __future__ import annotations

import asyncio
import re
import socket
import sys

import psutil
import pytest

from tests.daemon.server import process
from tests.mcp.raw_clients import SECONDS, http, text


async def test_page_that_the_user_allowed_may_call_and_no_other(home: dict[str, str]) -> None:
    flags = ("--no-auth", "--allow-origin", "https://claude.ai", "--allow-host", "box.lan:3000")
    async with process(home, *flags) as server, asyncio.timeout(SECONDS * 3):
        assert server.stdout is not None
        ready = (await server.stdout.readline()).decode()
        found = re.search(r"http://127\.0\.0\.1:\d+", ready)
        assert found is not None
        async with http(found[0]) as client:
            asked = [
                await client.client.options("/mcp", headers={"origin": origin, **_PREFLIGHT})
                for origin in ("https://claude.ai", "https://evil.example")
            ]
            named = await client.client.get("/health", headers={"host": "box.lan:3000"})

    assert [answer.status_code for answer in asked] == [204, 403]
    assert asked[0].headers["access-control-allow-origin"] == "https://claude.ai"
    assert asked[0].headers["access-control-allow-private-network"] == "true"
    assert named.status_code == 200


_PREFLIGHT = {
    "access-control-request-method": "POST",
    "access-control-request-private-network": "true",
}


async def test_session_that_nobody_uses_is_closed_in_the_time_that_was_set(
    home: dict[str, str],
) -> None:
    flags = ("--no-auth", "--session-idle", "2", "--browser-url", "http://127.0.0.1:1")
    async with process(home, *flags) as server, asyncio.timeout(SECONDS * 3):
        assert server.stdout is not None
        ready = (await server.stdout.readline()).decode()
        found = re.search(r"http://127\.0\.0\.1:\d+", ready)
        assert found is not None
        async with http(found[0]) as client:
            await client.initialize()
            sessions = (await client.client.get("/health")).json()["sessions"]
            assert sessions == 1
            while sessions:
                sessions = (await client.client.get("/health")).json()["sessions"]


@pytest.mark.skipif(sys.platform != "linux", reason="the limits of another process")
async def test_server_without_descriptors_says_so_and_serves_again_when_it_has_some(
    home: dict[str, str],
) -> None:
    flags = ("--no-auth", "--launch", "--headless", "--isolated")
    async with process(home, *flags) as server, asyncio.timeout(SECONDS * 3):
        assert server.stdout is not None
        found = re.search(r"127\.0\.0\.1:(\d+)", (await server.stdout.readline()).decode())
        assert found is not None
        address = ("127.0.0.1", int(found[1]))
        async with http(f"http://{found[0]}") as client:
            await client.initialize()
            await client.client.get("/health")
            running = psutil.Process(server.pid)
            limit = running.rlimit(psutil.RLIMIT_NOFILE)
            running.rlimit(psutil.RLIMIT_NOFILE, (running.num_fds() + 6, limit[1]))
            idle = [socket.create_connection(address) for _ in range(40)]
            before = sum(running.cpu_times()[:2])
            answer = await client.call("list_pages")
            assert answer["result"]["_meta"]["code"] == "too_many_files"
            assert "ulimit -n" in text(answer)
            for each in idle:
                each.close()
            running.rlimit(psutil.RLIMIT_NOFILE, limit)
            assert "about:blank" in text(await client.call("list_pages"))
            assert sum(running.cpu_times()[:2]) - before < 5, "it does not spin"
        async with http(f"http://{found[0]}") as client:
            assert (await client.client.get("/health")).json()["status"] == "ok"
