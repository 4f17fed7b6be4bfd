"""Durable sessions on a grid: the next server takes up their part of its browsers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.grid.grid_browser import GridBrowser
from tabmux.browsers.grid.pooled_browser import Lease
from tabmux.content import SilentClient
from tabmux.daemon.app import App
from tabmux.sessions.session import Session
from tabmux.sessions.stored_sites import StoredSites
from tabmux.settings import Settings
from tests.browsers.grid.fake_grid import FakeGrid, served
from tests.serving import running

QUICK = {"grid_watch": 0.1, "grid_idle": 0.2, "grid_claims": 0.5, "first_retry": 0.1}


class Listener(SilentClient):
    """A client that keeps what it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    async def progress(self, done: float, total: float | None, message: str, /) -> None:
        self.heard.append(message)


@pytest.fixture
async def grid() -> AsyncIterator[FakeGrid]:
    async with served(FakeGrid(2, 2)) as grid:
        yield grid


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))


@asynccontextmanager
async def on_grid(grid: FakeGrid) -> AsyncIterator[App]:
    settings = Settings(grid=grid.url, grid_options=(("warm", 0), ("queue", 5)))
    async with running(settings, timings=QUICK, bridged=False, durable="test") as app:
        yield app


async def call(session: Session, tool: str, /, **arguments: Any) -> str:
    return (await session.call(tool, arguments, SilentClient())).text


def log_in(grid: FakeGrid) -> None:
    """Have the site give its only visitor a cookie."""
    (browser,) = grid.browsers.values()
    (context,) = browser.contexts
    browser.cookies[context] = [{"name": "visitor", "value": "7", "size": 8}]


async def crash(grid: FakeGrid) -> str:
    """End the only browser there is."""
    (ident,) = grid.browsers
    del grid.node_of(ident).browsers[ident]
    await grid.cut(ident)
    return ident


def visitors(grid: FakeGrid) -> list[list[dict[str, Any]]]:
    return [cookies for browser in grid.browsers.values() for cookies in browser.cookies.values()]


async def tab_of(session: Session) -> str:
    script = {"function": "() => tab"}
    reply = await session.call("evaluate_script", script, SilentClient())
    assert not reply.failed, reply.text
    return reply.text.splitlines()[-3]


async def test_session_has_its_place_and_its_pages_in_the_next_server(grid: FakeGrid) -> None:
    async with on_grid(grid) as app:
        one, two = app.open("one"), app.open("two")
        tabs = [await tab_of(session) for session in (one, two)]
        pages = [list(session.pages) for session in (one, two)]
    assert len(grid.browsers) == 1
    async with on_grid(grid) as app:
        again = [app.labelled(name) for name in ("one", "two")]
        assert [await tab_of(each) for each in again if each is not None] == tabs
        assert [list(each.pages) for each in again if each is not None] == pages
        assert len(grid.started) == 1
        app.sessions.keep_none()
    await grid.until(lambda: not grid.browsers)


async def test_pages_of_a_lost_node_are_opened_again_in_another_browser(grid: FakeGrid) -> None:
    async with on_grid(grid) as app:
        session = app.open()
        before = await tab_of(session)
        await call(session, "new_page", url="about:blank")
        ids, selected = set(session.pages), session.selected
        log_in(grid)
        assert session.recorder is not None
        await session.recorder.save_sites(session)
        await grid.kill_node(grid.nodes[0])
        await grid.until(lambda: not session.pages)
        text = await call(session, "evaluate_script", function="() => tab")
        assert text.count("had ended; it was opened again at about:blank") == 2
        assert before not in text
        assert (set(session.pages), session.selected) == (ids, selected)
        assert session.restoration is None
        assert visitors(grid) == [[{"name": "visitor", "value": "7"}]]


async def test_cookies_of_a_page_whose_context_is_not_known_are_not_read_from_another(
    grid: FakeGrid,
) -> None:
    async with on_grid(grid) as app:
        session = app.open()
        await tab_of(session)
        log_in(grid)
        assert session.recorder is not None
        await session.recorder.save_sites(session)
        (page,) = session.pages.values()
        # As between the loss of a browser and the moment when all is known of the next one.
        page.target = {**page.target, "browserContextId": "of the one before"}
        await session.recorder.save_sites(session)
        await grid.kill_node(grid.nodes[0])
        await grid.until(lambda: not session.pages)
        await tab_of(session)
        assert visitors(grid) == [[{"name": "visitor", "value": "7"}]]


async def test_pages_whose_next_browser_is_lost_too_come_back_in_the_one_after(
    grid: FakeGrid, monkeypatch: pytest.MonkeyPatch
) -> None:
    restore, ended = StoredSites.restore, list[str]()

    async def losing(stored: StoredSites, *given: Any) -> str | None:
        script = await restore(stored, *given)
        if not ended:
            ended.append(await crash(grid))
            await grid.until(lambda: given[2].gone)
        return script

    monkeypatch.setattr(StoredSites, "restore", losing)
    async with on_grid(grid) as app:
        session = app.open()
        await tab_of(session)
        await call(session, "new_page", url="about:blank")
        ids = set(session.pages)
        log_in(grid)
        assert session.recorder is not None
        await session.recorder.save_sites(session)
        await grid.kill_node(grid.nodes[0])
        await grid.until(lambda: not session.pages)
        text = await call(session, "list_pages")
        while session.restoration is not None:
            text = await call(session, "list_pages")
        assert len(ended) == 1
        assert text.count("it was opened again") == 2
        assert set(session.pages) == ids
        assert visitors(grid) == [[{"name": "visitor", "value": "7"}]]


async def test_page_whose_next_browser_ends_soon_is_not_opened_again(grid: FakeGrid) -> None:
    async with on_grid(grid) as app:
        session = app.open()
        await tab_of(session)
        for _ in range(2):
            await call(session, "list_pages")
            await crash(grid)
            await grid.until(lambda: not session.pages)
        assert session.restoration is None
        assert "ended again soon" in await call(session, "evaluate_script", function="() => tab")


async def test_call_that_finds_its_browser_gone_is_not_made_in_the_next(grid: FakeGrid) -> None:
    async with on_grid(grid) as app:
        session = app.open()
        await tab_of(session)
        (browser,) = session.browsers.all()
        assert isinstance(browser, GridBrowser)
        assert browser._lease is not None
        browser._lease.lost = lambda: None
        await grid.kill_node(grid.nodes[0])
        await grid.until(lambda: browser.state is not BrowserState.CONNECTED)
        text = await call(session, "evaluate_script", function="() => tab")
        assert "page_gone" in text
        assert "Call again: it is opened anew" in text
        assert "it was opened again" in await call(session, "list_pages")


async def test_page_closed_while_its_socket_was_cut_stays_closed(grid: FakeGrid) -> None:
    async with on_grid(grid) as app:
        session = app.open()
        await tab_of(session)
        (browser,), (there,) = session.browsers.all(), grid.browsers.values()
        for target in browser.pages:
            del there.targets[target]  # nobody is told
        await grid.cut(there.id)
        await grid.until(lambda: browser.state is not BrowserState.CONNECTED)
        await session.browsers.ensure_connected(browser)
        assert session.restoration is None
        assert not session.pages


async def test_session_that_leaves_a_draining_node_takes_its_pages_along(grid: FakeGrid) -> None:
    async with on_grid(grid) as app:
        session = app.open()
        before = await tab_of(session)
        ids = set(session.pages)
        log_in(grid)
        grid.nodes[0].status = "DRAINING"
        text = await call(session, "reconnect_browser")
        assert "it was opened again at about:blank" in text
        assert set(session.pages) == ids
        assert await tab_of(session) != before
        await call(session, "reconnect_browser")
        assert set(session.pages) == ids
        assert [{"name": "visitor", "value": "7"}] in visitors(grid)
        await grid.until(lambda: len(grid.browsers) == 1)


async def test_session_without_room_for_its_pages_waits_once(
    grid: FakeGrid, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with on_grid(grid) as app:
        session, pool = app.open(), app.grid
        assert pool is not None
        await tab_of(session)
        pool.options = replace(pool.options, queue=1)
        place, placed = pool.place, list[str]()

        async def placing(token: str, told: Callable[[int], None]) -> Lease:
            placed.append(token)
            return await place(token, told)

        monkeypatch.setattr(pool, "place", placing)
        for node in list(grid.nodes):
            await grid.kill_node(node)
        await grid.until(lambda: not session.pages)
        client = Listener()
        reply = await session.call("evaluate_script", {"function": "() => tab"}, client)
        assert reply.code == "no_capacity"
        assert len(placed) == 1
        assert client.heard == ["Waiting for a browser of the grid: place 1 in the queue"]
        assert session.restoration is not None
