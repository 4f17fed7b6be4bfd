"""How one server is measured once, for each kind of row."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence

from bench.checks import Check
from bench.client import JsonObject, Reply
from bench.dialects import Call
from bench.processes import resident_bytes
from bench.row import Sample
from bench.running_server import RunningServer, Tab
from bench.trouble import BenchError
from bench.verbs import (
    Click,
    Element,
    Emulate,
    Evaluate,
    Navigate,
    NewPage,
    Open,
    Snapshot,
    Values,
    Verb,
    WaitFor,
)

Count = Callable[[Sequence[Reply]], float]

PARALLEL_TABS = 10
ONE_SECOND = "() => new Promise(done => setTimeout(() => done(1), 1000))"
# Until a request that was just written is surely at work in the server.
UNDER_WAY_SECONDS = 0.2
WAIT_SECONDS = 10
CATCH_UP_SECONDS = 5.0


def timed(verb: Verb, *, on: str = "/blank", before: str = "", check: Check) -> Sample:
    """Milliseconds of one call on a freshly loaded page.

    Args:
        verb: What is timed; references it needs are looked up before.
        on: The page it starts from.
        before: JavaScript that the side channel runs there first.
        check: Proof of the effect.
    """

    async def sample(server: RunningServer) -> float:
        call = await _ready(server, verb, on)
        if before:
            await server.tab.probe.evaluate(before)
        await server.tab.probe.show()
        reply = await server.perform(call)
        await check(server, reply)
        return reply.seconds * 1000

    return sample


def snapshot_size(*, on: str, check: Check) -> Sample:
    """Characters that a snapshot costs its reader: the first of a process, as uids grow longer."""

    async def sample(server: RunningServer) -> float:
        async with RunningServer(server.server, server.environment) as fresh:
            reply = await fresh.perform(await _ready(fresh, Snapshot(), on))
            await check(fresh, reply)
            return len(reply.text)

    return sample


def listed(verb: Verb, *, on: str, check: Check, known: tuple[Verb, Check] | None = None) -> Sample:
    """Milliseconds of one look at what a page did, once the server has heard of all of it.

    Args:
        verb: The look that is measured.
        on: The page.
        check: Whether its reply shows what it must.
        known: Another look that tells whether the server has heard of all; `verb` is then
            measured the first time, before anyone can have kept its answer.
    """

    async def sample(server: RunningServer) -> float:
        await _ready(server, Snapshot(), on)
        await server.tab.probe.evaluate("done")
        if known is None:
            call = await _caught_up(server, verb, check)
        else:
            await _caught_up(server, *known)
            call = await server.prepare(verb)
        reply = await server.perform(call)
        await check(server, reply)
        return reply.seconds * 1000

    return sample


async def emulated(server: RunningServer) -> float:
    """Milliseconds until a page believes in a dark colour scheme; it is undone afterwards."""
    call = await _ready(server, Emulate("dark"), "/form")
    await server.tab.probe.show()
    reply = await server.perform(call)
    dark = await server.tab.probe.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    await server.say(Emulate("auto"))
    if dark is not True:
        raise BenchError("The page does not see a dark colour scheme.")
    return reply.seconds * 1000


def form_task(values: Values, button: Element, *, on: str, outcome: str, count: Count) -> Sample:
    """Open a form, find its fields, fill them, send it, and see what came of it.

    Args:
        values: What is filled in.
        button: What sends it.
        on: The page.
        outcome: What the last reply must show.
        count: What of the replies is measured.
    """

    async def sample(server: RunningServer) -> float:
        async with RunningServer(server.server, server.environment) as fresh:
            await fresh.open()
            await fresh.tab.probe.show()
            replies = [await fresh.say(Navigate(on))]
            for verb in server.server.dialect.form_task(values, button):
                seen = "\n".join(reply.text for reply in replies)
                replies.append(await fresh.perform(fresh.phrase(verb, seen, fresh.tab.page)))
            if outcome not in replies[-1].text:
                raise BenchError(f"The last reply does not show {outcome!r}.")
            return count(replies)

    return sample


def calls(replies: Sequence[Reply]) -> float:
    """How many calls it took."""
    return len(replies)


def characters(replies: Sequence[Reply]) -> float:
    """How much there is to read."""
    return sum(len(reply.text) for reply in replies)


async def start(server: RunningServer) -> float:
    """Milliseconds from the process's start to its answer to initialize."""
    began = time.perf_counter()
    async with server.environment.client(server.server) as client:
        await client.initialize()
        return (time.perf_counter() - began) * 1000


async def first_list(server: RunningServer) -> float:
    """Milliseconds from the process's start to its answer to tools/list."""
    began = time.perf_counter()
    async with server.environment.client(server.server) as client:
        await client.initialize()
        await client.tools()
        return (time.perf_counter() - began) * 1000


async def first_page(server: RunningServer) -> float:
    """Milliseconds of the first navigation of a new process, which also connects to Chromium."""
    async with RunningServer(server.server, server.environment) as fresh:
        await fresh.connect()
        return (await fresh.open_tab(Open("/form"))).seconds * 1000


async def tools_size(server: RunningServer) -> float:
    """Characters of all tool definitions."""
    await server.open()
    return _characters(server.tools)


async def shared_tools_size(server: RunningServer) -> float:
    """Characters of the definitions of those tools that tabmux and chrome-devtools-mcp share."""
    shared: set[str] | None = None
    for other in server.environment.servers:
        if other.server.name in ("tabmux", "cdm"):
            await other.open()
            names = {tool["name"] for tool in other.tools}
            shared = names if shared is None else shared & names
    return _characters([tool for tool in server.tools if tool["name"] in (shared or ())])


async def memory(server: RunningServer) -> float:
    """Megabytes of the server's processes."""
    await server.open()
    return resident_bytes(server.client.pid) / 1e6


async def parallel(server: RunningServer) -> float:
    """Seconds until ten calls on ten tabs, each of one second, are done."""
    async with RunningServer(server.server, server.environment) as fresh:
        await fresh.open()
        tabs = [await fresh.open_tab(NewPage("/blank")) for _ in range(PARALLEL_TABS)]
        calls = [await fresh.prepare(Evaluate(ONE_SECOND), tab) for tab in tabs]
        began = time.perf_counter()
        await asyncio.gather(*map(fresh.perform, calls))
        return time.perf_counter() - began


async def isolation(server: RunningServer) -> float:
    """Milliseconds by which a wait on one tab delays a click on another."""
    async with RunningServer(server.server, server.environment) as fresh:
        await fresh.open()
        waiting = await fresh.open_tab(NewPage("/blank"))
        clicked = await fresh.open_tab(NewPage("/form"))
        await clicked.probe.show()
        click = await fresh.prepare(Click(Element("button", "Add item")), clicked)
        alone = await _click(fresh, click, clicked, "1 added")
        wait = await fresh.begin(WaitFor("A text that never comes", WAIT_SECONDS), waiting)
        await asyncio.sleep(UNDER_WAY_SECONDS)
        beside = await _click(fresh, click, clicked, "2 added")
        fresh.client.abandon(wait)
        return (beside - alone) * 1000


async def _ready(server: RunningServer, verb: Verb, path: str) -> Call:
    await server.open()
    await server.tab.probe.show()
    await server.say(Navigate(path))
    return await server.prepare(verb)


async def _caught_up(server: RunningServer, verb: Verb, check: Check) -> Call:
    """The call, as soon as its reply shows what the page did; servers may be behind."""
    end = time.perf_counter() + CATCH_UP_SECONDS
    while True:
        try:
            call = await server.prepare(verb)
            await check(server, await server.perform(call))
        except BenchError:
            if time.perf_counter() > end:
                raise
            await asyncio.sleep(UNDER_WAY_SECONDS)
        else:
            return call


async def _click(server: RunningServer, call: Call, tab: Tab, status: str) -> float:
    reply = await server.perform(call)
    if await tab.probe.evaluate("document.getElementById('status').textContent") != status:
        raise BenchError("The click had no effect.")
    return reply.seconds


def _characters(tools: list[JsonObject]) -> int:
    return len(json.dumps(tools, ensure_ascii=False, separators=(",", ":")))
