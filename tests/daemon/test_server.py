from __future__ import annotations

import asyncio
import re

from tests.daemon.server import process
from tests.mcp.raw_clients import SECONDS, http


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
