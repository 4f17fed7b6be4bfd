"""`python -m bench extension`: what a call costs through the extension, beside direct CDP."""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from bench import machine
from bench.trouble import BenchError
from tabmux.browsers.addressed import WebSocketSpec
from tabmux.browsers.browser import Browser
from tests.agent import Agent, ToolFailed
from tests.extension.lending_server import lent_browser
from tests.site import Site

ROUNDS = 60
QUICK_ROUNDS = 3
WARM_UP = 5
TARGET = 2.5
MISSED = 2

_PAGE = (
    "<title>Bench</title><button onclick='count.textContent = ++n'>Go</button>"
    "<output id=count>0</output><script>n = 0</script><ul>"
    + "".join(f"<li><a href=#{n}>Item {n}</a> of many</li>" for n in range(250))
    + "</ul>"
)

Act = Callable[[Agent, int], Awaitable[object]]


@dataclass
class Row:
    """One kind of call: its times in milliseconds, by way."""

    name: str
    act: Act
    times: dict[str, list[float]] = field(default_factory=dict)

    @property
    def ratio(self) -> float:
        """How many times longer it takes through the extension, by medians."""
        return self._median("extension") / self._median("direct")

    @property
    def line(self) -> str:
        """One row of the table."""
        mark = "" if self.ratio <= TARGET else f"  more than {TARGET:g}"
        return (
            f"{self.name:<20} direct {self._median('direct'):7.2f} ms   "
            f"extension {self._median('extension'):7.2f} ms   ratio {self.ratio:.2f}{mark}"
        )

    def _median(self, way: str) -> float:
        return statistics.median(self.times[way])


async def _click(agent: Agent, index: int) -> None:
    await agent("click", browserIndex=index, uid=agent.uid("button"))


async def _evaluate(agent: Agent, index: int) -> None:
    await agent("evaluate_script", browserIndex=index, function="() => document.title")


async def _snapshot(agent: Agent, index: int) -> None:
    await agent("take_snapshot", browserIndex=index)


def _rows() -> list[Row]:
    return [
        Row("click", _click),
        Row("evaluate_script", _evaluate),
        Row("take_snapshot", _snapshot),
    ]


@asynccontextmanager
async def _agents() -> AsyncIterator[dict[str, tuple[Agent, int]]]:
    """One browser, reached in two ways: each way has an agent with a tab of its own."""
    async with AsyncExitStack() as stack:
        site = stack.enter_context(Site())
        lent, user = await stack.enter_async_context(lent_browser())
        direct = lent.app.browsers.register(WebSocketSpec(user.endpoint, name="direct"))
        await lent.app.browsers.connect(direct)
        ways: dict[str, Browser] = {"direct": direct, "extension": lent.browser}
        agents: dict[str, tuple[Agent, int]] = {}
        for way, browser in ways.items():
            agent = await stack.enter_async_context(Agent.joined(lent.app, site))
            await agent("new_page", browserIndex=browser.index, url=site.page(_PAGE))
            await agent("take_snapshot", browserIndex=browser.index)
            agents[way] = (agent, browser.index)
        yield agents


async def _measure(rounds: int) -> list[Row]:
    rows = _rows()
    async with _agents() as agents:
        for number in range(WARM_UP + rounds):
            for row in rows:
                for way, (agent, index) in agents.items():
                    began = time.perf_counter()
                    await row.act(agent, index)
                    if number >= WARM_UP:
                        row.times.setdefault(way, []).append((time.perf_counter() - began) * 1000)
    return rows


async def _run(rounds: int) -> list[Row]:
    facts = await asyncio.to_thread(machine.look)
    sys.stdout.write(f"{facts.system}, {facts.cores} cores, load {facts.load}\n{facts.warning}\n")
    try:
        rows = await _measure(rounds)
    except* ToolFailed as failures:
        raise BenchError(f"A tool failed: {failures.exceptions[0]}") from failures
    sys.stdout.write(f"{rounds} calls of each, turn by turn, in the same browser; medians:\n")
    sys.stdout.write("".join(f"{row.line}\n" for row in rows))
    return rows


def extension(arguments: Sequence[str]) -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench extension", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--quick", action="store_true", help="three rounds: a smoke test")
    parser.add_argument("--check", action="store_true", help="exit with 2 if a target is missed")
    given = parser.parse_args(arguments)
    rows = asyncio.run(_run(QUICK_ROUNDS if given.quick else given.rounds))
    missed = any(row.ratio > TARGET for row in rows)
    return MISSED if given.check and missed else 0
