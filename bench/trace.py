"""`python -m bench trace`: a large trace in tabmux's worker and in the peer's engine."""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from bench import machine, packages
from bench.chromium import find_chromium, open_chromium
from bench.http import free_port, server
from bench.mcp_session import Session
from bench.servers import CHROME_DEVTOOLS
from bench.trouble import BenchError

RECORDED = Path(__file__).parents[1] / "tests" / "analysis" / "data" / "navigations.json.gz"
MEGABYTES = 200
QUICK_MEGABYTES = 5
ANALYSE_SECONDS = 170.0
ALONE_CALLS = 100
# Between two calls of the other session, as an agent that is quick would make them.
PAUSE_SECONDS = 0.02
MOST_CPU, MOST_MEMORY, MOST_DELAY = 6.0, 400e6, 0.020


@dataclass(frozen=True)
class Cost:
    """What the analysis of a trace took."""

    name: str
    cpu: float
    memory: float
    seconds: float
    characters: int

    @property
    def line(self) -> str:
        """One row of the table."""
        return (
            f"{self.name:<22} {self.cpu:6.2f} s CPU {self.memory / 1e6:8.0f} MB at most "
            f"{self.seconds:6.1f} s wall {self.characters:7} characters"
        )


def enlarged(recorded: Path, target: Path, megabytes: int) -> int:
    """Write a trace that repeats the events of another; returns its size in bytes."""
    with gzip.open(recorded) as file:
        events = json.load(file)
    events = events["traceEvents"] if isinstance(events, dict) else events
    text = ",\n".join(json.dumps(event, separators=(",", ":")) for event in events).encode()
    times = max(1, round(megabytes * 1e6 / len(text)))
    with target.open("wb") as out:
        out.write(b'{"traceEvents":[\n' + text)
        for _ in range(times - 1):
            out.write(b",\n" + text)
        out.write(b"\n]}")
    return target.stat().st_size


async def ours(trace: Path, warm: Path, chromium: str) -> tuple[Cost, list[float], list[float]]:
    """Analyse it for one session, while another one calls; returns its calls alone and beside."""
    port = free_port()
    async with open_chromium(chromium) as endpoint:
        flags = (
            "serve",
            "--http",
            "--no-auth",
            "--tools=+performance",
            "--browser-url",
            endpoint.url,
        )
        allowed = ("--allow-path", str(trace.parent), "--allow-path", str(warm.parent))
        command = (sys.executable, "-m", "tabmux", *flags, *allowed, "--port", str(port))
        async with server(*command, ready="is ready") as process:
            one, two = await Session.opened(port), await Session.opened(port)
            await _analysed(one, port, warm)
            alone = [await _call(two, port) for _ in range(ALONE_CALLS)]
            worker = _worker(process.pid)
            before, began = sum(worker.cpu_times()[:2]), time.monotonic()
            async with asyncio.TaskGroup() as group:
                analysis = group.create_task(_analysed(one, port, trace))
                beside = []
                while not analysis.done():
                    beside.append(await _call(two, port))
            seconds = time.monotonic() - began
            cpu = sum(worker.cpu_times()[:2]) - before
            cost = Cost("tabmux, in its worker", cpu, _peak(worker), seconds, analysis.result())
    return cost, alone, beside


async def theirs(trace: Path) -> Cost:
    """Analyse it with the peer's engine, in a process of its own."""
    assert CHROME_DEVTOOLS.package is not None
    name, pin = CHROME_DEVTOOLS.package
    await packages.install({name: pin}, packages.cache())
    script = Path(__file__).with_name("peer_trace.mjs")
    process = await asyncio.create_subprocess_exec(
        *("node", "--max-old-space-size=8192", str(script)),
        *(str(packages.cache() / "node_modules" / name), str(trace)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(ANALYSE_SECONDS):
            output, errors = await process.communicate()
    except TimeoutError as error:
        process.kill()
        raise BenchError(f"{name} took longer than {ANALYSE_SECONDS:g} s.") from error
    if process.returncode:
        raise BenchError(f"{name}: {errors.decode()[-300:]}")
    return Cost("chrome-devtools-mcp", **json.loads(output.splitlines()[-1]))


async def _analysed(session: Session, port: int, trace: Path) -> int:
    text = await session.tool(port, "analyze_trace_file", {"filePath": str(trace)}, ANALYSE_SECONDS)
    return len(text)


async def _call(session: Session, port: int) -> float:
    await asyncio.sleep(PAUSE_SECONDS)
    began = time.monotonic()
    await session.tool(port, "evaluate_script", {"function": "() => 1 + 1"})
    return time.monotonic() - began


def _worker(pid: int) -> psutil.Process:
    for child in psutil.Process(pid).children(recursive=True):
        if any("spawn_main" in part for part in child.cmdline()):
            return child
    raise BenchError("The server has no worker process.")


def _peak(process: psutil.Process) -> float:
    """The most memory that a process ever had; what it has now where nobody keeps count."""
    status = Path(f"/proc/{process.pid}/status")
    if status.exists():
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        return int(lines["VmHWM"].split()[0]) * 1024
    return float(process.memory_info().rss)


async def _measure(recorded: Path, megabytes: int, chromium: str, *, without_peer: bool) -> int:
    facts = await asyncio.to_thread(machine.look)
    sys.stdout.write(f"{facts.system}, {facts.cores} cores, load {facts.load}\n{facts.warning}\n")
    with tempfile.TemporaryDirectory(prefix="tabmux-bench-") as folder:
        trace = Path(folder) / "large.json"
        size = await asyncio.to_thread(enlarged, recorded, trace, megabytes)
        cost, alone, beside = await ours(trace, recorded, chromium)
        sys.stdout.write(f"A trace of {size / 1e6:.0f} MB:\n{cost.line}\n")
        if not without_peer:
            sys.stdout.write(f"{(await theirs(trace)).line}\n")
    added = statistics.median(beside) - statistics.median(alone)
    # On a busy machine one call may be all that had its turn meanwhile.
    slow = statistics.quantiles(beside, n=20)[-1] if len(beside) > 1 else max(beside)
    sys.stdout.write(
        f"{len(beside)} calls of another session meanwhile: {added * 1000:.1f} ms later in the "
        f"median, 95 % of them within {slow * 1000:.1f} ms\nload afterwards {os.getloadavg()}\n"
    )
    good = cost.cpu <= MOST_CPU and cost.memory <= MOST_MEMORY and added <= MOST_DELAY
    return 0 if good else 1


def trace(arguments: Sequence[str]) -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench trace", description=__doc__)
    parser.add_argument("--megabytes", type=int, default=MEGABYTES)
    parser.add_argument(
        "--quick", action="store_true", help="a small trace, without the peer: a smoke test"
    )
    parser.add_argument("--trace", type=Path, default=RECORDED, help="what is repeated (.json.gz)")
    parser.add_argument("--chromium", help="the browser for the other session")
    given = parser.parse_args(arguments)
    chromium = given.chromium or find_chromium()
    megabytes = QUICK_MEGABYTES if given.quick else given.megabytes
    return asyncio.run(
        _measure(given.trace.resolve(), megabytes, chromium, without_peer=given.quick)
    )
