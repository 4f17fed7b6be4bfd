"""`python -m bench flood`: a page logs and requests without end; what do the others feel of it?"""

from __future__ import annotations

import argparse
import asyncio
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench import machine
from bench.chromium import find_chromium, open_chromium
from bench.client import Client, open_client
from bench.probe import ProbeTab, open_probe
from bench.processes import resident_bytes, stop_on
from bench.servers import TABMUX
from bench.site import open_site
from bench.trouble import BenchError

ALLOWED_GROWTH = 50_000_000
ALLOWED_SECONDS = 0.05
# A machine stands still at times, also without tabmux and without a flood.
ALLOWED_SHARE = 1 / 1000
PAUSE_SECONDS = 0.02
CALLS_BETWEEN_LOOKS = 25
QUIET_CALLS = 100
# Messages and requests of a smoke test.
QUICK = (5000, 500)
FLOOD_SECONDS = 1800.0
# What a bare Chromium does, and a page that logs in long tasks, shows after a part of the flood.
SHARE = 10
# How many messages a page logs in one task.
FEW, MANY = 100, 1000

# Runs a function in a page and returns what came of it.
Run = Callable[[str], Awaitable[str]]

_LOGS = """() => { let left = %d; document.title = 'busy';
  const go = () => {
    for (let i = 0; i < %d && left; i++, left--) console.log('message', left, {left});
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
    def late(self) -> int:
        """How many calls took too long."""
        return sum(each >= ALLOWED_SECONDS for each in self.latencies)

    @property
    def is_slow(self) -> bool:
        """Whether that were more than the machine's own stalls account for."""
        return self.late > len(self.latencies) * ALLOWED_SHARE

    def line(self, before: int = 0) -> str:
        """One row of the table."""
        median, most = statistics.median(self.latencies), max(self.latencies)
        rare = statistics.quantiles(self.latencies, n=100)[98]
        weight = f"  memory +{(self.heaviest - before) / 1e6:.1f} MB" if self.heaviest else ""
        return (
            f"{self.name:<32} {self.seconds:7.1f} s  {len(self.latencies):>6} calls  "
            f"p50 {median * 1000:6.1f} ms  p99 {rare * 1000:6.1f} ms  "
            f"max {most * 1000:6.1f} ms  {self.late:>4} of 50 ms or more{weight}"
        )


@dataclass(frozen=True)
class Flood:
    """A page that floods and another one that is at rest, and how to run a function in each."""

    noisy: Run
    calm: Run
    weigh: Callable[[], int] = lambda: 0

    async def quiet(self) -> Round:
        """Measure calls while nothing else happens."""
        result = Round("quiet")
        began = time.monotonic()
        for _ in range(QUIET_CALLS // CALLS_BETWEEN_LOOKS):
            await self._sample(result)
        result.seconds = time.monotonic() - began
        return result

    async def under(self, name: str, script: str) -> Round:
        """Measure calls while a script floods."""
        result, began = Round(name), time.monotonic()
        await self.noisy(script)
        async with asyncio.timeout(FLOOD_SECONDS):
            await self._sample(result)
            while "done" not in await self.noisy("() => document.title"):
                await self._sample(result)
        result.seconds = time.monotonic() - began
        return result

    async def _sample(self, result: Round) -> None:
        """Make a few calls, then weigh the server, which takes longer than a call."""
        for _ in range(CALLS_BETWEEN_LOOKS):
            began = time.perf_counter()
            await self.calm("() => 1 + 1")
            result.latencies.append(time.perf_counter() - began)
            await asyncio.sleep(PAUSE_SECONDS)
        result.heaviest = max(result.heaviest, await asyncio.to_thread(self.weigh))


def flood(arguments: Sequence[str]) -> int:
    """Measure, print, and return the exit code: 2 when a limit is exceeded."""
    parser = argparse.ArgumentParser(prog="python -m bench flood", description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--quick", action="store_true", help="few of both: a smoke test")
    parser.add_argument("--chromium", help="the browser to measure in (default: the first found)")
    given = parser.parse_args(arguments)
    chromium = given.chromium or find_chromium()
    messages, requests = QUICK if given.quick else (given.messages, given.requests)
    return asyncio.run(_measure(messages, requests, chromium))


async def _measure(messages: int, requests: int, chromium: str) -> int:
    stop_on(signal.SIGTERM)
    facts = await asyncio.to_thread(machine.look)
    sys.stdout.write(f"{facts.system}, {facts.cores} cores, load {facts.load}\n{facts.warning}\n")
    async with open_site({"/blank": ""}) as origin:
        _write("Chromium alone: nobody listens to the page that floods")
        async with _bare(chromium, origin) as bare:
            for name, script in _floods(messages // SHARE, requests // SHARE):
                _write((await bare.under(name, script)).line())
        _write("tabmux")
        async with _served(chromium, origin) as served:
            quiet = await served.quiet()
            _write(quiet.line(quiet.heaviest))
            rounds = []
            for name, script in _floods(messages, requests):
                rounds.append(await served.under(name, script))
                _write(rounds[-1].line(quiet.heaviest))
            _write("a task that logs more than the main thread of Chromium passes on in 50 ms")
            name, script = _logging(messages // SHARE, MANY)
            _write((await served.under(name, script)).line(quiet.heaviest))
    heavy = any(each.heaviest - quiet.heaviest >= ALLOWED_GROWTH for each in rounds)
    return 2 if heavy or any(each.is_slow for each in rounds) else 0


def _floods(messages: int, requests: int) -> Sequence[tuple[str, str]]:
    return (
        _logging(messages, FEW),
        (f"{requests:,} requests", _REQUESTS % requests),
    )


def _logging(messages: int, at_once: int) -> tuple[str, str]:
    return f"{messages:,} messages, {at_once:,} a task", _LOGS % (messages, at_once)


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


@asynccontextmanager
async def _bare(chromium: str, origin: str) -> AsyncIterator[Flood]:
    """Two pages of a Chromium with no other client than the one that makes the calls."""
    async with open_chromium(chromium) as endpoint, open_probe(endpoint.websocket) as probe:
        noisy, calm = [_in_tab(await probe.open(f"{origin}/blank?{n}")) for n in (1, 2)]
        yield Flood(noisy, calm)


@asynccontextmanager
async def _served(chromium: str, origin: str) -> AsyncIterator[Flood]:
    """Two pages of a tabmux."""
    with tempfile.TemporaryDirectory(prefix="tabmux-bench-", ignore_cleanup_errors=True) as scratch:
        place = Path(scratch)
        async with open_chromium(chromium) as endpoint:
            command = TABMUX.started_with(endpoint.url, place)
            surroundings = TABMUX.surroundings(place)
            async with open_client(command, surroundings, place, place / "log") as client:
                await client.initialize()
                pages = [await _page(client, f"{origin}/blank?{n}") for n in (1, 2)]
                noisy, calm = [_in_page(client, page) for page in pages]
                yield Flood(noisy, calm, lambda: resident_bytes(client.pid))


def _in_tab(tab: ProbeTab) -> Run:
    async def run(function: str) -> str:
        return str(await tab.evaluate(f"({function})()"))

    return run


def _in_page(client: Client, page: int) -> Run:
    async def run(function: str) -> str:
        arguments = {"pageId": page, "function": function, "waitForStableDom": False}
        return (await client.call("evaluate_script", arguments)).text

    return run


async def _page(client: Client, url: str) -> int:
    reply = await client.call("new_page", {"url": url})
    for line in reply.text.splitlines():
        ident, colon, rest = line.partition(": ")
        if colon and ident.isdigit() and url in rest:
            return int(ident)
    raise BenchError(f"new_page did not list {url}: {reply.text[:300]}")
