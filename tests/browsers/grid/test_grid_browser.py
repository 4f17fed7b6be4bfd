from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.grid.grid_browser import GridBrowser
from tabmux.concurrency import TaskOwner, contained
from tabmux.daemon.app import App
from tabmux.daemon.fleet import placed_grid_spec
from tabmux.errors import BrowserTrouble, NoCapacity, TabmuxError
from tabmux.settings import Settings
from tests.agent import Agent, ToolFailed
from tests.browsers.grid.fake_browser import FakeGridBrowser
from tests.browsers.grid.fake_grid import FakeGrid, served
from tests.serving import running
from tests.site import Site

QUICK = {
    "grid_watch": 0.1,
    "grid_idle": 0.2,
    "grid_claims": 0.0,
    "grid_leave": 0.5,
    "first_retry": 0.1,
}


@pytest.fixture
async def grid() -> AsyncIterator[FakeGrid]:
    async with served(FakeGrid(2, 2)) as grid:
        yield grid


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))


@asynccontextmanager
async def on_grid(grid: FakeGrid, **options: Any) -> AsyncIterator[App]:
    """Run a server on a grid; `options` are those of its table, or timings of a grid."""
    timings = {name: options.pop(name) for name in list(options) if name.startswith("grid_")}
    table = tuple({"warm": 0, "queue": 5, **options}.items())
    settings = Settings(grid=grid.url, grid_options=table)
    async with running(settings, timings={**QUICK, **timings}) as app:
        yield app


def place_of(agent: Agent) -> GridBrowser:
    (browser,) = agent.session.browsers.all()
    assert isinstance(browser, GridBrowser)
    return browser


async def test_sessions_share_a_browser_and_have_contexts_of_their_own(
    grid: FakeGrid, site: Site
) -> None:
    async with (
        on_grid(grid) as app,
        Agent.joined(app, site) as one,
        Agent.joined(app, site) as two,
    ):
        tabs = {await agent("evaluate_script", function="() => tab") for agent in (one, two)}
        assert len(tabs) == 2
        assert len(grid.started) == 1
        (browser,) = grid.browsers.values()
        assert len(browser.contexts) == 2
        used = {info["browserContextId"] for info in browser.targets.values()}
        assert used == {*browser.contexts, "default"}
        assert "(" not in (await one("list_pages")).replace("(about", "")
    assert not grid.browsers


async def test_hub_is_asked_at_our_own_address_and_not_at_the_advertised_one(
    grid: FakeGrid, site: Site
) -> None:
    async with on_grid(grid) as app, Agent.joined(app, site) as agent:
        await agent("list_pages")
        (capabilities,) = grid.capabilities.values()
        assert "not-reachable.test" in capabilities["se:cdp"]
        assert app.grid is not None
        assert capabilities["tabmux:owner"] == app.grid.owner


async def test_browser_that_is_wanted_before_the_first_look_hands_out_files(
    grid: FakeGrid,
) -> None:
    grid.manages_downloads, grid.state_seconds = True, 0.3
    async with on_grid(grid, grid_answer=0.6) as app:
        session = app.open()
        await session.browsers.ensure_connected(session.browsers.all()[0])
        (capabilities,) = grid.capabilities.values()
        assert capabilities["se:downloadsEnabled"] is True


async def test_session_that_ends_gives_its_contexts_back(grid: FakeGrid, site: Site) -> None:
    async with on_grid(grid) as app, Agent.joined(app, site) as other:
        await other("list_pages")
        async with Agent.joined(app, site) as agent:
            await agent("list_pages")
            (browser,) = grid.browsers.values()
            assert len(browser.contexts) == 2
            await agent.session.close()
            await grid.until(lambda: len(browser.contexts) == 1)
        assert await other("list_pages")


async def test_browser_that_its_last_session_has_left_is_ended(grid: FakeGrid, site: Site) -> None:
    async with on_grid(grid) as app, Agent.joined(app, site) as agent:
        await agent("list_pages")
        await agent.session.close()
        await grid.until(lambda: not grid.browsers)


async def test_warm_browsers_wait_for_sessions(grid: FakeGrid, site: Site) -> None:
    async with on_grid(grid, warm=2) as app:
        await grid.until(lambda: len(grid.started) == 2)
        async with Agent.joined(app, site) as agent:
            await agent("list_pages")
            await grid.until(lambda: len(grid.started) == 3)


async def test_warm_browser_has_a_tab_ready_for_the_next_session(
    grid: FakeGrid, site: Site
) -> None:
    async with on_grid(grid, warm=1) as app:
        await grid.until(lambda: any(each.contexts for each in grid.browsers.values()))
        (browser,) = grid.browsers.values()
        await grid.until(lambda: len(browser.targets) == 2)
        (ready,) = browser.contexts
        async with Agent.joined(app, site) as one, Agent.joined(app, site) as two:
            found = [await agent("evaluate_script", function="() => tab") for agent in (one, two)]
            blank = next(n for n, i in browser.targets.items() if i["browserContextId"] == ready)
            assert blank in found[0]
            assert blank not in found[1]
            await one.session.close()
            await grid.until(lambda: ready not in browser.contexts)


async def test_two_tokens_never_share_a_browser(grid: FakeGrid) -> None:
    async with on_grid(grid) as app:
        sessions = [app.open(token=token) for token in ("a", "b", "a")]
        for session in sessions:
            (browser,) = session.browsers.all()
            await session.browsers.ensure_connected(browser)
        assert len(grid.started) == 2
        assert sorted(len(each.contexts) for each in grid.browsers.values()) == [1, 2]


async def test_browser_of_its_own_is_not_shared_and_not_used_again(
    grid: FakeGrid, site: Site
) -> None:
    async with (
        on_grid(grid, isolation="browser") as app,
        Agent.joined(app, site) as one,
        Agent.joined(app, site) as two,
    ):
        await one("list_pages")
        await two("list_pages")
        assert len(grid.browsers) == 2
        await one.session.close()
        await grid.until(lambda: len(grid.browsers) == 1)


async def test_full_grid_queues_tells_the_place_and_serves_who_waits(site: Site) -> None:
    async with (
        served(FakeGrid(1)) as grid,
        on_grid(grid, agents_per_browser=1) as app,
        Agent.joined(app, site) as first,
        Agent.joined(app, site) as second,
        TaskOwner() as tasks,
    ):
        await first("list_pages")
        (waiting,) = second.session.browsers.all()
        asked = tasks.start(second.told("list_pages"))
        await grid.until(lambda: bool(grid.queue))
        waiting_text = waiting.attempt_note
        assert waiting_text.endswith("place 1 in the queue")
        await first.session.close()
        (told,) = await asked
        assert told["message"] == waiting_text
        await grid.until(lambda: not grid.queue)


async def test_queue_that_overflows_says_when_to_try_again(site: Site) -> None:
    async with (
        served(FakeGrid(1)) as grid,
        on_grid(grid, agents_per_browser=1, queue=0) as app,
        Agent.joined(app, site) as agent,
    ):
        code, text = await agent.fails("list_pages")
        assert code == "no_capacity"
        assert "Try again in" in text


async def test_client_that_goes_away_while_queued_leaves_nothing_behind(site: Site) -> None:
    async with (
        served(FakeGrid(1)) as grid,
        on_grid(grid, agents_per_browser=1, queue=60) as app,
        Agent.joined(app, site) as first,
    ):
        await first("list_pages")
        async with TaskOwner() as tasks, Agent.joined(app, site) as second:
            tasks.start(second("list_pages"))
            await grid.until(lambda: bool(grid.queue))
            tasks.cancel()
        await grid.until(lambda: not grid.queue)
        assert app.grid is not None
        assert not len(app.grid.line)
        assert len(grid.started) == 1


async def test_browser_that_arrives_for_nobody_is_ended(grid: FakeGrid) -> None:
    grid.start_seconds = 0.3
    async with on_grid(grid) as app, TaskOwner() as tasks:
        session = app.open()
        (browser,) = session.browsers.all()
        tasks.start(session.browsers.ensure_connected(browser))
        await grid.until(lambda: bool(grid.browsers))
        tasks.cancel()
        await grid.until(lambda: len(grid.ended) == 1)
        assert not grid.browsers
        assert app.grid is not None
        assert not app.grid.browsers


async def test_cut_socket_is_opened_again_with_the_same_pages(grid: FakeGrid, site: Site) -> None:
    async with on_grid(grid) as app, Agent.joined(app, site) as agent:
        before = await agent("evaluate_script", function="() => tab")
        browser = place_of(agent)
        await grid.cut(grid.started[0])
        await grid.until(lambda: browser.state is not BrowserState.CONNECTED)
        after = await agent("evaluate_script", function="() => tab")
        assert before in after
        assert "was reconnected" in after
        assert len(grid.started) == 1


async def test_lost_node_is_replaced_and_others_do_not_notice(grid: FakeGrid, site: Site) -> None:
    async with (
        on_grid(grid, agents_per_browser=1) as app,
        Agent.joined(app, site) as one,
        Agent.joined(app, site) as two,
    ):
        await one("list_pages")
        await two("list_pages")
        lost = place_of(one)
        calls = place_of(two).history.connections
        await grid.kill_node(grid.node_of(grid.started[0]))
        await grid.until(lambda: lost.state is not BrowserState.CONNECTED)
        assert place_of(two).history.connections == calls
        assert place_of(two).state is BrowserState.CONNECTED
        assert await one("new_page", url="about:blank")
        assert len(grid.started) == 3


async def test_browser_that_hangs_is_noticed_and_left(grid: FakeGrid, site: Site) -> None:
    async with (
        on_grid(grid, grid_heartbeat=0.1, grid_silence=0.25, grid_answer=0.5) as app,
        Agent.joined(app, site) as agent,
    ):
        await agent("list_pages")
        browser = place_of(agent)
        grid.browsers[grid.started[0]].unanswered = ("",)
        await grid.until(lambda: browser.state is not BrowserState.CONNECTED)
        assert "no sign of life" in browser.history.last_error
        assert await agent("new_page", url="about:blank")
        assert len(grid.started) == 2
        await grid.until(lambda: grid.ended == grid.started[:1])


async def test_busy_browser_is_not_taken_for_one_that_hangs(grid: FakeGrid, site: Site) -> None:
    async with (
        on_grid(grid, grid_heartbeat=0.05, grid_silence=0.3) as app,
        Agent.joined(app, site) as agent,
    ):
        await agent("list_pages")
        grid.browsers[grid.started[0]].unanswered = ("Browser.getVersion",)
        end = asyncio.get_running_loop().time() + 1
        while asyncio.get_running_loop().time() < end:
            await agent("evaluate_script", function="() => tab")
        assert place_of(agent).history.connections == 1


async def test_server_that_ends_by_an_error_leaves_no_browser_behind(grid: FakeGrid) -> None:
    async def fail_while_it_is_used() -> None:
        async with on_grid(grid) as app:
            session = app.open()
            await session.browsers.ensure_connected(session.browsers.all()[0])
            raise ZeroDivisionError

    with pytest.raises(ExceptionGroup):
        await fail_while_it_is_used()
    assert grid.started
    assert not grid.browsers


async def test_draining_node_gets_no_more_sessions_and_replies_say_so(
    grid: FakeGrid, site: Site
) -> None:
    async with (
        on_grid(grid) as app,
        Agent.joined(app, site) as one,
        Agent.joined(app, site) as two,
    ):
        await one("list_pages")
        grid.node_of(grid.started[0]).status = "DRAINING"
        assert app.grid is not None
        pooled = next(iter(app.grid.browsers.values()))
        await grid.until(lambda: pooled.is_draining)
        assert "about to be shut down" in await one("list_pages")
        assert "about to be shut down" not in await one("list_pages")
        assert "which drains" in await one("list_browsers")
        await two("list_pages")
        assert len(grid.browsers) == 2
        await one("reconnect_browser")
        await grid.until(lambda: len(grid.ended) == 1)
        assert len(grid.browsers) == 1


async def test_old_browser_takes_no_more_sessions(grid: FakeGrid, site: Site) -> None:
    async with (
        on_grid(grid, retire=1) as app,
        Agent.joined(app, site) as one,
        Agent.joined(app, site) as two,
    ):
        await one("list_pages")
        assert app.grid is not None
        pooled = next(iter(app.grid.browsers.values()))
        await grid.until(lambda: pooled.is_retired)
        await two("list_pages")
        assert len(grid.started) == 2


async def test_place_is_taken_up_again_by_another_server(grid: FakeGrid) -> None:
    async with on_grid(grid) as app:
        assert app.grid is not None
        session = app.open()
        (browser,) = session.browsers.all()
        await session.open_page(browser)
        assert isinstance(browser, GridBrowser)
        placement, pages = browser.placement(), set(browser.pages)
        app.grid.keep = True
    assert len(grid.browsers) == 1
    async with on_grid(grid) as app:
        assert app.grid is not None
        row = {"token": browser.spec.token, "placement": placement}
        again = app.browsers.hold(placed_grid_spec(app.grid, row))
        await app.browsers.connect(again)
        assert set(again.pages) == pages
        assert len(grid.started) == 1
    await grid.until(lambda: not grid.browsers)


async def test_browser_of_a_server_before_is_as_old_as_the_grid_says(grid: FakeGrid) -> None:
    row = await kept_placement(grid)
    grid.age_seconds = 7_200
    async with on_grid(grid, retire="1h", grid_claims=30) as app:
        assert app.grid is not None
        pool = app.grid
        await app.browsers.connect(app.browsers.hold(placed_grid_spec(pool, row)))
        (pooled,) = pool.browsers.values()
        await grid.until(lambda: pooled.is_retired)


async def test_tab_that_a_server_before_had_ready_is_closed(grid: FakeGrid) -> None:
    row = await kept_placement(grid)
    (there,) = grid.browsers.values()
    kept = set(there.contexts)
    there.contexts.add("ready")
    there.add_target("ready", "about:blank")
    async with on_grid(grid, grid_claims=0.5) as app:
        assert app.grid is not None
        await app.browsers.connect(app.browsers.hold(placed_grid_spec(app.grid, row)))
        await grid.until(lambda: there.contexts == kept)
        assert "ready" not in {info["browserContextId"] for info in there.targets.values()}
        assert kept


async def kept_placement(grid: FakeGrid) -> dict[str, Any]:
    """Place a session, and return where it is; its server ends, and the browser stays."""
    async with on_grid(grid) as app:
        assert app.grid is not None
        session = app.open()
        (browser,) = session.browsers.all()
        await session.open_page(browser)
        assert isinstance(browser, GridBrowser)
        placement = browser.placement()
        app.grid.keep = True
    return {"token": browser.spec.token, "placement": placement}


async def cut_until_it_is_open_again(grid: FakeGrid, browser: FakeGridBrowser) -> None:
    before = set(browser.sockets)
    await grid.cut(browser.id)
    await grid.until(lambda: browser.sockets and not browser.sockets & before)


async def test_place_that_could_not_be_taken_up_yet_is_taken_up_later(grid: FakeGrid) -> None:
    row = await kept_placement(grid)
    (there,) = grid.browsers.values()
    async with on_grid(grid, grid_answer=0.3, grid_claims=30) as app:
        assert app.grid is not None
        there.unanswered, grid.state_seconds = ("",), 1.0
        again = app.browsers.hold(placed_grid_spec(app.grid, row))
        with pytest.raises(BrowserTrouble, match="did not answer"):
            await app.browsers.connect(again)
        there.unanswered, grid.state_seconds = (), 0.0
        other = app.open()
        await other.browsers.ensure_connected(other.browsers.all()[0])
        assert not grid.ended
        await app.browsers.connect(again)
        assert set(again.pages) < set(there.targets)
        assert again.pages


async def test_client_that_goes_away_while_its_place_is_taken_up_leaves_no_seat(
    grid: FakeGrid,
) -> None:
    row = await kept_placement(grid)
    (there,) = grid.browsers.values()
    there.unanswered = ("Target.setDiscoverTargets",)
    async with on_grid(grid, grid_claims=30) as app, TaskOwner() as tasks:
        assert app.grid is not None
        again = app.browsers.hold(placed_grid_spec(app.grid, row))
        tasks.start(app.browsers.connect(again))
        pool = app.grid
        await grid.until(lambda: any(each.leases for each in pool.browsers.values()))
        tasks.cancel()
        await again.ended()
        assert not any(each.leases for each in pool.browsers.values())


async def test_session_that_ends_while_its_browser_is_reached_again_leaves_no_seat(
    grid: FakeGrid,
) -> None:
    async with on_grid(grid) as app, TaskOwner() as tasks:
        session = app.open()
        (browser,) = session.browsers.all()
        await session.browsers.ensure_connected(browser)
        (there,) = grid.browsers.values()
        there.unanswered = ("Target.attachToBrowserTarget",)
        await grid.cut(there.id)
        await grid.until(lambda: browser.state is not BrowserState.CONNECTED)
        tasks.start(contained(app.browsers.connect(browser), "Connecting"))
        await grid.until(lambda: browser.state is BrowserState.CONNECTING)
        await session.close()
        await grid.until(lambda: not grid.browsers)


async def test_session_that_ends_while_its_browser_is_away_leaves_no_pages(
    grid: FakeGrid,
) -> None:
    async with on_grid(grid) as app:
        one, two = app.open(), app.open()
        for session in (one, two):
            await session.browsers.ensure_connected(session.browsers.all()[0])
        (there,) = grid.browsers.values()
        assert len(there.contexts) == 2
        there.unanswered = ("Target.setDiscoverTargets",)
        await cut_until_it_is_open_again(grid, there)
        await one.close()
        there.unanswered = ()
        await cut_until_it_is_open_again(grid, there)
        await grid.until(lambda: len(there.contexts) == 1)


async def test_heart_beats_once_however_often_a_socket_was_cut(grid: FakeGrid) -> None:
    async with on_grid(grid, grid_heartbeat=0.2) as app:
        session = app.open()
        await session.browsers.ensure_connected(session.browsers.all()[0])
        (there,) = grid.browsers.values()
        for _ in range(5):
            await cut_until_it_is_open_again(grid, there)
        loop = asyncio.get_running_loop()
        (socket,), began = there.sockets, loop.time()
        await grid.until(lambda: socket.commands.count("Browser.getVersion") >= 4)
        assert loop.time() - began > 0.4


async def test_download_that_cannot_be_stored_here_is_said_to_be_over(
    grid: FakeGrid, tmp_path: Path
) -> None:
    grid.files["report"] = b"numbers"
    async with on_grid(grid) as app:
        assert app.grid is not None
        errors: list[TabmuxError | None] = []
        app.grid.fetch("any", "report", tmp_path / "no folder" / "report", errors.append)
        await grid.until(lambda: bool(errors))
        assert errors[0] is not None
        assert "could not be stored" in errors[0].message


async def test_browsers_of_a_killed_server_are_ended_by_the_next(grid: FakeGrid) -> None:
    async with on_grid(grid) as app:
        assert app.grid is not None
        session = app.open()
        await session.browsers.ensure_connected(session.browsers.all()[0])
        app.grid.keep = True
    assert len(grid.browsers) == 1
    async with on_grid(grid):
        await grid.until(lambda: not grid.browsers)


async def test_server_that_leaves_no_sessions_leaves_no_browsers(grid: FakeGrid) -> None:
    async with on_grid(grid, warm=1) as app:
        assert app.grid is not None
        pool = app.grid
        await grid.until(lambda: len(pool.browsers) == 1)
        pool.keep = True
    assert not grid.browsers


async def test_browser_that_comes_while_its_server_leaves_is_ended(grid: FakeGrid) -> None:
    grid.start_seconds = 0.2
    async with on_grid(grid, warm=1) as app:
        assert app.grid is not None
        await grid.until(lambda: bool(grid.browsers))
        app.grid.keep = True
    await grid.until(lambda: not grid.browsers)


async def test_server_that_others_may_have_taken_over_from_ends_nothing(grid: FakeGrid) -> None:
    async with on_grid(grid, grid_idle=0.0) as app:
        assert app.grid is not None
        pool, session = app.grid, app.open()
        await session.browsers.ensure_connected(session.browsers.all()[0])
        (there,) = grid.browsers.values()
        (pooled,) = pool.browsers.values()
        late = NoCapacity("Others may have it.")
        fences: list[TabmuxError | None] = [late]
        assert pooled._socket is not None
        pooled._socket.root._fence = pool._ends._fence = lambda: fences[0]
        (lease,) = pooled.leases
        before = set(there.contexts)
        await pool.release(lease)
        with pytest.raises(NoCapacity):
            await pooled.make_ready()
        pool.tend()
        await pool._ends.end(pooled.id)
        assert there.contexts == before
        assert not grid.ended
        fences[0] = None
        await grid.until(lambda: bool(grid.ended))


async def test_hub_that_refuses_is_quoted(grid: FakeGrid, site: Site) -> None:
    grid.refuses = "no such driver"
    async with on_grid(grid) as app, Agent.joined(app, site) as agent:
        with pytest.raises(ToolFailed, match="no such driver"):
            await agent("list_pages")


async def test_list_shows_slots_queue_and_node(grid: FakeGrid, site: Site) -> None:
    async with on_grid(grid) as app, Agent.joined(app, site) as agent:
        await agent("list_pages")
        assert app.grid is not None
        pool = app.grid
        await grid.until(lambda: pool.state.used == 1)
        await grid.until(lambda: all(each.node_uri for each in pool.browsers.values()))
        text = await agent("list_browsers")
        assert f"grid session {grid.started[0]} on http://node1.test:5555" in text
        assert "1 of 16 sessions in it" in text
        assert "1 of 4 slots in use, 0 queued, 2 nodes" in text


async def test_uploaded_files_go_through_the_grid(grid: FakeGrid, tmp_path: Path) -> None:
    file = tmp_path / "report.txt"
    file.write_text("numbers")
    async with on_grid(grid) as app:
        session = app.open()
        (browser,) = session.browsers.all()
        page = await session.open_page(browser)
        assert page.send_files is not None
        assert await page.send_files([str(file)]) == ["/node/upload/report.txt"]
    assert grid.files == {"report.txt": b"numbers"}
