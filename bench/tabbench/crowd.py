"""Crowd: some agents of one server in one Chromium, who share out the tasks and do them at once."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from bench.chromium import open_chromium
from bench.client import open_client
from bench.pagetools.browser import ALONE
from bench.pagetools.miniwob_oracles import Episode
from bench.probe import Probe, ProbeTab, open_probe
from bench.tabbench.server_driver import ServerDriver
from bench.tabbench.tasks import Task
from bench.trouble import BenchError

SETTLE_SECONDS, LOOK_SECONDS = 2.0, 0.05
TASK_SECONDS = 60.0
# Some servers answer before the page has loaded.
LOADED = """new Promise(done => document.readyState === 'complete' ? done()
  : addEventListener('load', done))"""
# A socket's path must fit into 108 bytes, whatever TMPDIR says.
SCRATCH_PLACE = "/tmp" if Path("/tmp").is_dir() else None


@dataclass(frozen=True)
class Result:
    """What became of one task."""

    task: str
    agent: int
    done: bool
    seconds: float
    calls: int
    sent: int
    received: int
    strangers: int
    neighbours: int
    call_seconds: tuple[float, ...]
    trouble: str = ""


@dataclass
class Crowd:
    """The agents of one server."""

    kind: type[ServerDriver]
    chromium: str
    origin: str
    modules: Path
    probe: Probe
    scratch: Path
    version: str = ""
    drivers: list[ServerDriver] = field(default_factory=list)

    async def join(self, stack: AsyncExitStack, agent: int) -> None:
        """Start one more agent, with a server or relay of its own."""
        environment = {**os.environ, **self.kind.environment(self.chromium, agent)}
        environment |= {"HOME": str(self.scratch)}
        command = self.kind.command(self.chromium, self.modules)
        log = self.scratch / f"{agent}.log"
        client = await stack.enter_async_context(
            open_client(command, environment, self.scratch, log)
        )
        about = await client.initialize()
        self.version = str(about["serverInfo"]["version"])
        driver = self.kind(client, agent)
        self.drivers.append(driver)
        stack.push_async_callback(_leave, driver)

    async def work(self, tasks: Sequence[Task], seed: int, *, split: bool = False) -> list[Result]:
        """Let every agent do every task, each beginning with another one.

        Args:
            tasks: What is to be done.
            seed: Of the tasks' chances.
            split: Share the tasks out instead.
        """
        size = len(self.drivers)
        async with asyncio.TaskGroup() as group:
            lists = [
                group.create_task(
                    self._all(
                        number, tasks[number::size] if split else _turned(tasks, number), seed
                    )
                )
                for number in range(size)
            ]
        return [result for each in lists for result in each.result()]

    def memory(self) -> int:
        """Return the resident bytes of all servers, relays and daemons; Chromium is not counted."""
        return sum(_resident(process) for process in _of_home(str(self.scratch)))

    async def _all(self, number: int, tasks: Sequence[Task], seed: int) -> list[Result]:
        return [
            await self._one(number, task, seed + at * len(self.drivers) + number)
            for at, task in enumerate(tasks)
        ]

    async def _one(self, number: int, task: Task, seed: int) -> Result:
        driver = self.drivers[number]
        before = _counts(driver)
        url = f"{self.origin}{task.path}?{driver.agent}&{seed}"
        began, trouble, done = time.perf_counter(), "", False
        seconds = 0.0
        try:
            async with asyncio.timeout(TASK_SECONDS):
                await driver.open(url)
                tab = await self.probe.tab(url)
                await tab.evaluate(LOADED)
                said = str(await tab.evaluate(task.start.format(seed=seed)))
                try:
                    await task.oracle(Episode(said, driver, task.source))
                finally:
                    seconds = time.perf_counter() - began
                    done = await _judged(tab, task.reward)
        except (BenchError, LookupError, TimeoutError, ValueError) as error:
            trouble = (str(error) or type(error).__name__).replace("\n", " ")[:200]
        seconds = seconds or time.perf_counter() - began
        counted = [now - then for now, then in zip(_counts(driver), before, strict=True)]
        calls, sent, received, strangers, neighbours = counted
        times = tuple(driver.seconds[len(driver.seconds) - calls :]) if calls else ()
        return Result(
            task.name, number, done, seconds, calls, sent, received, strangers, neighbours, times,
            "" if done else trouble or "the page gave no reward",
        )  # fmt: skip


@asynccontextmanager
async def open_crowd(
    kind: type[ServerDriver], size: int, browser: str, origin: str, modules: Path
) -> AsyncIterator[Crowd]:
    """Start a Chromium and the agents of one server; all are gone afterwards."""
    async with AsyncExitStack() as stack:
        place = tempfile.TemporaryDirectory(
            prefix="tabbench-", dir=SCRATCH_PLACE, ignore_cleanup_errors=True
        )
        scratch = Path(stack.enter_context(place))
        stack.callback(_end_all, str(scratch))
        endpoint = await stack.enter_async_context(open_chromium(browser, ALONE))
        probe = await stack.enter_async_context(open_probe(endpoint.websocket))
        crowd = Crowd(kind, endpoint.url, origin, modules, probe, scratch)
        for agent in range(size):
            await crowd.join(stack, agent)
        yield crowd


async def _leave(driver: ServerDriver) -> None:
    with suppress(BenchError):
        await driver.close()


async def _judged(tab: ProbeTab, reward: str) -> bool:
    for _ in range(round(SETTLE_SECONDS / LOOK_SECONDS)):
        found = await tab.evaluate(reward)
        if isinstance(found, int | float):
            return found >= 1
        await asyncio.sleep(LOOK_SECONDS)
    return False


def _turned(tasks: Sequence[Task], number: int) -> list[Task]:
    start = number * len(tasks) // 16 % len(tasks) if tasks else 0
    return [*tasks[start:], *tasks[:start]]


def _counts(driver: ServerDriver) -> tuple[int, int, int, int, int]:
    made = len(driver.seconds)
    return made, driver.sent, driver.characters, driver.strangers, driver.neighbours


def _of_home(home: str) -> list[psutil.Process]:
    """Return the processes whose home is a folder: servers, relays, and daemons they started."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.environ().get("HOME") == home:
                found.append(process)
    return found


def _end_all(home: str) -> None:
    """End what still runs, such as daemons."""
    for process in _of_home(home):
        with suppress(psutil.Error):
            process.kill()


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0
