"""tabmux on a real Selenium Grid with two nodes; scripts/test --fleet runs it."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, cast

import pytest

import tabmux
from bench.agents import form
from bench.agents.agent import Agent as FormAgent
from bench.agents.agent import Diary
from bench.client import Client, Reply
from bench.dialects import Devtools
from tabmux import exceptions
from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.grid.grid import Grid
from tabmux.concurrency import TaskOwner
from tabmux.daemon.app import App
from tabmux.settings import Settings
from tests.agent import Agent
from tests.fleet.real_grid import RealGrid, real_grid, why_not
from tests.homes import home_in
from tests.library.test_restart import kill_daemon
from tests.serving import running
from tests.site import Respond, Site

pytestmark = [
    pytest.mark.skipif(bool(why_not()), reason=why_not() or "all is there"),
    pytest.mark.timeout(240),
]
NOTICED_SECONDS = 7.0
# Until the Grid itself forgets a node that is gone, and what ran there.
FORGOTTEN_SECONDS = 90.0
TOOLS = "+files,+performance,+memory,+recording"


@pytest.fixture(scope="module")
async def grid(anyio_backend: str, tmp_path_factory: Any) -> AsyncIterator[RealGrid]:
    async with real_grid(tmp_path_factory.mktemp("grid"), 3, 3) as grid:
        yield grid


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def daemon_home(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A home for a daemon, with room for the name of its socket."""
    with tempfile.TemporaryDirectory(prefix="tm-", dir="/tmp", ignore_cleanup_errors=True) as home:
        monkeypatch.setenv("HOME", home)
        monkeypatch.delenv("TABMUX_SESSION", raising=False)
        yield home
        stop_daemon(home)


def stop_daemon(home: str) -> None:
    """Stop the daemon, if it runs, as a user does."""
    stop = [sys.executable, "-m", "tabmux", "daemon", "stop"]
    subprocess.run(stop, env=home_in(home), check=False, timeout=60, capture_output=True)


@asynccontextmanager
async def on_grid(
    grid: RealGrid, *, empty_within: float = 20.0, **options: Any
) -> AsyncIterator[tuple[App, Grid]]:
    """Run a server on the grid; afterwards the Grid itself must say that nothing is left."""
    table = tuple({"warm": 0, "max_browsers": 4, **options}.items())
    settings = Settings(grid=grid.url, grid_options=table, tools=TOOLS)
    async with running(settings, timings={"grid_watch": 0.5, "grid_idle": 1}) as app:
        assert app.grid is not None
        yield app, app.grid
    await grid.until_empty(empty_within)


def answering(html: str) -> Respond:
    """Answer with a document."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        body = html.encode()
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return respond


class FormClient:
    """An agent of the tests, as the agents of the form task call their tools."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    async def call(self, tool: str, arguments: dict[str, Any]) -> Reply:
        began = time.perf_counter()
        text = await self._agent(tool, **arguments)
        return Reply(text, (), time.perf_counter() - began)


async def _work(app: App, site: Site, number: int, joining: asyncio.Lock) -> Diary:
    async with AsyncExitStack() as stack:
        # One after the other: a client knows its session as the one that is new.
        async with joining:
            agent = await stack.enter_async_context(Agent.joined(app, site))
        client = cast(Client, FormClient(agent))
        worker = FormAgent(
            number, client, Devtools(selects=True), None, lambda path: f"{site.origin}{path}"
        )
        diary = await worker.work(form.steps(number, 20))
        await agent.session.close()
        return diary


async def test_sixteen_agents_work_through_the_form_task_without_cross_talk(
    grid: RealGrid, site: Site
) -> None:
    for path, html in form.pages(16).items():
        site.serve(path, answering(html))
    async with on_grid(grid, agents_per_browser=4) as (app, pool):
        joining = asyncio.Lock()
        work = (_work(app, site, number, joining) for number in range(16))
        diaries = await asyncio.gather(*work)
        assert len(pool.browsers) <= 4
    assert [diary.error for diary in diaries if diary.error] == []
    assert [stray for diary in diaries for stray in diary.strays] == []
    assert {len(diary.seconds) for diary in diaries} == {20}


async def test_all_page_tools_work_through_the_grid(
    grid: RealGrid, site: Site, tmp_path: Path
) -> None:
    upload = tmp_path / "upload.txt"
    upload.write_text("from here")
    page = """<title>Files</title><input type=file aria-label=file
      onchange="this.files[0].text().then((text) => document.title = text)">
      <a download="report.txt" href="data:text/plain,numbers">Report</a>"""
    async with on_grid(grid) as (app, _), Agent.joined(app, site) as agent:
        agent.session.roots = (tmp_path,)
        await agent.open(page)
        assert (await agent.reply("take_screenshot")).images
        await agent("upload_file", uid=agent.uid('button "file"'), filePaths=[str(upload)])
        assert await agent.value("document.title") == '"from here"'
        await agent("take_snapshot")
        await agent("click", uid=agent.uid('link "Report"'))
        saved = tmp_path / "saved.txt"
        await agent("wait_for_download", filePath=str(saved))
        assert saved.read_text() == "numbers"
        await agent("performance_start_trace", reload=True, autoStop=True)
        heap = tmp_path / "page.heapsnapshot"
        await agent("take_heapsnapshot", filePath=str(heap))
        assert heap.read_bytes().startswith(b'{"snapshot"')
        await agent("screencast_start", filePath=str(tmp_path / "film.png"))
        await agent("take_snapshot")
        await agent("screencast_stop")
        assert (tmp_path / "film.png").read_bytes().startswith(b"\x89PNG")


async def test_killed_node_is_noticed_in_time_and_the_others_do_not_notice(
    tmp_path: Path, site: Site
) -> None:
    async with (
        real_grid(tmp_path, 1, 1) as grid,
        on_grid(grid, agents_per_browser=1, empty_within=FORGOTTEN_SECONDS) as (app, pool),
        Agent.joined(app, site) as one,
        Agent.joined(app, site) as two,
    ):
        await one.open("<h1>One</h1>")
        await two.open("<h1>Two</h1>")
        (lost,), (kept,) = one.session.browsers.all(), two.session.browsers.all()
        node = await _node_of(grid, lost)
        await grid.kill(await _process_of(grid, node))
        await _until_noticed(lost)
        assert "Two" in await two("take_snapshot")
        assert kept.history.connections == 1
        await two.session.close()
        await one("new_page", url="about:blank")
        await grid.start_node("node3", 1)
        assert len(pool.browsers) == 1


async def test_node_that_stands_still_is_noticed_in_time_and_left(
    grid: RealGrid, site: Site
) -> None:
    async with on_grid(grid) as (app, pool), Agent.joined(app, site) as agent:
        await agent.open("<h1>Here</h1>")
        (lost,) = agent.session.browsers.all()
        node = await _process_of(grid, await _node_of(grid, lost))
        grid.signal(node, signal.SIGSTOP)
        try:
            await _until_noticed(lost)
            async with asyncio.timeout(60):
                while (await agent.reply("new_page", url="about:blank")).failed:
                    await asyncio.sleep(0.2)
        finally:
            grid.signal(node, signal.SIGCONT)
        assert len(pool.browsers) == 1
        # What comes back with the node is ended; the Grid may take a while to hear from it.
        await grid.until(lambda state: json.dumps(state).count('"sessionId"') == 1, 60)


async def test_killed_hub_ends_sessions_and_the_next_call_has_a_new_browser(
    tmp_path: Path, site: Site
) -> None:
    async with (
        real_grid(tmp_path, 2) as grid,
        on_grid(grid) as (app, _),
        Agent.joined(app, site) as agent,
    ):
        await agent.open("<h1>Before</h1>")
        await grid.kill("hub")
        code, _ = await agent.fails("take_snapshot")
        assert code in ("browser_unreachable", "browser_gone")
        await grid.start_hub()
        await grid.until_nodes(1)
        async with asyncio.timeout(30):
            while (await agent.reply("new_page", url="about:blank")).failed:
                await asyncio.sleep(0.2)
        # What only its node knew of is gone, too.
        await grid.until(lambda state: str(state).count("sessionId") == 1, 20)


async def test_killed_daemon_leaves_no_browser_behind(
    grid: RealGrid, tmp_path: Path, site: Site
) -> None:
    code = (
        "import asyncio\n"
        "from tabmux.daemon.app import running\n"
        "from tabmux.settings import Settings\n"
        "async def main():\n"
        f"    settings = Settings(grid={grid.url!r}, grid_options=(('warm', 1),))\n"
        "    async with running(settings) as app:\n"
        "        await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, env=home_in(tmp_path)
    )
    await grid.until(lambda state: "'sessionId'" in str(state), 60)
    process.kill()
    await process.wait()
    assert len(await grid.sessions()) == 1
    settings = Settings(grid=grid.url, grid_options=(("warm", 0),))
    async with running(settings, timings={"grid_watch": 0.5, "grid_claims": 0.0}):
        await grid.until_empty()


async def test_session_goes_on_after_its_daemon_was_killed(
    grid: RealGrid, site: Site, daemon_home: str
) -> None:
    async with tabmux.session(grid=grid.url) as tab:
        await tab.goto(site.page("<title>Kept</title>"))
        await tab.evaluate("() => { window.mark = 7 }")
        handle = tab.handle
        kill_daemon()
        # Whether the end is noticed before the call or during it is for the system to say.
        try:
            mark = await tab.evaluate("() => window.mark")
        except exceptions.OutcomeUnknown:
            mark = await tab.evaluate("() => window.mark")
        assert (mark, tab.handle) == (7, handle)
    await asyncio.to_thread(stop_daemon, daemon_home)
    await grid.until_empty()


async def test_draining_node_ends_when_its_sessions_have_moved(tmp_path: Path, site: Site) -> None:
    async with (
        real_grid(tmp_path, 1, 1) as grid,
        on_grid(grid) as (app, pool),
        Agent.joined(app, site) as agent,
    ):
        await agent.open("<h1>Here</h1>")
        (browser,) = agent.session.browsers.all()
        node = await _node_of(grid, browser)
        process = grid.processes[await _process_of(grid, node)]
        await grid.drain(node)
        async with asyncio.timeout(10):
            while not all(each.is_draining for each in pool.browsers.values()):
                await asyncio.sleep(0.1)
        assert "about to be shut down" in await agent("take_snapshot")
        await agent("reconnect_browser")
        await agent.open("<h1>There</h1>")
        async with asyncio.timeout(30):
            await process.wait()
        assert "There" in await agent("take_snapshot")


async def test_full_grid_answers_no_capacity_and_queues_nothing(grid: RealGrid, site: Site) -> None:
    async with (
        on_grid(grid, agents_per_browser=1, max_browsers=1) as (app, pool),
        Agent.joined(app, site) as one,
        Agent.joined(app, site) as two,
    ):
        await one("list_pages")
        _wait_shortly(pool, 2)
        code, text = await two.fails("list_pages")
        assert code == "no_capacity"
        assert re.search(r"Try again in \d+ s", text)


async def test_queue_of_the_grid_that_overflows_answers_no_capacity_and_is_left(
    tmp_path: Path, site: Site
) -> None:
    async with (
        real_grid(tmp_path, 1) as grid,
        on_grid(grid, agents_per_browser=1) as (app, pool),
        Agent.joined(app, site) as one,
    ):
        await one("new_page", url="data:text/html,<h1>One</h1>")
        _wait_shortly(pool, 3)
        async with Agent.joined(app, site) as two, Agent.joined(app, site) as three:
            replies = await asyncio.gather(two.reply("list_pages"), three.reply("list_pages"))
            assert {reply.code for reply in replies} == {"no_capacity"}
        await _until_queued(pool, 0)
        assert len(await grid.sessions()) == 1
        assert "One" in await one("take_snapshot")


def _wait_shortly(pool: Grid, seconds: int) -> None:
    """Have agents wait no longer than this for room from now on.

    Who came before has waited as long as the Grid needed to start a browser.
    """
    pool.options = replace(pool.options, queue=seconds)


async def test_client_that_goes_away_while_queued_leaves_the_queue_of_the_grid(
    tmp_path: Path, site: Site
) -> None:
    async with (
        real_grid(tmp_path, 1) as grid,
        on_grid(grid, agents_per_browser=1, queue=60) as (app, pool),
        Agent.joined(app, site) as one,
        TaskOwner() as tasks,
    ):
        await one("list_pages")
        async with Agent.joined(app, site) as two:
            tasks.start(two("list_pages"))
            await _until_queued(pool, 1)
            tasks.cancel()
        await _until_queued(pool, 0)
        assert len(await grid.sessions()) == 1


async def _until_noticed(lost: Browser) -> None:
    async with asyncio.timeout(NOTICED_SECONDS):
        while lost.state is BrowserState.CONNECTED:
            await asyncio.sleep(0.05)


async def _until_queued(pool: Grid, number: int) -> None:
    async with asyncio.timeout(30):
        while (await pool.client.state()).queued != number:
            await asyncio.sleep(0.2)


async def _node_of(grid: RealGrid, browser: Any) -> str:
    return (await grid.sessions())[browser.placement()["session"]]


async def _process_of(grid: RealGrid, node: str) -> str:
    """Return the name of the process that a node is: the port tells."""
    nodes = (await grid.state())["value"]["nodes"]
    port = next(each["uri"] for each in nodes if each["id"] == node).rpartition(":")[2]
    for name, process in grid.processes.items():
        with open(f"/proc/{process.pid}/cmdline", "rb") as file:
            if port.encode() in file.read().split(b"\0"):
                return name
    raise AssertionError(f"no process serves {port}")
