"""Drawing: a tab draws while somebody works in it, and no longer."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from tabmux.cdp.channel import Channel
from tabmux.concurrency import Signal
from tabmux.page import settling
from tabmux.page.see.drawing import HELD_SECONDS, IN_TIME_SECONDS, MOST_HELD, Drawing
from tabmux.settings import Settings
from tests.agent import Agent
from tests.clock import AT_ONCE
from tests.serving import running
from tests.site import Site

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


def see_held(lease: Drawing) -> None:
    lease.note_lateness(HELD_SECONDS + 0.01, IN_TIME_SECONDS / 2)


async def test_it_starts_at_once_where_a_page_was_seen_to_wait_for_frames() -> None:
    commands, lease = drawing(60)
    see_held(lease)
    assert commands.sent == []
    with lease.keep_if_held():
        await commands.until(START)


@pytest.mark.parametrize(
    ("page", "way"),
    [(HELD_SECONDS / 2, 0.0), (HELD_SECONDS + 0.01, IN_TIME_SECONDS + 0.01), (0.0, 1.0)],
)
async def test_a_busy_machine_is_no_page_that_waits_for_frames(page: float, way: float) -> None:
    commands, lease = drawing(60)
    lease.note_lateness(page, way)
    with lease.keep_if_held():
        assert not await Signal().until(lambda: bool(commands.sent), 0.02)


async def test_few_tabs_of_a_browser_draw_for_that_at_once() -> None:
    tabs: set[Drawing] = set()
    made = [Commands() for _ in range(MOST_HELD + 1)]
    leases = [Drawing(cast(Channel, commands), 60, tabs) for commands in made]
    for lease in leases[1:]:
        lease.keep()
    see_held(leases[0])
    with leases[0].keep_if_held():
        assert not await Signal().until(lambda: bool(made[0].sent), 0.02)
    made[1].closed("the tab was closed")
    with leases[0].keep_if_held():
        await made[0].until(START)


async def test_it_starts_amid_what_is_slow_and_not_for_what_is_quick() -> None:
    commands, lease = drawing(60)
    with lease.keep_if_slow():
        assert commands.sent == []
    assert commands.sent == []
    with lease.keep_if_slow(0.01):
        await commands.until(START)


async def test_it_goes_on_while_an_action_takes_long() -> None:
    commands, lease = drawing(0.01)
    other, brief = drawing(0.02)
    with lease.keep_if_slow():
        lease.keep()
        brief.keep()
        await other.until(START, STOP)
        assert commands.sent == [START]
    await commands.until(START, STOP)


async def test_it_starts_with_calls_after_a_picture_and_not_before_one() -> None:
    commands, lease = drawing(0.01)
    lease.note_call()
    assert commands.sent == []
    lease.keep_for_picture()
    await commands.until(START, STOP)
    lease.note_call()
    await commands.until(START, STOP, START, STOP)


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


BUTTON = "<button onclick=\"this.after('Done')\">Go</button>"
LATER = "<button onclick=\"setTimeout(() => this.after('Done'), 60)\">Go</button>"
MUCH_LATER = LATER.replace("60", "1500")
WITH_FRAME = "<button onclick=\"requestAnimationFrame(() => this.after('Done'))\">Go</button>"
ANIMATED = """<style>p {transition: transform 5s}</style><p id=p>Moved</p>
<button onclick="p.style.transform = 'scale(2)'; this.after('Done')">Go</button>"""
GO = {"uid": 'button "Go"'}


@pytest.mark.parametrize(
    ("html", "tool", "arguments", "draws"),
    [
        (BUTTON, "click", GO, False),
        (ANIMATED, "click", GO, True),
        (BUTTON, "hover", GO, True),
        (BUTTON, "take_screenshot", {}, True),
        (BUTTON, "evaluate_script", {"function": "() => 1"}, False),
        (BUTTON, "take_snapshot", {}, False),
    ],
)
async def test_a_tab_draws_where_somebody_waits_for_what_is_drawn(
    agent: Agent,
    html: str,
    tool: str,
    arguments: dict[str, Any],
    draws: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("SLOW_SECONDS", "SLOW_ACTION_SECONDS"):
        monkeypatch.setattr(settling, name, 60.0)  # a busy machine is no reason
    await agent("new_page", url=agent.site.page(html))
    handle = agent.session.pages[agent.session.selected or 0]
    await agent("take_snapshot")
    assert handle.page is not None
    assert not handle.page.drawing.is_on
    await agent(tool, **arguments)
    assert handle.page.drawing.is_on is draws


async def test_a_tab_draws_while_an_effect_is_waited_for(site: Site) -> None:
    settings = Settings(launch=True, headless=True, isolated=True)
    async with running(settings, timings={"first_effect": 20.0}) as app:
        async with Agent.joined(app, site) as agent:
            await agent("new_page", url=site.page(MUCH_LATER))
            assert "Done" in await agent("click", **GO)
            assert agent.session.pages[agent.session.selected or 0].attached_page.drawing.is_on


@pytest.mark.parametrize("html", [LATER, WITH_FRAME])
async def test_an_effect_that_comes_with_a_frame_is_seen_in_a_tab_that_has_rested(
    agent: Agent, html: str
) -> None:
    await agent("new_page", url=agent.site.page(html))
    rested = agent.session.pages[agent.session.selected or 0]
    await agent("take_snapshot")
    await agent("new_page", url="about:blank")
    assert rested.page is not None
    await rested.page.signal.until(lambda: False, 0.3)
    await agent("select_page", pageId=rested.id, bringToFront=False)
    assert "Done" in await agent("click", **GO)


async def test_a_busy_page_does_not_draw_for_a_text_that_is_there_already(agent: Agent) -> None:
    await agent("new_page", url=agent.site.page(BUTTON))
    page = agent.session.pages[agent.session.selected or 0].attached_page
    await agent(
        "evaluate_script",
        function="""() => { setTimeout(() => {
      for (const end = performance.now() + 300; performance.now() < end;); }, 1) }""",
    )
    await agent("wait_for", text=["Go"])
    assert not page.drawing.is_on


async def test_a_click_in_the_background_waits_for_no_frame_in_a_browser_of_ours(
    agent: Agent,
) -> None:
    """Chromium 156 would hold the page back after the press for 50 ms, in which nothing is drawn."""
    await agent.open(
        '<button onpointerdown="pressed = performance.now()" onclick="setTimeout(() => {'
        ' out.textContent = waited.push(performance.now() - pressed) })">Go</button><p id=out></p>'
        "<script>waited = []</script>"
    )
    uid, (page,) = agent.uid("button"), agent.session.pages.values()
    await agent("new_page", url="about:blank", background=False)
    await agent("select_page", pageId=page.id)
    # A tab that was just in front draws for a while.
    for _ in range(60):
        await agent("click", uid=uid, report="none")
    middle = await agent.value("waited.slice(-9).sort((one, other) => one - other)[4]")
    assert float(middle) < 40
