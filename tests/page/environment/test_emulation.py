from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import cast

import pytest

from tabmux.errors import ProtocolFault
from tabmux.page.environment.emulation import NO_EMULATION, Emulation, EmulationSettings
from tabmux.page.page import Page
from tests.page.wiring import PAGE, Wiring

PLACE = (48.2, 16.4)


class Emulated(Wiring):
    """A tab of which the test sees what it is told about its environment."""

    def __init__(self) -> None:
        super().__init__()
        self.frames._frame("F", None, self.channel())
        page = SimpleNamespace(frames=self.frames, workers=self.workers)
        self.emulation = Emulation(cast(Page, page), self.channel())

    async def apply(self, wanted: EmulationSettings, refused: str = "") -> list[str]:
        """Emulate; returns the commands, of which Chrome refuses one."""
        before = len(self.peer.sent)
        await asyncio.gather(self.emulation.apply(wanted), self._answer(before, refused))
        return [each["method"].partition(".")[2] for each in self.peer.sent[before:]]

    async def _answer(self, start: int, refused: str) -> None:
        for each in self.peer.sent[start:]:
            error = {"error": {"code": 1, "message": "no"}} if each["method"] == refused else {}
            self.peer.say({"id": each["id"], "result": {}, **error, "sessionId": PAGE})


async def test_chrome_is_told_what_is_new_and_nothing_else() -> None:
    tab = Emulated()
    assert await tab.apply(EmulationSettings(location=PLACE)) == ["setGeolocationOverride"]
    assert await tab.apply(EmulationSettings(location=PLACE, cpu=4)) == ["setCPUThrottlingRate"]
    assert await tab.apply(EmulationSettings(location=PLACE, cpu=4)) == []
    assert await tab.apply(NO_EMULATION) == ["setCPUThrottlingRate", "clearGeolocationOverride"]


async def test_everything_is_told_again_after_a_refusal() -> None:
    tab = Emulated()
    with pytest.raises(ProtocolFault):
        await tab.apply(EmulationSettings(cpu=4), refused="Emulation.setCPUThrottlingRate")
    again = await tab.apply(EmulationSettings(cpu=4))
    assert {"setCPUThrottlingRate", "setEmulatedMedia", "clearGeolocationOverride"} <= set(again)
    assert await tab.apply(EmulationSettings(cpu=4)) == []
