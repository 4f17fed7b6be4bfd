from __future__ import annotations

import json
from dataclasses import dataclass, field

from tabmux.concurrency import Signal
from tabmux.page.page import Page
from tabmux.page.see.live_frames import LiveFrame
from tests.agent import Agent

PAGE = "<body style='margin:0;background:#ff0000'>"


@dataclass
class Watcher:
    """Keeps the pictures that it is told of."""

    side: int = 320
    pause: float = 0.05
    frames: list[LiveFrame] = field(default_factory=list)
    told: Signal = field(default_factory=Signal)

    def note(self, frame: LiveFrame) -> None:
        self.frames.append(frame)
        self.told.notify()

    async def sees(self, count: int) -> bool:
        return await self.told.until(lambda: len(self.frames) >= count, 15)


async def opened(agent: Agent) -> Page:
    await agent.open(PAGE)
    return agent.session.pages[agent.session.selected or 0].attached_page


async def test_a_change_is_shown_and_nothing_while_there_is_none(agent: Agent) -> None:
    page, watcher = await opened(agent), Watcher()
    stop = page.live_frames.watch(watcher)
    assert await watcher.sees(1)
    await watcher.told.until(lambda: False, 0.5)
    before = len(watcher.frames)
    await watcher.told.until(lambda: False, 0.5)
    assert len(watcher.frames) == before
    assert watcher.frames[0].jpeg.startswith(b"\xff\xd8")
    assert watcher.frames[0].width > watcher.frames[0].height

    await agent("evaluate_script", function="() => {document.body.style.background = '#00ff00'}")
    assert await watcher.sees(before + 1)
    stop()
    assert not page.live_frames.is_filming


async def test_the_last_picture_of_a_busy_page_is_shown(agent: Agent) -> None:
    page, watcher = await opened(agent), Watcher(pause=0.5)
    stop = page.live_frames.watch(watcher)
    assert await watcher.sees(1)
    flicker = """async () => {
      for (let i = 0; i < 30; i++) {
        document.body.style.background = i % 2 ? '#0000ff' : '#ff0000';
        await new Promise(requestAnimationFrame);
      }
      document.body.style.background = 'repeating-linear-gradient(45deg,#fff 0 1px,#000 2px 3px)';
    }"""
    await agent("evaluate_script", function=flicker)
    # Stripes are much heavier than one colour.
    plain = len(watcher.frames[0].jpeg)
    heavy = await watcher.told.until(lambda: len(watcher.frames[-1].jpeg) > 3 * plain, 15)
    stop()
    assert heavy


async def test_who_watches_large_gets_large_pictures(agent: Agent) -> None:
    page, small, large = await opened(agent), Watcher(), Watcher(side=1200)
    stop_small = page.live_frames.watch(small)
    assert await small.sees(1)
    stop_large = page.live_frames.watch(large)
    assert await large.told.until(
        lambda: any(len(each.jpeg) > len(small.frames[0].jpeg) for each in large.frames), 15
    )
    stop_large()
    assert page.live_frames.is_filming
    stop_small()
    assert not page.live_frames.is_filming


async def test_a_tab_that_is_recorded_is_seen_by_who_comes_later(whole: Agent) -> None:
    page, watcher = await opened(whole), Watcher()
    size = await whole.value("[innerWidth, innerHeight]")
    page.live_frames.newest = None
    await whole("screencast_start")
    stop = page.live_frames.watch(watcher)
    assert await watcher.sees(1)
    assert [watcher.frames[0].width, watcher.frames[0].height] == json.loads(size)
    stop()
    await whole("screencast_stop")


async def test_a_tab_that_is_recorded_is_still_seen(whole: Agent) -> None:
    page, watcher = await opened(whole), Watcher()
    stop = page.live_frames.watch(watcher)
    assert await watcher.sees(1)
    await whole("screencast_start")
    count = len(watcher.frames)
    assert await watcher.sees(count + 2)
    await whole("screencast_stop")
    assert page.live_frames.is_filming
    stop()
    assert not page.live_frames.is_filming
    assert "RootWebArea" in await whole("take_snapshot")
