"""Drawing: a tab draws while somebody works in it, and no longer."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from tabmux.cdp.channel import Channel
from tabmux.concurrency import Signal
from tabmux.page.see.drawing import Drawing
from tests.agent import Agent
from tests.clock import AT_ONCE

START, STOP = "Page.startScreencast", "Page.stopScreencast"


class Commands:
    """Stands for a channel, and notes what is sent."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self._signal = Signal()

    def send(self, method: str, params: Any = None) -> None:
        self.sent.append(method)
        self._signal.notify()

    def on_close(self, listener: Any) -> None:
        self.closed = listener

    async def until(self, *sent: str) -> None:
        assert await self._signal.until(lambda: self.sent == list(sent), AT_ONCE), self.sent


def drawing(seconds: float) -> tuple[Commands, Drawing]:
    commands = Commands()
    return commands, Drawing(cast(Channel, commands), seconds)


async def test_it_starts_once_and_ends_a_while_after_the_last_need() -> None:
    commands, lease = drawing(0.05)
    lease.keep()
    lease.keep()
    assert commands.sent == [START]
    await commands.until(START, STOP)
    lease.keep()
    await commands.until(START, STOP, START, STOP)


async def test_what_is_quick_does_not_start_it_and_what_is_slow_does() -> None:
    commands, lease = drawing(60)
    with lease.keep_if_slow():
        pass
    with lease.keep_if_slow():
        assert commands.sent == []
        await commands.until(START)


async def test_it_goes_on_while_an_action_takes_long() -> None:
    commands, lease = drawing(0.01)
    other, brief = drawing(0.02)
    with lease.keep_during():
        brief.keep()
        await other.until(START, STOP)
        assert commands.sent == [START]
    await commands.until(START, STOP)


async def test_a_recording_has_the_only_screencast_to_itself() -> None:
    commands, lease = drawing(60)
    lease.keep()
    lease.lend()
    assert commands.sent == [START, STOP]
    lease.keep()
    assert commands.sent == [START, STOP]
    lease.take_back()
    lease.keep()
    assert commands.sent == [START, STOP, START]
    await asyncio.sleep(0)


async def test_an_action_or_a_picture_has_the_tab_draw_and_a_look_does_not(agent: Agent) -> None:
    for tool, arguments in (("click", {"uid": 'button "Go"'}), ("take_screenshot", {})):
        await agent("new_page", url=agent.site.page("<button>Go</button>"))
        handle = agent.session.pages[agent.session.selected or 0]
        await agent("take_snapshot")
        assert handle.page is not None
        assert not handle.page.drawing.is_on
        await agent(tool, **arguments)
        assert handle.page.drawing.is_on
