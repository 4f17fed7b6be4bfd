"""Neighbours: how long one agent's calls take while another one does the worst, and in quiet."""

from __future__ import annotations

import asyncio
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.site import Site
from tests.soak.servers import daemon
from tests.soak.wires import SocketWire, text_of

CALLS = 200
PAUSE_SECONDS = 0.02
# 99 of 100 calls of a neighbour; on a machine that is busy already, twice what they take in quiet.
LIMIT_SECONDS = 0.1
BUSY_FACTOR = 2.0

Worst = Callable[[SocketWire, Site], Awaitable[object]]


def _script(function: str, timeout: int = 15_000) -> Worst:
    async def do(wire: SocketWire, site: Site) -> object:
        return await wire.call("evaluate_script", {"function": function, "timeout": timeout})

    return do


def _page(html: str, tool: str = "take_snapshot", **arguments: Any) -> Worst:
    async def do(wire: SocketWire, site: Site) -> object:
        await wire.call("navigate_page", {"url": site.page(html), "timeout": 20_000})
        return await wire.call(tool, arguments)

    return do


async def _floods_us(wire: SocketWire, site: Site) -> object:
    for _ in range(20_000):
        wire._write(
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 0}}
        )
        await asyncio.sleep(0)
    return await wire.call("list_pages", {})


def worst_things(folder: str) -> dict[str, Worst]:
    """Return what an agent can do that costs much; files go into a folder."""
    return {
        "endless script": _script("() => { for (;;); }", 4000),
        "100,000 console messages": _script("() => { for (let i = 0; i < 1e5; i++) console.log('m', i) }"),
        "result of 50 MB": _script("() => 'x'.repeat(5e7)"),
        "3,000 requests": _script("() => { for (let i = 0; i < 3000; i++) fetch('/none?' + i) }"),
        "page of 200,000 nodes": _page(
            "<script>document.write('<p>text <a href=x>link</a></p>'.repeat(70000))</script>"
        ),
        "page of 1,000 frames": _page(
            "<body><script>for (let i = 0; i < 1000; i++) document.body.append(document.createElement('iframe'))</script>"
        ),
        "picture of 30,000 pixels": _page(
            "<body style='height: 30000px'>x", "take_screenshot", fullPage=True
        ),
        "expression without end": _page(
            f"<p>{'a' * 50_000}!</p>", "find", query="(a+)+$", regex=True
        ),
        "trace of a load": _page(
            "<script>for (let i = 0; i < 1e7; i++);</script>", "performance_start_trace", reload=True, autoStop=True
        ),
        "heap snapshot": _page("x", "take_heapsnapshot", filePath=f"{folder}/x.heapsnapshot"),
        "20,000 notifications": _floods_us,
    }  # fmt: skip


class Neighbour:
    """An agent that only asks its own page something, again and again."""

    def __init__(self, wire: SocketWire) -> None:
        self._wire = wire

    async def ask(self) -> float:
        """Make one call; returns the seconds it took."""
        began = time.perf_counter()
        result = await self._wire.call("evaluate_script", {"function": "() => 6 * 7"})
        assert "42" in text_of(result), text_of(result)
        return time.perf_counter() - began

    async def during(self, worst: asyncio.Task[object] | None) -> list[float]:
        """Ask until the worst is over, and often enough to tell the slowest hundredth."""
        seconds: list[float] = []
        while len(seconds) < CALLS or (worst is not None and not worst.done()):
            seconds.append(await self.ask())
            await asyncio.sleep(PAUSE_SECONDS)
        return seconds


async def measure() -> int:
    """Print the table; returns how many kinds of harm a neighbour notices."""
    scratch = Path(tempfile.mkdtemp(prefix="tabmux-near-", dir="/tmp"))
    try:
        with Site() as site:
            async with daemon(scratch / "home", {"TMPDIR": str(scratch)}) as server:
                place = Path(server.place)
                near, rude = await SocketWire.open(place), await SocketWire.open(place)
                await near.call(
                    "navigate_page", {"url": site.page("<title>Near</title>", other=True)}
                )
                return await _rounds(Neighbour(near), rude, site, str(scratch))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


async def _rounds(neighbour: Neighbour, rude: SocketWire, site: Site, folder: str) -> int:
    quiet = _late(await neighbour.during(None))
    limit = max(LIMIT_SECONDS, BUSY_FACTOR * quiet)
    _say(f"A neighbour's calls, slowest of a hundred: {quiet * 1000:.0f} ms in quiet.")
    noticed = 0
    worst_of = worst_things(folder)
    for name, worst in worst_of.items():
        async with asyncio.TaskGroup() as group:
            doing = group.create_task(_do(worst, rude, site))
            late = _late(await neighbour.during(doing))
        bad = late > limit
        noticed += bad
        _say(f"  {late * 1000:6.0f} ms  {name}{'  TOO SLOW' if bad else ''}")
    _say(f"Noticed by the neighbour (over {limit * 1000:.0f} ms): {noticed} of {len(worst_of)}.")
    return noticed


async def _do(worst: Worst, rude: SocketWire, site: Site) -> object:
    return await worst(rude, site)


def _late(seconds: list[float]) -> float:
    return statistics.quantiles(seconds, n=100)[98]


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    """Measure, and print the table."""
    return asyncio.run(measure())
