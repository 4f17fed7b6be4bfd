"""How long a shell and a client wait for a daemon that runs already."""

from __future__ import annotations

import time

from bench.agents.daemon import Daemon, open_daemon
from bench.running_server import Environment


async def latencies(environment: Environment, samples: int) -> dict[str, list[float]]:
    """Milliseconds of `tabmux call list_pages` and of a relay's answer to `initialize`."""
    async with open_daemon(environment.chromium, environment.scratch) as daemon:
        await daemon.run("call", "list_pages")
        calls = [await daemon.run("call", "list_pages") for _ in range(samples)]
        starts = [await _initialize(environment, daemon) for _ in range(samples)]
    return {"call": [s * 1000 for s in calls], "initialize": [s * 1000 for s in starts]}


async def _initialize(environment: Environment, daemon: Daemon) -> float:
    """Seconds from the relay's start to the answer."""
    began = time.perf_counter()
    async with environment.client(daemon.relay) as client:
        await client.initialize()
        return time.perf_counter() - began
