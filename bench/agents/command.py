"""`python -m bench agents`: many agents at once, tabmux beside chrome-devtools-mcp."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bench import machine, packages, pages, report
from bench.agents import crowd, form, latency, race
from bench.agents.daemon import SCRATCH_PLACE, command
from bench.agents.idle_tabs import idle_tabs
from bench.agents.lines import BARE, BEFORE, THIS, Line, Results, render
from bench.chromium import find_chromium, open_chromium
from bench.probe import open_probe
from bench.processes import stop_on
from bench.running_server import Environment
from bench.servers import CHROME_DEVTOOLS, SOURCE, TABMUX
from bench.site import open_site
from bench.trouble import BenchError

FAILED, MISSED = 1, 2
PARTS = ("race", "versions", "latency", "sessions", "tabs")
VERSION_ROUNDS = 5
Part = Callable[[Environment], Awaitable[Any]]


@dataclass(frozen=True)
class Options:
    """What to measure, and how long."""

    clients: int
    steps: int
    quick: bool
    parts: tuple[str, ...]
    chromium: str
    json: Path | None
    check: bool
    beside: Path | None


def agents(arguments: Sequence[str]) -> int:
    """Measure, print, and return the exit code."""
    return asyncio.run(_run(_options(arguments)))


async def _run(options: Options) -> int:
    stop_on(signal.SIGTERM)
    facts = await asyncio.to_thread(machine.look)
    sys.stderr.write(f"{facts.warning}\n" if facts.warning else "")
    folder = packages.cache()
    name, pin = CHROME_DEVTOOLS.package or ("", "")
    if "race" in options.parts:
        await packages.install({name: pin}, folder)
    async with _room(options, folder) as environment:
        results = await _measure(environment, options)
    _, ours = await command(("--version",), TABMUX.surroundings(folder))
    versions = {"tabmux": ours.split()[-1], "cdm": packages.version(name, folder)}
    versions["chromium"] = await asyncio.to_thread(machine.chromium_version, options.chromium)
    versions["node"] = await asyncio.to_thread(machine.node_version)
    sys.stdout.write(f"{report.heading(facts, versions)}\n\n{render(results)}")
    if options.json is not None:
        report.write(options.json, facts, versions, [*map(_row, results.lines()), _raw(results)])
    return _exit_code(results, options.check)


@asynccontextmanager
async def _room(options: Options, folder: Path) -> AsyncIterator[Environment]:
    async with AsyncExitStack() as stack:
        scratch = tempfile.TemporaryDirectory(
            prefix="tmb-", dir=SCRATCH_PLACE, ignore_cleanup_errors=True
        )
        place = Path(stack.enter_context(scratch))
        site = {**pages.pages(), **form.pages(options.clients)}
        origin = await stack.enter_async_context(open_site(site))
        endpoint = await stack.enter_async_context(open_chromium(options.chromium))
        probe = await stack.enter_async_context(open_probe(endpoint.websocket))
        yield Environment(endpoint.url, origin, probe, folder, place)


async def _measure(environment: Environment, options: Options) -> Results:
    results = Results(options.clients)
    if "race" in options.parts:
        await _race(environment, options, results)
    if "versions" in options.parts:
        await _versions(environment, options, results)
    if "latency" in options.parts:
        samples = 3 if options.quick else 10
        found = await _part(
            "latency", environment, results, lambda r: latency.latencies(r, samples)
        )
        results.latencies = found or {}
    if "sessions" in options.parts:
        idle, many = (20, 50) if options.quick else (200, 1000)
        cost = await _part(
            "idle sessions", environment, results, lambda r: crowd.idle_cost(r, idle)
        )
        left = await _part("sessions", environment, results, lambda r: crowd.residue(r, many))
        results.idle = (idle, cost) if cost else None
        results.residue = (many, left) if left else None
    if "tabs" in options.parts:
        count = 10 if options.quick else 500
        work = await _part("idle tabs", environment, results, lambda r: idle_tabs(r, count))
        results.tabs = (count, work) if work else None
    return results


async def _race(environment: Environment, options: Options, results: Results) -> None:
    size, steps = options.clients, options.steps
    few, many = (1, 1) if options.quick else (5, 3)
    one, ours, shared, separate = results.columns
    races: dict[str, Part] = {
        one: lambda r: race.tabmux_score(r, 1, steps, few),
        ours: lambda r: race.tabmux_score(r, size, steps, many),
        shared: lambda r: race.shared_score(r, size, steps, 1),
        separate: lambda r: race.separate_score(r, size, steps, 1),
    }
    for name, part in races.items():
        if score := await _part(name, environment, results, part):
            results.scores[name] = score


async def _versions(environment: Environment, options: Options, results: Results) -> None:
    """Let this version, another one, and bare CDP take turns."""
    ours = partial(race.version_score, size=options.clients, steps=options.steps)
    parts: dict[str, Part] = {THIS: partial(ours, source=SOURCE)}
    if options.beside is not None:
        parts[BEFORE] = partial(ours, source=options.beside / "src")
    parts[BARE] = partial(race.bare_score, size=options.clients, steps=options.steps)
    for _ in range(1 if options.quick else VERSION_ROUNDS):
        for name, part in parts.items():
            if score := await _part(name, environment, results, part):
                results.versions.setdefault(name, race.Score()).join(score)


async def _part(name: str, environment: Environment, results: Results, part: Part) -> Any:
    """One part; when it fails the others are measured all the same."""
    sys.stderr.write(f"{name} ")
    sys.stderr.flush()
    try:
        async with race.clean(environment):
            result = await part(environment)
    except (BenchError, OSError) as error:
        results.errors[name] = str(error) or type(error).__name__
        sys.stderr.write(" failed\n")
        return None
    sys.stderr.write(" done\n")
    return result


def _row(line: Line) -> dict[str, Any]:
    target = None if line.target is None else str(line.target)
    return {**asdict(line), "target": target, "meets_target": line.meets_target()}


def _raw(results: Results) -> dict[str, Any]:
    return {"name": "samples", **asdict(results)}


def _exit_code(results: Results, check: bool) -> int:
    if results.complaints():
        return FAILED
    missed = any(line.meets_target() is False for line in results.lines())
    return MISSED if check and missed else 0


def _options(arguments: Sequence[str]) -> Options:
    parser = argparse.ArgumentParser(prog="python -m bench agents", description=__doc__)
    parser.add_argument("--clients", type=int, default=16, help="agents at once (default 16)")
    parser.add_argument("--steps", type=int, default=20, help="calls of each (default 20)")
    parser.add_argument(
        "--quick", action="store_true", help="one round, few sessions: a smoke test"
    )
    parser.add_argument("--parts", default=",".join(PARTS), help="only these, of %(default)s")
    parser.add_argument("--chromium", help="the browser to measure in (default: the first found)")
    parser.add_argument("--json", type=Path, help="write all samples to this file")
    parser.add_argument(
        "--beside",
        type=Path,
        metavar="FOLDER",
        help="take turns with the version checked out there",
    )
    parser.add_argument("--check", action="store_true", help="exit with 2 if a target is missed")
    given = parser.parse_args(arguments)
    parts = tuple(part.strip() for part in given.parts.split(","))
    if unknown := set(parts) - set(PARTS):
        raise BenchError(f"Unknown: {', '.join(unknown)}. Known: {', '.join(PARTS)}.")
    if given.clients < 2 or given.steps < 1:
        raise BenchError("There must be at least two clients and one step.")
    return Options(
        clients=given.clients,
        steps=given.steps,
        quick=given.quick,
        parts=parts,
        chromium=given.chromium or find_chromium(),
        json=given.json,
        check=given.check,
        beside=given.beside,
    )
