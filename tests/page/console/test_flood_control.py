from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tabmux.page.console import flood_control
from tabmux.page.console.flood_control import RATE, FloodThrottle
from tests.page.wiring import PAGE, Wiring


@pytest.fixture(autouse=True)
def haste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flood_control, "ONSET_SECONDS", 0.05)
    monkeypatch.setattr(flood_control, "PATIENCE_SECONDS", 0.05)


def rates(wiring: Wiring) -> list[Any]:
    method = "Emulation.setCPUThrottlingRate"
    return [each["params"]["rate"] for each in wiring.peer.sent if each["method"] == method]


async def flood(wiring: Wiring, pressed: FloodThrottle, *, until: int) -> None:
    async with asyncio.timeout(5):
        while len(rates(wiring)) < until:
            pressed.press(wiring.channel(PAGE))
            await asyncio.sleep(0)


async def test_page_that_goes_on_is_slowed_until_it_is_calm() -> None:
    wiring, emulated = Wiring(), 1.0
    pressed = FloodThrottle(lambda: emulated, lambda: False)
    pressed.press(wiring.channel(PAGE))
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
            left_alone.press(wiring.channel(PAGE))
            await asyncio.sleep(0)
    assert rates(wiring) == []
