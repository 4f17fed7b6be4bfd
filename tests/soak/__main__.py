"""The soak: agents, faults and samples for hours, and a verdict on what grew."""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import psutil

from bench.processes import stop_on
from tests.soak.agents import INTERNAL, RandomAgent
from tests.soak.chart import chart
from tests.soak.pages import Pages
from tests.soak.samples import AGENTS_FOLDER, Sample, sample, verdict
from tests.soak.servers import SoakedServer, daemon, http_server
from tests.soak.wires import HttpWire, SocketWire, Wire

SAMPLE_SECONDS = 10.0
# The first quarter of an hour, or of a short run, fills caches and pools.
WARM_UP_SECONDS, WARM_UP_SHARE = 900.0, 0.25
RENDERER_SECONDS, BROWSER_SECONDS = 30.0, 240.0
REST_SECONDS = 90.0


class Soak:
    """One run and what it has seen so far."""

    def __init__(self, servers: Sequence[SoakedServer], temporary: Path, output: Path) -> None:
        self.servers, self._temporary, self._output = servers, temporary, output
        self.rows: list[Sample] = []
        self.counts: Counter[str] = Counter()
        self.kills: list[float] = []
        self.stop = asyncio.Event()
        self._began = time.monotonic()
        self._chance = random.Random(1)

    async def sample(self) -> None:
        """Take a sample every ten seconds and write down all of them."""
        while True:
            self.rows.append(await self.look())
            self.write()
            if await self._stopped(SAMPLE_SECONDS):
                return

    async def look(self) -> Sample:
        """Look at the servers now."""
        return await sample(self.servers, self._temporary, self._began)

    async def kill_renderers(self) -> None:
        """Crash tabs: kill the process behind some of them."""
        while not await self._stopped(self._chance.expovariate(1 / RENDERER_SECONDS)):
            server = self._chance.choice(self.servers)
            renderers = [p for p in server.browsers() if "--type=renderer" in _command(p)]
            if renderers:
                self._kill(self._chance.choice(renderers), "renderers killed")

    async def kill_browsers(self) -> None:
        """Kill a whole browser now and then."""
        while not await self._stopped(self._chance.expovariate(1 / BROWSER_SECONDS)):
            browser = self._chance.choice(self.servers).browser()
            if browser is not None:
                self.kills.append(time.monotonic() - self._began)
                self._kill(browser, "browsers killed")

    def write(self) -> None:
        """Write table, chart and counts."""
        columns = list(dict.fromkeys(column for row in self.rows for column in row))
        with (self._output / "soak.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns)
            writer.writeheader()
            writer.writerows(self.rows)
        calls = f"{self.counts['calls']:,} calls, {len(self.kills)} browsers killed"
        title = f"Soak of {self.rows[-1]['seconds'] / 60:.0f} minutes: {calls}"
        (self._output / "soak.svg").write_text(chart(self.rows, title, self.kills))
        (self._output / "counts.json").write_text(
            json.dumps(dict(sorted(self.counts.items())), indent=1)
        )

    def _kill(self, process: psutil.Process, what: str) -> None:
        with suppress(psutil.Error):
            process.send_signal(signal.SIGKILL)
            self.counts[what] += 1

    async def _stopped(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.stop.wait()
        return self.stop.is_set()


async def run(hours: float, agents: int, output: Path) -> bool:
    """Soak for so long; returns whether nothing grew and nothing failed."""
    stop_on(signal.SIGTERM)
    output.mkdir(parents=True, exist_ok=True)
    # A socket's path must be short.
    scratch = Path(tempfile.mkdtemp(prefix="tabmux-soak-", dir="/tmp"))
    temporary = scratch / "tmp"
    own = temporary / AGENTS_FOLDER
    own.mkdir(parents=True)
    environment = {"TMPDIR": str(temporary)}
    pages = Pages()
    threading.Thread(target=pages.server.serve_forever, daemon=True).start()
    try:
        async with (
            daemon(scratch / "daemon", environment) as by_socket,
            http_server(scratch / "http", environment) as by_http,
        ):
            soak = Soak((by_socket, by_http), temporary, output)
            ways: tuple[Callable[[], Awaitable[Wire]], ...] = (
                partial(SocketWire.open, Path(by_socket.place)),
                partial(HttpWire.open, by_http.place),
            )
            workers = [
                RandomAgent(n, ways[n % 2], pages.origin, own, soak.counts) for n in range(agents)
            ]
            await _go(soak, workers, hours * 3600)
            rested = await _rest(soak)
            return _report(soak, rested, output)
    finally:
        for log in scratch.rglob("*.log"):
            shutil.copy(log, output / f"{log.parent.name}-{log.name}")
        pages.server.shutdown()
        shutil.rmtree(scratch, ignore_errors=True)


async def _go(soak: Soak, workers: Sequence[RandomAgent], seconds: float) -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(soak.sample())
        group.create_task(soak.kill_renderers())
        group.create_task(soak.kill_browsers())
        for worker in workers:
            group.create_task(worker.work(soak.stop))
        await asyncio.sleep(seconds)
        soak.stop.set()


async def _rest(soak: Soak) -> list[str]:
    """Leave the servers alone until their sessions have expired; says what is left over."""
    await asyncio.sleep(REST_SECONDS)
    first, now = soak.rows[0], await soak.look()
    columns = ("daemon tasks", "daemon sessions", "daemon fds", "http fds", "temporary_files")
    return [f"{name}: {first[name]:.0f} at first, {now[name]:.0f} at rest" for name in columns]


def _report(soak: Soak, rested: Sequence[str], output: Path) -> bool:
    soak.write()
    warm_up = min(WARM_UP_SECONDS, WARM_UP_SHARE * soak.rows[-1]["seconds"])
    lines, fine = verdict(soak.rows, warm_up)
    bad = {key: soak.counts[key] for key in (INTERNAL, "hangs")}
    shown = {
        key: n
        for key, n in soak.counts.items()
        if not key.startswith(("code", "calls of", "hang: "))
    }
    text = [
        f"{soak.rows[-1]['seconds'] / 60:.0f} minutes: "
        + ", ".join(f"{n} {key}" for key, n in shown.items() if not key.startswith(INTERNAL)),
        f"Growth after {warm_up / 60:.0f} minutes of warm-up (99 %):",
        *(f"  {line}" for line in lines),
        "After everybody has left:",
        *(f"  {line}" for line in rested),
        f"Internal errors: {bad[INTERNAL]}, hangs: {bad['hangs']}",
        *(f"  {key}" for key in soak.counts if key.startswith(("hang: ", "internal: "))),
    ]
    passed = fine and not any(bad.values())
    text.append("Verdict: " + ("nothing grows" if passed else "NOT CLEAN"))
    (output / "verdict.txt").write_text("\n".join(text) + "\n")
    sys.stdout.write("\n".join(text) + "\n")
    return passed


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(prog="scripts/soak", description=__doc__)
    parser.add_argument("--hours", type=float, default=1.0)
    parser.add_argument("--agents", type=int, default=8)
    parser.add_argument("--output", type=Path, default=Path("soak-output"))
    arguments = parser.parse_args()
    sys.exit(not asyncio.run(run(arguments.hours, arguments.agents, arguments.output)))


main()
