"""`python -m bench flood`: a page logs and requests without end; what do the others feel of it?"""

from __future__ import annotations

import argparse
import asyncio
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench import machine
from bench.chromium import find_chromium, open_chromium
from bench.client import Client, open_client
from bench.processes import resident_bytes, stop_on
from bench.servers import TABMUX
from bench.site import open_site
from bench.trouble import BenchError

ALLOWED_GROWTH = 50_000_000
ALLOWED_SECONDS = 0.05
PAUSE_SECONDS = 0.02
CALLS_BETWEEN_LOOKS = 25
QUIET_CALLS = 100
FLOOD_SECONDS = 1800.0

_LOGS = """() => { let left = %d; document.title = 'busy';
  const go = () => {
    for (let i = 0; i < 1000 && left; i++, left--) console.log('message', left, {left});
    if (left) setTimeout(go); else document.title = 'done';
  };
  setTimeout(go) }"""
_REQUESTS = """() => { let left = %d; document.title = 'busy';
  const go = async () => { while (left-- > 0) await (await fetch('/blank?' + left)).text() };
  Promise.all(Array.from({length: 6}, go)).then(() => { document.title = 'done' }) }"""


@dataclass
class Round:
    """What other tabs felt, and what the server weighed, during one flood."""

    name: str
    latencies: list[float] = field(default_factory=list)
    heaviest: int = 0
    seconds: float = 0.0

    @property
    def worst(self) -> float:
        """The latency that one call in a hundred exceeds."""
        return statistics.quantiles(self.latencies, n=100)[98]

    def line(self, before: int) -> str:
        """One row of the table."""
        median, most = statistics.median(self.latencies), max(self.latencies)
        return (
            f"{self.name:<22} {self.seconds:7.1f} s  {len(self.latencies):>6} calls  "
            f"p50 {median * 1000:6.1f} ms  p99 {self.worst * 1000:6.1f} ms  "
            f"max {most * 1000:6.1f} ms  memory +{(self.heaviest - before) / 1e6:.1f} MB"
        )


@dataclass(frozen=True)
class Flood:
    """A server with a page that floods it and another one that is at rest."""

    client: Client
    noisy: int
    calm: int

    async def evaluate(self, page: int, function: str) -> tuple[str, float]:
        """Run a function in a page; returns what was said and the seconds it took."""
        arguments = {"pageId": page, "function": function, "waitForStableDom": False}
        reply = await self.client.call("evaluate_script", arguments)
        return reply.text, reply.seconds

    async def quiet(self) -> Round:
        """Measure calls while nothing else happens."""
        result = Round("quiet")
        began = time.monotonic()
        for _ in range(QUIET_CALLS // CALLS_BETWEEN_LOOKS):
            await self._sample(result)
        result.seconds = time.monotonic() - began
        return result

    async def under(self, name: str, script: str) -> Round:
        """Measure calls while a script floods the server."""
        result, began = Round(name), time.monotonic()
        await self.evaluate(self.noisy, script)
        async with asyncio.timeout(FLOOD_SECONDS):
            await self._sample(result)
            while not await self._has_ended():
                await self._sample(result)
        result.seconds = time.monotonic() - began
        return result

    async def _sample(self, result: Round) -> None:
        """Make a few calls, then weigh the server, which takes longer than a call."""
        for _ in range(CALLS_BETWEEN_LOOKS):
            _, seconds = await self.evaluate(self.calm, "() => 1 + 1")
            result.latencies.append(seconds)
            await asyncio.sleep(PAUSE_SECONDS)
        weight = await asyncio.to_thread(resident_bytes, self.client.pid)
        result.heaviest = max(result.heaviest, weight)

    async def _has_ended(self) -> bool:
        text, _ = await self.evaluate(self.noisy, "() => document.title")
        return "done" in text


def flood(arguments: Sequence[str]) -> int:
    """Measure, print, and return the exit code: 2 when a limit is exceeded."""
    parser = argparse.ArgumentParser(prog="python -m bench flood", description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--chromium", help="the browser to measure in (default: the first found)")
    given = parser.parse_args(arguments)
    chromium = given.chromium or find_chromium()
    return asyncio.run(_measure(given.messages, given.requests, chromium))


async def _measure(messages: int, requests: int, chromium: str) -> int:
    stop_on(signal.SIGTERM)
    facts = await asyncio.to_thread(machine.look)
    sys.stdout.write(f"{facts.system}, {facts.cores} cores, load {facts.load}\n{facts.warning}\n")
    async with _opened(chromium) as flood:
        quiet = await flood.quiet()
        before = quiet.heaviest
        _tell(quiet, before)
        rounds = []
        for name, script in (
            (f"{messages:,} messages", _LOGS % messages),
            (f"{requests:,} requests", _REQUESTS % requests),
        ):
            rounds.append(await flood.under(name, script))
            _tell(rounds[-1], before)
    heavy = any(each.heaviest - before >= ALLOWED_GROWTH for each in rounds)
    slow = any(each.worst >= ALLOWED_SECONDS for each in rounds)
    return 2 if heavy or slow else 0


def _tell(result: Round, before: int) -> None:
    sys.stdout.write(f"{result.line(before)}\n")
    sys.stdout.flush()


@asynccontextmanager
async def _opened(chromium: str) -> AsyncIterator[Flood]:
    with tempfile.TemporaryDirectory(prefix="tabmux-bench-", ignore_cleanup_errors=True) as scratch:
        place = Path(scratch)
        async with open_site({"/blank": ""}) as origin, open_chromium(chromium) as endpoint:
            command = TABMUX.started_with(endpoint.url, place)
            surroundings = TABMUX.surroundings(place)
            async with open_client(command, surroundings, place, place / "log") as client:
                await client.initialize()
                noisy, calm = [await _page(client, f"{origin}/blank?{n}") for n in (1, 2)]
                yield Flood(client, noisy, calm)


async def _page(client: Client, url: str) -> int:
    reply = await client.call("new_page", {"url": url})
    for line in reply.text.splitlines():
        ident, colon, rest = line.partition(": ")
        if colon and ident.isdigit() and url in rest:
            return int(ident)
    raise BenchError(f"new_page did not list {url}: {reply.text[:300]}")
