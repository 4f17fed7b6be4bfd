from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from tabmux.page.console.flood_control import RATE, FloodThrottle, MessageBacklog
from tests.page.wiring import PAGE, Wiring


def hasty(rate: Callable[[], float], free: Callable[[], bool]) -> FloodThrottle:
    return FloodThrottle(rate, free, onset=0.05, patience=0.05)


def rates(wiring: Wiring) -> list[Any]:
    method = "Emulation.setCPUThrottlingRate"
    return [each["params"]["rate"] for each in wiring.peer.sent if each["method"] == method]


async def flood(wiring: Wiring, pressed: FloodThrottle, *, until: int) -> None:
    async with asyncio.timeout(5):
        while len(rates(wiring)) < until:
            pressed.note(wiring.channel(PAGE))
            await asyncio.sleep(0)


async def test_page_that_goes_on_is_slowed_until_it_is_calm() -> None:
    wiring, emulated = Wiring(), 1.0
    pressed = hasty(lambda: emulated, lambda: False)
    pressed.note(wiring.channel(PAGE))
    assert rates(wiring) == []
    await flood(wiring, pressed, until=1)
    assert rates(wiring) == [RATE]
    assert pressed
    async with asyncio.timeout(5):
        while pressed:
            await asyncio.sleep(0)
    assert rates(wiring) == [RATE, 1.0]


async def test_page_that_is_slow_already_or_measured_is_left_alone() -> None:
    wiring = Wiring()
    for left_alone in (
        FloodThrottle(lambda: 6.0, lambda: False),
        FloodThrottle(lambda: 1.0, lambda: True),
    ):
        end = asyncio.get_running_loop().time() + 0.15
        while asyncio.get_running_loop().time() < end:
            left_alone.note(wiring.channel(PAGE))
            await asyncio.sleep(0)
    assert rates(wiring) == []


def filled(
    count: int, limit: int, budget: int, weight: int = 1
) -> tuple[MessageBacklog, list[int]]:
    ran: list[int] = []
    backlog = MessageBacklog(limit, budget)
    for number in range(count):
        backlog.add(partial(ran.append, number), weight)
    return backlog, ran


def test_steps_run_in_their_order_when_asked() -> None:
    backlog, ran = filled(3, limit=10, budget=10)
    assert ran == []
    backlog.run(2)
    assert ran == [0, 1]
    backlog.run(5)
    assert (ran, len(backlog), backlog.lost) == ([0, 1, 2], 0, 0)


def test_newest_are_kept_and_the_others_counted() -> None:
    backlog, ran = filled(5, limit=2, budget=100)
    backlog.run(9)
    assert (ran, backlog.lost) == ([3, 4], 3)


def test_weight_is_bounded_but_the_newest_stays() -> None:
    backlog, ran = filled(5, limit=10, budget=25, weight=10)
    assert (len(backlog), backlog.lost) == (2, 3)
    backlog.add(lambda: ran.append(9), 1000)
    backlog.run(9)
    assert ran == [9]
    backlog.add(lambda: ran.append(10), 25)
    assert len(backlog) == 1
