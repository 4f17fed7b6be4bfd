"""Bare neighbours: what one tab's calls take beside a heavy one in a Chromium without a server.

What is as slow here is Chromium's own: all tabs share its main process and one connection.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

from bench.chromium import find_chromium, open_chromium
from bench.heavy_pages import PAGES, PAUSE_SECONDS, Round
from bench.probe import Probe, ProbeTab, open_probe
from bench.site import open_site

LONG, PIECE = 50_000_000, 1 << 20
_CENTRE = """(({x, y, width, height}) => [x + width / 2, y + height / 2])
  (document.querySelector('button').getBoundingClientRect())"""
# What is loud is opened here, by a client that does no more than it must.
Loud = Callable[[Probe, str], Awaitable[None]]


async def click(tab: ProbeTab) -> None:
    """Press the first button of a page, and see that the page has heard of it."""
    place = await tab.evaluate(_CENTRE)
    assert isinstance(place, list)
    x, y = place
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        pressed = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
        parameters = {"type": kind, "x": x, "y": y, **pressed}
        await tab.probe.call("Input.dispatchMouseEvent", tab.session, **parameters)


def _frames(*domains: str) -> Loud:
    async def do(probe: Probe, origin: str) -> None:
        tab = await probe.open("about:blank")
        for domain in domains:
            await probe.call(f"{domain}.enable", tab.session)
        await _load(tab, f"{origin}/frames")

    return do


async def _load(tab: ProbeTab, url: str) -> None:
    await tab.probe.call("Page.navigate", tab.session, url=url)
    loaded = "new Promise(done => document.readyState === 'complete' ? done() : onload = done)"
    await tab.evaluate(f"{loaded}.then(() => 0)")


async def _nodes(probe: Probe, origin: str) -> None:
    tab = await probe.open(f"{origin}/nodes")
    for _ in range(3):
        # A tab in the background has no frames, which the mouse would wait for.
        await tab.evaluate("document.querySelector('button').click(); document.body.offsetHeight")


def _answer(length: int) -> Loud:
    async def do(probe: Probe, origin: str) -> None:
        tab = await probe.open(f"{origin}/small")
        for _ in range(3):
            await tab.evaluate(f"'x'.repeat({length})")

    return do


async def _pieces(probe: Probe, origin: str) -> None:
    tab = await probe.open(f"{origin}/small")
    await tab.evaluate(f"window.text = 'x'.repeat({LONG}); 0")
    for start in range(0, LONG, PIECE):
        await tab.evaluate(f"text.slice({start}, {start + PIECE})")


LOUD: dict[str, Loud] = {
    "1,000 frames": _frames(),
    "1,000 frames, listened to": _frames("Page", "Runtime", "Network"),
    "200,000 nodes, clicked": _nodes,
    "results of 6 MB": _answer(6_000_000),
    "results of 50 MB": _answer(LONG),
    "result of 50 MB in pieces": _pieces,
}


@asynccontextmanager
async def _quiet_tab() -> AsyncIterator[tuple[Probe, ProbeTab, str]]:
    async with (
        open_site(PAGES) as origin,
        open_chromium(find_chromium()) as endpoint,
        open_probe(endpoint.websocket) as probe,
    ):
        near = await probe.open(f"{origin}/small")
        await near.show()
        yield probe, near, origin


async def _round(name: str, near: ProbeTab, calls: int, loud: Awaitable[None] | None) -> Round:
    made = Round(name)
    async with asyncio.TaskGroup() as group:
        doing = group.create_task(_await(loud)) if loud is not None else None
        while len(made.latencies) < calls or (doing is not None and not doing.done()):
            for step in (_evaluates, _looks, click):
                began = time.perf_counter()
                await step(near)
                made.latencies.append(time.perf_counter() - began)
                await asyncio.sleep(PAUSE_SECONDS)
    return made


async def _await(work: Awaitable[None]) -> None:
    await work


async def _evaluates(near: ProbeTab) -> None:
    await near.evaluate("6 * 7")


async def _looks(near: ProbeTab) -> None:
    await near.evaluate("document.body.innerText")


async def measure(names: Sequence[str], calls: int) -> int:
    """Measure, and print what came of it; there are no limits to exceed."""
    for name in ["", *names]:
        # A browser that has had a heavy page is not the same afterwards.
        async with _quiet_tab() as (probe, near, origin):
            loud = LOUD[name](probe, origin) if name else None
            made = await _round(name or "quiet", near, calls, loud)
            # There is no server whose loop could stand.
            sys.stdout.write(f"{made.line.partition('  loop')[0]}\n")
            sys.stdout.flush()
    return 0
