"""Lets teams work, and keeps the score."""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from bench.agents import form
from bench.agents.agent import Diary
from bench.agents.bare import bare_agents
from bench.agents.daemon import Daemon, open_daemon, words
from bench.agents.form import Step
from bench.agents.teams import (
    Team,
    close_tabs,
    separate_team,
    shared_team,
    tabmux_team,
    tabs,
)
from bench.client import Client
from bench.running_server import Environment
from bench.trouble import BenchError
from bench.verbs import WaitFor

ROUND_SECONDS = 600.0
HELD_SECONDS = 30
# In case a round takes longer than the wait.
RENEW_SECONDS = 28.0
UNDER_WAY_SECONDS = 0.2
WARM_UP_STEPS = 4


class Worker(Protocol):
    """Whoever does the task."""

    @property
    def number(self) -> int:
        """Which of the pages is its own."""

    async def work(self, steps: Sequence[Step]) -> Diary:
        """Take all steps."""


@dataclass
class Score:
    """What one team did.

    Args:
        rates: Steps per second, one for each round.
        seconds: Of every call.
        held: Of every call beside a session that waits.
        chromium: Milliseconds of Chromium's processors for a step, where that was looked at.
    """

    rates: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    held: list[float] = field(default_factory=list)
    chromium: list[float] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    resident_mb: float | None = None
    proportional_mb: float | None = None

    def rate(self) -> float | None:
        """Steps per second; a team that did not finish has none."""
        return statistics.median(self.rates) if self.rates and not self.errors else None

    def added_ms(self) -> float | None:
        """How much longer a call takes beside a session that waits."""
        if not self.held or not self.seconds:
            return None
        return (statistics.median(self.held) - statistics.median(self.seconds)) * 1000

    def join(self, other: Score) -> None:
        """Take in what the same team did at another time."""
        self.rates += other.rates
        self.seconds += other.seconds
        self.chromium += other.chromium
        self.strays += other.strays
        self.errors += other.errors
        self.resident_mb, self.proportional_mb = other.resident_mb, other.proportional_mb

    def add(self, diaries: Sequence[Diary], elapsed: float, *, held: bool = False) -> None:
        """Enter one round."""
        seconds = [value for diary in diaries for value in diary.seconds]
        (self.held if held else self.seconds).extend(seconds)
        if not held:
            self.rates.append(len(seconds) / elapsed)
        self.strays += [stray for diary in diaries for stray in diary.strays]
        self.errors += [diary.error for diary in diaries if diary.error]

    def weigh(self, team: Team) -> None:
        """Enter the memory of a team that has worked."""
        self.resident_mb, self.proportional_mb = team.resident_mb(), team.proportional_mb()


async def tabmux_score(environment: Environment, size: int, steps: int, rounds: int) -> Score:
    """Clients of one daemon; every other round beside a session that holds a long wait."""
    score = Score()
    async with (
        open_daemon(environment.chromium, environment.scratch) as daemon,
        tabmux_team(environment, daemon, size) as team,
    ):
        await _warm_up(team.agents)
        for number in range(rounds):
            # The order changes, so that growing warm favours neither.
            for held in (False, True) if number % 2 == 0 else (True, False):
                if not held:
                    await _round(team.agents, steps, score)
                elif size > 1:
                    async with _waiting(environment, daemon):
                        await _round(team.agents, steps, score, held=True)
        score.weigh(team)
        if score.errors and (failure := daemon.last_failure()):
            score.errors.insert(0, f"the daemon's log: {failure}")
    return score


async def version_score(environment: Environment, size: int, steps: int, source: Path) -> Score:
    """Clients of one daemon of a version of tabmux, for one round."""
    score = Score()
    async with (
        open_daemon(environment.chromium, environment.scratch, source) as daemon,
        tabmux_team(environment, daemon, size) as team,
    ):
        await _warm_up(team.agents)
        await _weighed_round(environment, team.agents, steps, score)
    return score


async def bare_score(environment: Environment, size: int, steps: int) -> Score:
    """Nobody between the bench and Chromium, for one round."""
    score = Score()
    agents = await bare_agents(environment, size)
    await _warm_up(agents)
    await _weighed_round(environment, agents, steps, score)
    return score


async def shared_score(environment: Environment, size: int, steps: int, rounds: int) -> Score:
    """One chrome-devtools-mcp for all."""
    score = Score()
    async with shared_team(environment, size) as team:
        await _rounds(team, steps, rounds, score)
    return score


async def separate_score(environment: Environment, size: int, steps: int, rounds: int) -> Score:
    """One chrome-devtools-mcp for each."""
    score = Score()
    async with separate_team(environment, size) as team:
        await _rounds(team, steps, rounds, score)
    return score


@asynccontextmanager
async def clean(environment: Environment) -> AsyncIterator[None]:
    """Leave no more tabs behind than there were."""
    before = await tabs(environment)
    try:
        yield
    finally:
        await close_tabs(environment, before)


async def _warm_up(agents: Sequence[Worker]) -> None:
    """A few steps that do not count, so that nobody is timed while it loads its parts."""
    await _round(agents, WARM_UP_STEPS, Score())


async def _weighed_round(
    environment: Environment, agents: Sequence[Worker], steps: int, score: Score
) -> None:
    """A round, and what it cost Chromium's processors."""
    before = await chromium_seconds(environment)
    await _round(agents, steps, score)
    used = await chromium_seconds(environment) - before
    score.chromium.append(used * 1000 / (len(agents) * steps))


async def chromium_seconds(environment: Environment) -> float:
    """How long Chromium's processes have had a processor."""
    processes = (await environment.probe.call("SystemInfo.getProcessInfo"))["processInfo"]
    return sum(float(process["cpuTime"]) for process in processes)


async def _rounds(team: Team, steps: int, rounds: int, score: Score) -> None:
    await _warm_up(team.agents)
    for _ in range(rounds):
        if not score.errors:
            await _round(team.agents, steps, score)
    score.weigh(team)


async def _round(agents: Sequence[Worker], steps: int, score: Score, *, held: bool = False) -> None:
    began = time.perf_counter()
    try:
        async with asyncio.timeout(ROUND_SECONDS):
            work = (agent.work(form.steps(agent.number, steps)) for agent in agents)
            diaries = await asyncio.gather(*work)
    except TimeoutError as error:
        raise BenchError(f"{len(agents)} agents took longer than {ROUND_SECONDS:g} s") from error
    score.add(diaries, time.perf_counter() - began, held=held)
    sys.stderr.write(".")
    sys.stderr.flush()


@asynccontextmanager
async def _waiting(environment: Environment, daemon: Daemon) -> AsyncIterator[None]:
    """A further session that waits for a text that never comes, as long as the block lasts."""
    async with environment.client(daemon.relay) as client:
        await client.initialize()
        await client.call("navigate_page", {"type": "url", "url": environment.url("/blank")})
        wait = _Wait(client, daemon)
        try:
            await asyncio.sleep(UNDER_WAY_SECONDS)
            await _prove(daemon)
            yield
            await _prove(daemon)
        finally:
            wait.end()


class _Wait:
    """A wait that is asked anew a little before it would end."""

    def __init__(self, client: Client, daemon: Daemon) -> None:
        self._client = client
        verb = WaitFor("A text that never comes", HELD_SECONDS)
        self._call = daemon.relay.dialect.call(verb, {}, None)
        self._ask()

    def end(self) -> None:
        """Nobody waits any more."""
        self._timer.cancel()
        self._client.abandon(self._ident)

    def _ask(self) -> None:
        parameters = {"name": self._call.tool, "arguments": self._call.arguments}
        self._ident, _ = self._client.post("tools/call", parameters)
        self._timer = asyncio.get_running_loop().call_later(RENEW_SECONDS, self._renew)

    def _renew(self) -> None:
        self._client.abandon(self._ident)
        self._ask()


async def _prove(daemon: Daemon) -> None:
    status = words((await daemon.control("status"))[0])
    if int(status["queued"]) < 1:
        raise BenchError("The session that should wait does not.")
