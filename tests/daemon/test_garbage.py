from __future__ import annotations

import asyncio
import gc
import heapq
import weakref
from collections.abc import Iterator
from ctypes import CDLL
from typing import Any

import psutil
import pytest

from tabmux.daemon.app import App
from tabmux.daemon.garbage import LONGEST_PAUSE_SECONDS, GarbageCollector
from tests.agent import Agent
from tests.clock import AT_ONCE
from tests.site import Site

HTML = "<form><input name=q><button>Go</button></form><script>console.log({a: 1})</script>"


@pytest.fixture(autouse=True)
def no_chance() -> Iterator[None]:
    """Python itself collects nothing meanwhile."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


class Remains:
    """Objects that should be freed."""

    def __init__(self) -> None:
        self._alive: set[weakref.ref[object]] = set()
        self._changed = asyncio.Event()

    def add(self, *objects: object) -> None:
        self._alive |= {weakref.ref(each, self._freed) for each in objects}

    async def freed(self) -> None:
        async with asyncio.timeout(AT_ONCE + 2 * LONGEST_PAUSE_SECONDS):
            while self._alive:
                self._changed.clear()
                await self._changed.wait()

    def _freed(self, each: weakref.ref[object]) -> None:
        self._alive.discard(each)
        self._changed.set()


class Ring:
    def __init__(self) -> None:
        self.itself = self


def forget_cancelled_timers() -> None:
    """Do what uvloop does at once: asyncio keeps cancelled timers, with the calls they are of."""
    loop: Any = asyncio.get_running_loop()
    loop._scheduled[:] = [timer for timer in loop._scheduled if not timer.cancelled()]
    heapq.heapify(loop._scheduled)


async def use(app: App, site: Site, remains: Remains) -> None:
    async with Agent.joined(app, site) as agent:
        await agent.open(HTML)
        await agent("click", uid=agent.uid("button"))
        await agent("list_page_tools")
        handles = agent.session.pages.values()
        remains.add(agent.session, *handles, *(handle.page for handle in handles))


async def test_closed_pages_and_sessions_are_freed(app: App, site: Site) -> None:
    # Whoever connects the browser may live as long as the connection.
    await use(app, site, Remains())
    remains = Remains()
    for _ in range(3):
        await use(app, site, remains)
    forget_cancelled_timers()
    await remains.freed()


async def test_nothing_is_collected_while_somebody_waits_for_an_answer() -> None:
    quiet, collected = False, asyncio.Event()

    def collect() -> float:
        collected.set()
        return 0.0

    collector = GarbageCollector(lambda: quiet, 0.001, longest_wait=60, work=collect)
    async with asyncio.TaskGroup() as group:
        running = group.create_task(collector.run())
        collector.note_closed()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await collected.wait()
        quiet = True
        await collected.wait()
        running.cancel()


async def test_a_server_that_is_never_quiet_collects_all_the_same() -> None:
    remains = Remains()
    remains.add(Ring())
    collector = GarbageCollector(lambda: False, 0.001, longest_wait=0.01)
    async with asyncio.TaskGroup() as group:
        running = group.create_task(collector.run())
        collector.note_closed()
        await remains.freed()
        running.cancel()


@pytest.mark.skipif(not hasattr(CDLL(None), "malloc_trim"), reason="only glibc can be asked")
async def test_memory_between_what_lives_goes_back_to_the_system() -> None:
    process = psutil.Process()
    texts = [bytearray(20_000) for _ in range(5_000)]
    full = process.memory_info().rss
    alive = texts[::50]
    del texts
    async with asyncio.timeout(AT_ONCE):
        collected = asyncio.Event()
        collector = GarbageCollector(lambda: True, quiet_seconds=0)
        async with asyncio.TaskGroup() as group:
            ring = Ring()
            weakref.finalize(ring, collected.set)
            del ring
            running = group.create_task(collector.run())
            collector.note_closed()
            await collected.wait()
            await asyncio.sleep(0)
            running.cancel()
    assert len(alive) == 100
    assert process.memory_info().rss < full - 50_000_000
