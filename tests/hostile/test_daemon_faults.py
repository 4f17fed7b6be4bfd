"""Faults of the daemon: it stands still, or is not of its client's version."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import psutil

from tabmux import __version__
from tabmux.folders import daemon_socket
from tests.clock import AT_ONCE
from tests.daemon.process.relays import relay, run
from tests.hostile.tally import whole
from tests.mcp.raw_clients import INITIALIZE, request

FLAGS = ("--launch", "--headless", "--isolated")


@asynccontextmanager
async def daemon(home: dict[str, str]) -> AsyncIterator[psutil.Process]:
    try:
        code, out = await run(home, "daemon", "start", *FLAGS)
        assert code == 0, out
        yield psutil.Process(await pid_of(home))
    finally:
        await run(home, "daemon", "stop")


async def pid_of(home: dict[str, str]) -> int:
    _, out = await run(home, "control", "status")
    return int(out.partition("pid=")[2].split()[0])


@whole
async def test_daemon_that_stood_still_goes_on_with_its_sessions(home: dict[str, str]) -> None:
    async with daemon(home) as process, relay(home, session="work") as client:
        await client.call("navigate_page", url="data:text/html,<title>Kept</title>")
        process.suspend()
        try:
            async with asyncio.timeout(3 * AT_ONCE):
                code, said = await run(home, "session", "list")
            assert code == 1
            assert "does not answer" in said
        finally:
            process.resume()
        assert "Kept" in await client.call("list_pages")
        assert await pid_of(home) == process.pid


async def test_client_of_another_version_is_served(home: dict[str, str]) -> None:
    hello: dict[str, Any] = {"session": "", "create": True, "of the future": {}}
    async with daemon(home):
        for version in ("0.0.1", "99.0.0", None):
            streams = await asyncio.open_unix_connection(daemon_socket(home["HOME"]), limit=1 << 24)
            answers = await answered(
                *streams,
                b"hello " + json.dumps({**hello, "version": version}).encode(),
                json.dumps(request(1, "initialize", **INITIALIZE)).encode(),
                json.dumps(request(2, "tools/call", name="list_browsers", arguments={})).encode(),
            )
            streams[1].close()
            assert answers[0]["version"] == __version__
            assert not answers[2]["result"]["isError"]


async def answered(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *lines: bytes
) -> list[dict[str, Any]]:
    """Send each line when the one before it was answered."""
    answers = []
    async with asyncio.timeout(3 * AT_ONCE):
        for line in lines:
            writer.write(line + b"\n")
            answers.append(json.loads(await reader.readline()))
    return answers
