"""Command tabbench: all servers, all numbers of agents, one table, raw data and charts."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench import machine, packages
from bench.chromium import find_chromium
from bench.pagetools import miniwob
from bench.pagetools.folder import open_folder
from bench.processes import stop_on
from bench.tabbench.charts import write_charts
from bench.tabbench.crowd import Crowd, open_crowd
from bench.tabbench.drivers.agent_browser import AgentBrowserDriver
from bench.tabbench.drivers.chrome_devtools import ChromeDevtoolsDriver
from bench.tabbench.drivers.playwright import PlaywrightDriver
from bench.tabbench.drivers.tabmux import TabmuxDriver
from bench.tabbench.server_driver import ServerDriver
from bench.tabbench.summary import failures, table
from bench.tabbench.tasks import FOLDER, Task, own_tasks, pages, tasks
from bench.trouble import BenchError

DRIVERS: dict[str, type[ServerDriver]] = {
    each.name: each
    for each in (TabmuxDriver, ChromeDevtoolsDriver, PlaywrightDriver, AgentBrowserDriver)
}
QUICK_TASKS = ("click-button", "click-checkboxes", "enter-text", "contact", "todo")


def tabbench(arguments: Sequence[str]) -> int:
    """Run the benchmark; returns the exit code."""
    given = _parser().parse_args(arguments)
    if given.draw:
        runs = json.loads(given.draw.read_text(encoding="utf-8"))["runs"]
        return _report(runs, given.charts)
    return asyncio.run(_run(given))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench tabbench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="five tasks, 1 and 2 agents")
    parser.add_argument("--servers", default=",".join(DRIVERS), help="only these, by commas")
    parser.add_argument("--agents", default="", help="numbers of agents at once: 1,4,16")
    parser.add_argument("--only", default="", help="only tasks whose name has this in it")
    parser.add_argument(
        "--own", action="store_true", help="only our own applications; MiniWoB is not needed"
    )
    parser.add_argument(
        "--split", action="store_true", help="share the tasks out, where each agent does all"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the tasks' chances")
    parser.add_argument("--chromium", default="", help="another browser than the first found")
    parser.add_argument("--json", type=Path, help="write all raw data here")
    parser.add_argument("--charts", type=Path, help="write charts into this folder")
    parser.add_argument("--draw", type=Path, help="only draw the raw data of an earlier run")
    return parser


async def _run(given: argparse.Namespace) -> int:
    stop_on(signal.SIGTERM)
    kinds = [_driver(name) for name in given.servers.split(",")]
    browser = given.chromium or find_chromium()
    await packages.install(dict(kind.package for kind in kinds if kind.package), packages.cache())
    facts: dict[str, Any] = {
        "machine": asdict(machine.look()),
        "chromium": machine.chromium_version(browser),
    }
    _say(f"{facts['chromium']}, node {machine.node_version()}, {facts['machine']['processor']}")
    chosen = _chosen(own_tasks() if given.own else tasks(), given)
    sizes = [
        int(size) for size in (given.agents or ("1,2" if given.quick else "1,4,16")).split(",")
    ]
    runs: list[dict[str, Any]] = []
    root = FOLDER if given.own else miniwob.material() / miniwob.PAGES
    modules = packages.cache() / "node_modules"
    async with open_folder(root, pages()) as served:
        for size in sizes:
            for kind in kinds:
                async with open_crowd(kind, size, browser, served.origin, modules) as crowd:
                    runs.append(await _measured(crowd, chosen, given))
                if given.json:
                    given.json.write_text(json.dumps({**facts, "runs": runs}), encoding="utf-8")
    return _report(runs, given.charts)


async def _measured(
    crowd: Crowd, chosen: Sequence[Task], given: argparse.Namespace
) -> dict[str, Any]:
    size, kind = len(crowd.drivers), crowd.kind
    results = await crowd.work(chosen, given.seed, split=given.split)
    done = sum(each.done for each in results)
    _say(f"{kind.name} {crowd.version}, {size} agents: {done} of {len(results)}")
    facts = {"server": kind.name, "version": crowd.version, "agents": size}
    return {**facts, "memory": crowd.memory(), "results": [asdict(each) for each in results]}


def _report(runs: Sequence[dict[str, Any]], charts: Path | None) -> int:
    for line in (*table(runs), "", *failures(runs)):
        _say(line)
    if charts:
        write_charts(runs, charts)
    return 1 if any(not run["results"] for run in runs) else 0


def _chosen(known: Sequence[Task], given: argparse.Namespace) -> list[Task]:
    wanted = [each for each in known if given.only in each.name]
    if given.quick and not given.only:
        wanted = [each for each in known if each.name in QUICK_TASKS]
    if not wanted:
        raise BenchError(f"No task has {given.only!r} in its name.")
    return wanted


def _driver(name: str) -> type[ServerDriver]:
    if name not in DRIVERS:
        raise BenchError(f"There is no server {name!r}; there are {', '.join(DRIVERS)}.")
    return DRIVERS[name]


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
