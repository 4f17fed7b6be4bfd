"""Durable sessions on a grid: the next server takes up their part of its browsers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tabmux.content import SilentClient
from tabmux.daemon.app import App
from tabmux.sessions.session import Session
from tabmux.settings import Settings
from tests.browsers.grid.fake_grid import FakeGrid, served
from tests.serving import running

QUICK = {"grid_watch": 0.1, "grid_idle": 0.2, "grid_claims": 0.5, "first_retry": 0.1}


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


async def tab_of(session: Session) -> str:
    script = {"function": "() => tab"}
    reply = await session.call("evaluate_script", script, SilentClient())
    assert not reply.failed, reply.text
    return reply.text.splitlines()[-2]


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
