from __future__ import annotations

import asyncio
import os
import signal
import time
from dataclasses import replace
from typing import Any

import psutil
import pytest

from tabmux.daemon.app import App
from tabmux.settings import Settings
from tests.agent import Agent
from tests.clock import AT_ONCE
from tests.serving import running
from tests.site import Site

# Ends when as many pages are in it at the same time.
MEET = """() => new Promise((done) => {
  const room = new BroadcastChannel('room'), me = Math.random(), seen = new Set([me]);
  room.onmessage = ({data}) => {
    if (seen.has(data)) return;
    room.postMessage(me);
    if (seen.add(data).size === 10) done();
  };
  room.postMessage(me);
})"""


async def test_calls_on_ten_pages_run_at_the_same_time(agent: Agent) -> None:
    for _ in range(10):
        await agent("new_page", url=agent.site.page("x"))
    pages = sorted(agent.session.pages)
    await asyncio.gather(*(agent("evaluate_script", pageId=p, function=MEET) for p in pages))


async def test_unknown_argument_is_refused_by_name(agent: Agent) -> None:
    code, text = await agent.fails("take_snapshot", bogus=1)
    assert code == "bad_arguments"
    assert '"bogus"' in text


async def test_missing_and_wrong_arguments_are_named(agent: Agent) -> None:
    assert "uid" in (await agent.fails("click"))[1]
    code, text = await agent.fails("resize_page", width="wide", height=-1)
    assert code == "bad_arguments"
    assert "width" in text
    assert "height" in text


async def test_unknown_tool_suggests_a_known_one(agent: Agent) -> None:
    code, text = await agent.fails("take_snapshots")
    assert code == "unknown_tool"
    assert "take_snapshot" in text


async def test_crashed_page_fails_its_call_and_comes_back_by_a_reload(
    app: App, site: Site, agent: Agent
) -> None:
    await agent.open("<title>Back</title><button>Go</button>")
    page = next(iter(agent.session.pages.values()))
    started = time.monotonic()
    async with Agent.joined(app, site) as other:
        await other.open("<title>Unharmed</title>")
        async with asyncio.TaskGroup() as group:
            stuck = group.create_task(
                agent.reply("evaluate_script", function="() => new Promise(() => {})")
            )
            await asyncio.sleep(0)
            while not page.lock.locked():
                await asyncio.sleep(0)
            page.attached_page.channel.send("Page.crash")
        assert stuck.result().code == "page_crashed"
        assert time.monotonic() - started < AT_ONCE
        code, text = await agent.fails("take_snapshot")
        assert code == "page_crashed"
        assert "navigate_page" in text
        assert await other.value("document.title") == '"Unharmed"'
    await agent("navigate_page", type="reload")
    assert await agent.value("document.title") == '"Back"'


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("evaluate_script", {"function": "() => new Promise(() => {})"}),
        ("wait_for", {"text": ["never"], "timeout": 60_000}),
        ("navigate_page", {"url": "$SILENT", "timeout": 60_000}),
        ("navigate_page", {"type": "back", "timeout": 60_000}),
        ("batch", {"steps": [{"tool": "wait_for", "arguments": {"text": ["never"]}}]}),
    ],
)
async def test_page_closed_in_the_middle_of_a_call_fails_it_at_once(
    app: App, agent: Agent, tool: str, arguments: dict[str, Any]
) -> None:
    silent = agent.site.silent()
    await agent("new_page", url=agent.site.page("before"))
    await agent(
        "navigate_page",
        url=agent.site.page(f"<script>onpagehide = () => fetch('{silent}')</script>"),
    )
    page = agent.session.pages[max(agent.session.pages)]
    given = {key: silent if value == "$SILENT" else value for key, value in arguments.items()}
    async with asyncio.TaskGroup() as group:
        stuck = group.create_task(agent.reply(tool, **given))
        while not page.lock.locked():
            await asyncio.sleep(0)
        queued = group.create_task(agent.reply("take_snapshot", pageId=page.id))
        started = time.monotonic()
        group.create_task(app.usual_view.all()[0].close_page(page))
    assert time.monotonic() - started < AT_ONCE
    assert stuck.result().code == "page_gone", stuck.result().text
    assert "closed" in stuck.result().text
    assert queued.result().code in ("page_gone", "no_such_page"), queued.result().text
    assert "about:blank" in await agent("new_page", url="about:blank")


async def test_killed_browser_fails_every_pending_call_at_once(site: Site) -> None:
    async with (
        running(Settings(launch=True, headless=True, isolated=True)) as app,
        Agent.joined(app, site) as agent,
    ):
        for _ in range(3):
            await agent("new_page", url="about:blank")
        pages = sorted(agent.session.pages)
        chrome = _chromium_children()
        async with asyncio.TaskGroup() as group:
            calls = [
                group.create_task(
                    agent.reply("evaluate_script", pageId=p, function="() => new Promise(() => {})")
                )
                for p in pages
            ]
            while not all(p.lock.locked() for p in agent.session.pages.values()):
                await asyncio.sleep(0)
            started = time.monotonic()
            for process in chrome:
                os.kill(process, signal.SIGKILL)
        # Sooner than a heartbeat would tell.
        assert time.monotonic() - started < 5
        assert {call.result().code for call in calls} <= {"browser_gone", "page_gone"}
        text = await agent("new_page", url=site.page("<title>Again</title>"))
        assert "Again" in text


def _chromium_children() -> list[int]:
    """Return the browser processes that this process started last."""
    mine = [p for p in psutil.Process().children() if "chrom" in p.name()]
    return [max(mine, key=lambda p: p.create_time()).pid]


async def test_cancelled_call_leaves_the_page_usable(agent: Agent) -> None:
    await agent.open("<title>Alive</title>")
    page = next(iter(agent.session.pages.values()))
    task = asyncio.gather(agent.reply("evaluate_script", function="() => { while (true) {} }"))
    while not page.lock.locked():
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await agent.value("document.title") == '"Alive"'


async def test_handler_that_never_ends_is_stopped_at_the_deadline(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    await agent.open("<title>Alive</title><button onclick='while (true) {}'>Go</button>")
    tools = agent._app.toolsets._full.tools
    monkeypatch.setitem(tools, "click", replace(tools["click"], seconds=3))
    code, _ = await agent.fails("click", uid=agent.uid("button"))
    assert code == "deadline"
    assert await agent.value("document.title") == '"Alive"'


async def test_browser_index_is_refused_with_one_browser(agent: Agent) -> None:
    code, text = await agent.fails("list_pages", browserIndex=1)
    assert code == "bad_request"
    assert "browserIndex must NOT be specified when only one browser is connected" in text
