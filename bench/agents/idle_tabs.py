"""Tabs in great number that nobody works in: what they cost Chromium, with tabmux and without."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import pairwise

from bench.agents import form
from bench.agents.crowd import AT_ONCE, Wire, open_wire
from bench.agents.daemon import Daemon, open_daemon
from bench.agents.race import chromium_seconds, clean
from bench.running_server import Environment

# Longer than tabmux has a tab draw after it was needed, and than Chromium has work with a new one.
REST_SECONDS = 10.0
# Chromium tidies up after tabs that were opened, each kind of work once within a minute or so: the
# median of several looks is what goes on.
LOOKS, LOOK_SECONDS = 9, 8.0


@dataclass(frozen=True)
class IdleTabs:
    """Milliseconds a second that Chromium's processes work while all tabs are idle."""

    without: float
    beside_tabmux: float


async def idle_tabs(environment: Environment, count: int) -> IdleTabs:
    """Leave as many tabs alone, after agents have worked in each of them and without tabmux."""
    async with clean(environment):
        without = await _without(environment, count)
    async with clean(environment):
        return IdleTabs(without, await _beside_tabmux(environment, count))


async def _without(environment: Environment, count: int) -> float:
    async def open_tab(number: int) -> None:
        url = environment.url(form.path(0))
        await environment.probe.call("Target.createTarget", url=url, background=True)

    await _each(count, open_tab)
    return await _work_while_idle(environment)


async def _beside_tabmux(environment: Environment, count: int) -> float:
    async with (
        open_daemon(environment.chromium, environment.scratch) as daemon,
        AsyncExitStack() as stack,
    ):

        async def work(number: int) -> None:
            wire = await stack.enter_async_context(open_wire(daemon))
            await _use(environment, daemon, wire, number)

        await _each(count, work)
        return await _work_while_idle(environment)


async def _use(environment: Environment, daemon: Daemon, wire: Wire, number: int) -> None:
    """Do in a tab what has tabmux look at it closely, and draw."""
    await wire.enter(f"idle-{number}", daemon.browser)
    await wire.visit(environment.url(form.path(0)))
    await wire.call("take_snapshot", {})
    await wire.call("click", {"uid": 'button "Add item"'})
    await wire.call("hover", {"uid": 'button "Send"'})


async def _work_while_idle(environment: Environment) -> float:
    await asyncio.sleep(REST_SECONDS)
    seen = [await chromium_seconds(environment)]
    for _ in range(LOOKS):
        await asyncio.sleep(LOOK_SECONDS)
        seen.append(await chromium_seconds(environment))
    worked = (after - before for before, after in pairwise(seen))
    return statistics.median(worked) * 1000 / LOOK_SECONDS


async def _each(count: int, work: Callable[[int], Awaitable[None]]) -> None:
    numbers = iter(range(count))

    async def take() -> None:
        for number in numbers:
            await work(number)

    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(take())
