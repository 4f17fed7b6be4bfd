"""`python -m bench live-view`: from a change on a page to a viewer's canvas; CPU of thumbnails."""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any
from urllib.parse import urlsplit
from urllib.request import HTTPCookieProcessor, build_opener

import psutil
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from tabmux.content import SilentClient
from tabmux.daemon.app import App, running
from tabmux.sessions.session import Session
from tabmux.settings import Settings

LAUNCHED = Settings(launch=True, headless=True, isolated=True, record="off")
CHANGES, QUICK_CHANGES = 60, 3
THUMBNAILS, QUICK_THUMBNAILS = 16, 2
WARM_SECONDS, MEASURED_SECONDS, QUICK_SECONDS = 5.0, 20.0, 0.5
CLOCK = (
    "data:text/html,<title>Clock</title><body style='font:60px sans-serif'><h1></h1><script>"
    "setInterval(() => document.querySelector('h1').textContent = new Date().toISOString(), 1000)"
    "</script>"
)
# Notes the moment at which the canvas first shows another colour.
NOTE_COLOURS = """() => {
  const canvas = document.querySelector('.stage canvas');
  const drawing = canvas.getContext('2d', {willReadFrequently: true});
  window.seen = [];
  const colourNow = () => String(drawing.getImageData(5, 5, 1, 1).data);
  let before = colourNow();
  new MutationObserver(() => {
    const colour = colourNow();
    if (colour !== before) seen.push(performance.timeOrigin + performance.now());
    before = colour;
  }).observe(canvas, {attributeFilter: ['data-frame']});
  return true;
}"""
CHANGE = """() => {
  window.dark = !window.dark;
  document.body.style.background = window.dark ? '#000' : '#fff';
  return performance.timeOrigin + performance.now();
}"""


async def value(session: Session, function: str) -> Any:
    """Evaluate a function in the selected page of a session."""
    reply = await session.call("evaluate_script", {"function": function}, SilentClient())
    assert not reply.failed, reply.text
    return json.loads(reply.text.partition("```json\n")[2].partition("\n```")[0])


async def until(session: Session, function: str) -> None:
    """Wait until a function returns true in the selected page of a session."""
    wanted = {"function": function, "includeSnapshot": False}
    reply = await session.call("wait_for", wanted, SilentClient())
    assert not reply.failed, reply.text


async def glass_to_glass(changes: int) -> None:
    """Print how long a change takes from a page to the canvas of somebody who looks."""
    async with running(LAUNCHED) as app, running(LAUNCHED) as viewing:
        agent, person = app.open("agent"), viewing.open("person")
        blank = {"url": "data:text/html,<title>Page</title><body>"}
        await agent.call("navigate_page", blank, SilentClient())
        await person.call(
            "navigate_page", {"url": await app.ui_server.link("steer", 5)}, SilentClient()
        )
        await until(person, "() => document.querySelector('.thumbnail')")
        await value(person, f"() => {{ location.hash = 'live/{agent.selected}'; return true; }}")
        await until(person, "() => document.querySelector('.stage canvas')?.dataset.frame")
        await value(person, NOTE_COLOURS)
        spent = []
        for number in range(changes):
            changed = await value(agent, CHANGE)
            await until(person, f"() => window.seen.length > {number}")
            spent.append(await value(person, "() => window.seen.at(-1)") - changed)
            await asyncio.sleep(0.2)
    cuts = statistics.quantiles(spent, n=20)
    say(f"glass to glass: median {statistics.median(spent):.0f} ms, 95 % {cuts[-1]:.0f} ms "
        f"({len(spent)} changes)")  # fmt: skip


async def thumbnails(count: int, warm: float, measured: float) -> None:
    """Print what small pictures cost, with pages that change once a second."""
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(running(LAUNCHED))
        session = app.open("agent")
        for _ in range(count):
            await session.call("new_page", {"url": CLOCK}, SilentClient())
        await asyncio.sleep(warm)
        before = await cores(measured)
        socket = await stack.enter_async_context(await viewer(app))
        frames = [0]
        async with asyncio.TaskGroup() as group:
            reading = group.create_task(acknowledge(socket, frames))
            for page in session.pages:
                await socket.send(json.dumps({"type": "watch", "page": page, "size": "small"}))
            await asyncio.sleep(warm)
            frames[0] = 0
            after = await cores(measured)
            reading.cancel()
        rate = frames[0] / measured
    own, chrome = (now - then for now, then in zip(after, before, strict=True))
    say(f"{count} thumbnails, {rate:.1f} pictures a second: {own + chrome:.2f} cores more "
        f"(tabmux {own:.2f}, Chrome {chrome:.2f}; without a viewer {sum(before):.2f})")  # fmt: skip


async def viewer(app: App) -> connect:
    """Return the socket of somebody who has followed a link."""
    link = await app.ui_server.link("steer", 5)
    opener = build_opener(HTTPCookieProcessor())
    answer = await asyncio.to_thread(opener.open, link)
    cookie = answer.headers["set-cookie"].partition(";")[0]
    host = urlsplit(link).netloc
    headers = {"cookie": cookie}
    return connect(
        f"ws://{host}/ui/socket",
        origin=Origin(f"http://{host}"),
        additional_headers=headers,
        proxy=None,
    )


async def acknowledge(socket: ClientConnection, frames: list[int]) -> None:
    """Say of every picture that it was drawn."""
    async for message in socket:
        if isinstance(message, bytes):
            frames[0] += 1
            page, number = (int.from_bytes(message[at : at + 4]) for at in (0, 4))
            await socket.send(json.dumps({"type": "ack", "page": page, "number": number}))


async def cores(measured: float) -> tuple[float, float]:
    """Return how many cores this process and its browsers use, for a while."""
    first, began = spent(), time.monotonic()
    await asyncio.sleep(measured)
    last, seconds = spent(), time.monotonic() - began
    return (last[0] - first[0]) / seconds, (last[1] - first[1]) / seconds


def spent() -> tuple[float, float]:
    own = psutil.Process()
    times = own.cpu_times()
    chrome = 0.0
    for child in own.children(recursive=True):
        try:
            used = child.cpu_times()
        except psutil.NoSuchProcess:
            continue
        chrome += used.user + used.system
    return times.user + times.system, chrome


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def live_view(arguments: Sequence[str]) -> int:
    """Measure what is asked for, or both."""
    parser = argparse.ArgumentParser(prog="bench live-view", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("glass", "thumbnails"))
    parser.add_argument("--quick", action="store_true", help="a few pictures: a smoke test")
    given = parser.parse_args(arguments)
    if given.what != "thumbnails":
        asyncio.run(glass_to_glass(QUICK_CHANGES if given.quick else CHANGES))
    if given.what != "glass" and given.quick:
        asyncio.run(thumbnails(QUICK_THUMBNAILS, QUICK_SECONDS, QUICK_SECONDS))
    elif given.what != "glass":
        asyncio.run(thumbnails(THUMBNAILS, WARM_SECONDS, MEASURED_SECONDS))
    return 0
