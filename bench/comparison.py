"""`python -m bench`: measure tabmux and its peers, row by row."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from bench import machine, packages, report, table
from bench.chromium import find_chromium, open_chromium
from bench.pages import pages
from bench.probe import open_probe
from bench.processes import stop_on
from bench.rounds import measure_all
from bench.row import Result, Row
from bench.rows import ROWS
from bench.running_server import Environment, RunningServer
from bench.servers import SERVERS, Server, version_at
from bench.site import open_site
from bench.trouble import BenchError

T = TypeVar("T")
ROUNDS = 15
QUICK_ROUNDS = 3
FAILED, MISSED = 1, 2


@dataclass(frozen=True)
class Options:
    """What to measure."""

    rows: tuple[Row, ...]
    servers: tuple[Server, ...]
    rounds: int
    chromium: str
    json: Path | None
    check: bool


def compare(arguments: Sequence[str]) -> int:
    """Measure, print, and return the exit code."""
    return asyncio.run(_run(_options(arguments)))


def install(arguments: Sequence[str]) -> int:
    """Install the named peers, or all, and measure nothing."""
    parser = argparse.ArgumentParser(prog="python -m bench install", description=install.__doc__)
    parser.add_argument("names", nargs="*", help="only these")
    parser.add_argument("--quick", action="store_true", help="only say which are missing")
    given = parser.parse_args(arguments)
    peers = {server.name: server for server in SERVERS if server.package}
    wanted = _chosen(",".join(given.names) or None, peers)
    pins = dict(server.package for server in wanted if server.package)
    folder = packages.cache()
    if given.quick:
        missing = [name for name, pin in pins.items() if packages.version(name, folder) != pin]
        sys.stdout.write(f"missing: {', '.join(missing) or 'none'}\n")
        return 0
    asyncio.run(packages.install(pins, folder))
    return 0


async def _run(options: Options) -> int:
    stop_on(signal.SIGTERM)
    facts = await asyncio.to_thread(machine.look)
    sys.stderr.write(f"{facts.warning}\n" if facts.warning else "")
    folder = packages.cache()
    await packages.install(
        {s.package[0]: s.package[1] for s in options.servers if s.package}, folder
    )
    for source in filter(None, (server.source for server in options.servers)):
        await asyncio.to_thread(packages.compile_modules, source)
    async with _running_servers(options, folder) as servers:
        results = await measure_all(options.rows, servers, options.rounds)
        versions = {server.server.name: _version(server, folder) for server in servers}
    versions["chromium"] = await asyncio.to_thread(machine.chromium_version, options.chromium)
    versions["node"] = await asyncio.to_thread(machine.node_version)
    sys.stdout.write(f"{report.heading(facts, versions)}\n\n")
    sys.stdout.write(table.render(results, [server.name for server in options.servers]))
    if options.json is not None:
        report.write(options.json, facts, versions, [report.row(each) for each in results])
    return _exit_code(results, options.check)


@asynccontextmanager
async def _running_servers(
    options: Options, folder: Path
) -> AsyncIterator[Sequence[RunningServer]]:
    """Give every server a Chromium of its own: peers attach to all tabs they find."""
    async with AsyncExitStack() as stack:
        scratch = tempfile.TemporaryDirectory(prefix="tabmux-bench-", ignore_cleanup_errors=True)
        place = Path(stack.enter_context(scratch))
        origin = await stack.enter_async_context(open_site(pages()))
        servers: list[RunningServer] = []
        for server in options.servers:
            endpoint = await stack.enter_async_context(open_chromium(options.chromium))
            probe = await stack.enter_async_context(open_probe(endpoint.websocket))
            environment = Environment(endpoint.url, origin, probe, folder, place, servers)
            servers.append(await stack.enter_async_context(RunningServer(server, environment)))
        yield servers


def _version(server: RunningServer, folder: Path) -> str:
    package = server.server.package
    return packages.version(package[0], folder) if package else server.version


def _exit_code(results: Sequence[Result], check: bool) -> int:
    if any(result.errors for result in results):
        return FAILED
    missed = any(result.meets_target() is False for result in results)
    return MISSED if check and missed else 0


def _options(arguments: Sequence[str]) -> Options:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--rounds", type=int, help=f"samples of a quick row (default {ROUNDS})")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROUNDS} rounds: a smoke test")
    parser.add_argument("--rows", help="only these rows, by name, separated by commas")
    parser.add_argument("--servers", help="only these servers, separated by commas")
    parser.add_argument(
        "--beside", type=Path, metavar="FOLDER", help="also the version checked out there"
    )
    parser.add_argument("--chromium", help="the browser to measure in (default: the first found)")
    parser.add_argument("--json", type=Path, help="write all samples to this file")
    parser.add_argument("--check", action="store_true", help="exit with 2 if a target is missed")
    given = parser.parse_args(arguments)
    servers = _chosen(given.servers, {server.name: server for server in SERVERS})
    return Options(
        rows=_chosen(given.rows, {row.name: row for row in ROWS}),
        servers=(*servers, version_at(given.beside)) if given.beside else servers,
        rounds=given.rounds or (QUICK_ROUNDS if given.quick else ROUNDS),
        chromium=given.chromium or find_chromium(),
        json=given.json,
        check=given.check,
    )


def _chosen(names: str | None, known: dict[str, T]) -> tuple[T, ...]:
    wanted = [name.strip() for name in names.split(",")] if names else list(known)
    if unknown := [name for name in wanted if name not in known]:
        raise BenchError(f"Unknown: {', '.join(unknown)}. Known: {', '.join(known)}.")
    return tuple(known[name] for name in wanted)
