"""Daemons of a cluster as processes of their own, and clients that try again."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2

from tests.homes import home_in
from tests.ports import free_port

START_SECONDS = 40.0
KEY = "a key that all daemons of a test have"
# For how long a client tries the same request again.
PATIENCE_SECONDS = 15.0


@contextlib.asynccontextmanager
async def daemon(
    home: Path, cluster: str, *flags: str, port: int = 0
) -> AsyncIterator[tuple[int, asyncio.subprocess.Process]]:
    """Run a daemon of a cluster; it is killed when the block ends."""
    port = port or free_port()
    with (home / f"daemon-{port}.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tabmux", "serve", "--http", "--no-auth", "--port", str(port)),
            *("--cluster", cluster, *flags),
            env={**home_in(home), "TABMUX_CLUSTER_KEY": KEY},
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
        )
    try:
        async with asyncio.timeout(START_SECONDS):
            assert process.stdout is not None
            assert b"is ready" in await process.stdout.readline()
        yield port, process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


class Persistent(httpx2.AsyncBaseTransport):
    """Sends a request that was broken off, or turned away for now, again as it is."""

    def __init__(self, patience: float = PATIENCE_SECONDS) -> None:
        limits = httpx2.Limits(max_connections=1000, max_keepalive_connections=0)
        self._inner = httpx2.AsyncHTTPTransport(limits=limits)
        self._patience = patience
        # How often that was, and the longest that one took.
        self.repeated = 0

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        end = time.monotonic() + self._patience
        while True:
            try:
                response = await self._inner.handle_async_request(request)
                if response.headers.get("content-type", "").startswith("application/json"):
                    # A body that breaks off is no answer.
                    await response.aread()
                if response.status_code not in (502, 503) or time.monotonic() > end:
                    return response
                await response.aclose()
            except httpx2.TransportError:
                if time.monotonic() > end:
                    raise
            self.repeated += 1
            await asyncio.sleep(0.1)

    async def aclose(self) -> None:
        await self._inner.aclose()
