"""Durable sessions: what the next server makes of what this one leaves."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from tabmux.content import Reply, SilentClient
from tabmux.daemon.app import App
from tabmux.folders import sessions_folder
from tabmux.sessions import durable_sessions, handover
from tabmux.sessions.session import Session
from tabmux.sessions.session_rows import SessionRow
from tabmux.sessions.sqlite_store import SqliteStore
from tabmux.settings import Settings
from tests.chromium import Chromium, chromium
from tests.serving import running
from tests.site import Site


@pytest.fixture(scope="module")
async def browser(anyio_backend: str) -> AsyncIterator[Chromium]:
    async with chromium() as browser:
        yield browser


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def settings(browser: Chromium) -> Settings:
    return Settings(browser_url=(browser.url,), no_fence=True)


async def call(session: Session, tool: str, /, **arguments: Any) -> str:
    return (await session.call(tool, arguments, SilentClient())).text


async def test_session_is_whole_in_the_next_server(settings: Settings, site: Site) -> None:
    first, second = (site.page(f"<title>{n}</title><button>Go</button>") for n in ("One", "Two"))
    async with running(settings, bridged=False, durable="test") as app:
        session, other = app.open("work"), app.open()
        await call(session, "enable_tools", groups=["interception"])
        await call(session, "new_page", url=first)
        await call(session, "new_page", url=second)
        await call(session, "select_page", pageId=min(session.pages))
        await call(session, "evaluate_script", function="() => { window.kept = 42 }")
        snapshot = await call(session, "take_snapshot")
        await call(other, "new_page", url=first)
        before = (session.handle, session.name, dict.fromkeys(session.pages), session.selected)
        tools = [tool.name for tool in session.tools()]
    async with running(settings, bridged=False, durable="test") as app:
        session = app.sessions.named("work") or app.open()
        await call(session, "list_pages")
        after = (session.handle, session.name, dict.fromkeys(session.pages), session.selected)
        assert after == before
        assert [tool.name for tool in session.tools()] == tools
        assert "42" in await call(session, "evaluate_script", function="() => window.kept")
        uid = re.findall(r"uid=(\S+) button", snapshot)[0]
        stale = await call(session, "click", uid=uid)
        assert stale.startswith("Error [stale_uid]")
        assert "started anew" in stale
        again = re.findall(r"uid=(\S+) button", await call(session, "take_snapshot"))[0]
        assert "Clicked" in await call(session, "click", uid=again)
        assert app.open().name not in (session.name, other.name)
        pages = await call(session, "list_pages")
        assert "belongs to other sessions" in pages
        await asyncio.gather(*(each.close() for each in app.sessions.all()))


async def test_emulation_and_routes_are_in_force_again(settings: Settings, site: Site) -> None:
    url = site.page("<title>Real</title>")
    probe = "() => [innerWidth, navigator.userAgent].join()"
    async with running(settings, bridged=False, durable="test") as app:
        session = app.open()
        await call(session, "enable_tools", groups=["interception", "emulation"])
        await call(session, "navigate_page", url=url)
        await call(session, "emulate", viewport="500x400x1", userAgent="Agent/1")
        routed = await call(
            session, "route_requests", action="fulfill", url="*/mocked", body="mock"
        )
        assert "Added rule" in routed, routed
        assert "500,Agent/1" in await call(session, "evaluate_script", function=probe)
    async with running(settings, bridged=False, durable="test") as app:
        (session,) = app.sessions.all()
        assert "500,Agent/1" in await call(session, "evaluate_script", function=probe)
        fetched = await call(
            session,
            "evaluate_script",
            function="async () => (await fetch('/mocked')).text()",
        )
        assert "mock" in fetched
        await session.close()


async def test_page_that_was_closed_meanwhile_is_told_of(
    settings: Settings, browser: Chromium, site: Site
) -> None:
    async with running(settings, bridged=False, durable="test") as app:
        session = app.open()
        await call(session, "new_page", url=site.page("<title>Gone</title>"))
        await call(session, "new_page", url=site.page("<title>Stays</title>"))
        gone = session.pages[min(session.pages)]
    async with running(settings, bridged=False) as app:
        stranger = app.open()
        await call(stranger, "list_pages")
        (same,) = (b.pages[gone.target_id] for b in app.browsers.all())
        await app.browsers.all()[0].close_page(same)
    async with running(settings, bridged=False, durable="test") as app:
        (session,) = app.sessions.all()
        pages = await call(session, "list_pages")
        assert f"page {gone.id} was closed while tabmux was not running" in pages
        assert "Stays" in pages
        assert "was closed" not in await call(session, "list_pages")
        await session.close()


async def test_pages_of_a_browser_that_ended_come_back_with_what_sites_stored(site: Site) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        body = f"<title>Got {handler.headers.get('Cookie')}</title>".encode()
        handler.send_response(200)
        handler.send_header("Set-Cookie", "login=yes")
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    url = site.route(answer)
    settings = Settings(launch=True, headless=True, isolated=True, no_fence=True)
    async with running(settings, bridged=False, durable="test") as app:
        session = app.open()
        await call(session, "new_page", url=url)
        await call(session, "evaluate_script", function="() => { localStorage.draft = 'text' }")
        await call(session, "new_page", url=url, isolatedContext="shop")
        ids = set(session.pages)
        await call(session, "select_page", pageId=min(ids))
    async with running(settings, bridged=False, durable="test") as app:
        (session,) = app.sessions.all()
        stored = await call(
            session,
            "evaluate_script",
            function="() => [document.title, localStorage.draft].join()",
        )
        assert "was opened again at" in stored
        assert "Got login=yes,text" in stored
        assert set(session.pages) == ids
        assert session.pages[max(ids)].isolated_context == "shop"


async def test_call_without_a_page_does_not_go_to_another_browser_than_before(site: Site) -> None:
    url = site.page("<title>Away</title>")
    async with chromium() as gone:
        settings = Settings(browser_url=(gone.url,), no_fence=True)
        async with running(settings, bridged=False, durable="test") as app:
            session = app.open()
            await call(session, "new_page", url=url)
            ident = session.selected
    async with running(Settings(no_fence=True), bridged=False, durable="test") as app:
        (session,) = app.sessions.all()
        for given in ({}, {"pageId": ident}):
            text = await call(session, "evaluate_script", function="() => 1", **given)
            assert text.startswith("Error [browser_unreachable]"), text
            assert f"Page {ident} is not back" in text


async def test_page_in_which_a_secret_stands_is_not_shown_again(
    browser: Chromium, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABMUX_SECRET_KEY", "hunter2-hunter2")
    settings = Settings(browser_url=(browser.url,), no_fence=True, secret=(f"KEY={site.origin}",))
    async with running(settings, bridged=False, durable="test") as app:
        session = app.open()
        form = "<form><label>Key <input type=password></label></form>"
        await call(session, "new_page", url=site.page(form))
        filled = await call(session, "fill", uid='textbox "Key"', value="$secret:KEY")
        assert "Error" not in filled, filled
        (before,) = (page.target_id for page in session.pages.values())
        (ident,) = session.pages
    async with running(settings, bridged=False, durable="test") as app:
        (session,) = app.sessions.all()
        script = "() => document.querySelector('input').value + '.'"
        text = await call(session, "evaluate_script", function=script)
        assert "hunter2" not in text
        assert f"a secret had been typed into page {ident}" in text
        assert list(session.pages) == [ident]
        assert all(before not in each.pages for each in app.browsers.all())
        await session.close()


async def test_session_that_was_closed_or_is_too_old_does_not_come_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = Settings()
    async with running(settings, bridged=False, durable="test") as app:
        closed, kept = app.open("closed"), app.open("kept")
        await closed.close()
    async with running(settings, bridged=False, durable="test") as app:
        assert [each.label for each in app.sessions.all()] == [kept.label]
    monkeypatch.setattr(durable_sessions, "LONGEST_SECONDS", -1.0)
    async with running(settings, bridged=False, durable="test") as app:
        assert app.sessions.all() == []


async def test_connection_that_ends_only_with_the_server_is_known_to_the_next() -> None:
    async with running(Settings(), bridged=False, durable="test") as app:
        for label in ("closed", "kept"):
            app.keep_connection(label, b"row")
            app.open(label).on_closed(partial(app.drop_connection, label))
        closed = app.labelled("closed")
        assert closed is not None
        await closed.close()
    async with running(Settings(), bridged=False, durable="test") as app:
        assert (app.connection("closed"), app.connection("kept")) == (None, b"row")


@pytest.mark.parametrize("end", ["closed", "too old"])
async def test_connection_whose_client_never_came_back_goes_with_its_session(
    end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(Settings(), bridged=False, durable="test") as app:
        app.open("left").aliases.add("id")
        app.keep_connection("id", b"row")
    if end == "too old":
        monkeypatch.setattr(durable_sessions, "LONGEST_SECONDS", -1.0)
    async with running(Settings(), bridged=False, durable="test") as app:
        if end == "closed":
            assert app.connection("id") == b"row"
            await app.sessions.all()[0].close()
        assert app.connection("id") is None


async def test_session_that_was_closed_is_not_written_down_by_a_call_that_ends_later() -> None:
    ended = asyncio.Event()

    async def tool(name: str, given: Any, client: Any) -> Reply:
        await ended.wait()
        return Reply("done")

    quick = {"session_close": 0.05}
    async with running(Settings(), timings=quick, bridged=False, durable="test") as app:
        session = app.open("closed")
        session._tools.call = tool  # type: ignore[method-assign]
        async with asyncio.TaskGroup() as group:
            calling = group.create_task(call(session, "list_pages"))
            await session.close()
            ended.set()
            assert await calling == "done"
    async with running(Settings(), bridged=False, durable="test") as app:
        assert app.sessions.all() == []


async def test_server_without_durable_sessions_writes_nothing(
    settings: Settings, tmp_path: Path
) -> None:
    async with running(settings, bridged=False) as app:
        session = app.open()
        await call(session, "list_pages")
    assert not list(tmp_path.rglob("*.sqlite"))


def test_server_that_keeps_nothing_loads_nothing_of_it() -> None:
    code = (
        "import sys, tabmux.daemon.app, tabmux.daemon.server, tabmux.daemon.embedded_server;"
        "print([m for m in sys.modules if m == 'sqlite3' or 'durable_sessions' in m"
        " or 'sqlite_store' in m or 'file_journal' in m or 'restoration' in m])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert found.stdout.strip() == "[]"


async def test_a_server_runs_where_nothing_can_be_kept(
    settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = Path(sessions_folder())
    folder.parent.mkdir(parents=True)
    folder.write_text("no folder")
    async with running(settings, bridged=False, durable="test") as app:
        assert app.kept is None
        assert "## Pages" in await call(app.open("work"), "list_pages")
    assert "Sessions end with this server" in caplog.text


async def test_calls_go_on_when_a_disk_is_full(settings: Settings, site: Site) -> None:
    async with running(replace(settings, session_idle=1), durable="test", bridged=False) as app:
        assert app.kept is not None
        assert isinstance(app.kept.store, SqliteStore)
        app.kept.store._file.execute("PRAGMA query_only = 1")
        session = app.open("work")
        await call(session, "new_page", url=site.page("<title>One</title>"))
        assert "One" in await call(session, "list_pages")
        # The one that watches over sessions lives on, too.
        while app.sessions.all():
            await asyncio.sleep(0.05)


async def test_what_takes_much_room_is_not_written_with_every_call(
    settings: Settings, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    save = SqliteStore.save

    def measured(self: SqliteStore, row: SessionRow) -> bool:
        sizes.append(len(row.encoded()))
        return save(self, row)

    monkeypatch.setattr(SqliteStore, "save", measured)
    async with running(settings, bridged=False, durable="heavy") as app:
        session = app.open("work")
        await call(session, "enable_tools", groups=["interception"])
        await call(session, "new_page", url=site.page("<title>One</title>"))
        await call(session, "route_requests", url="*a*", action="block")
        light = sizes[-1]
        await call(session, "route_requests", url="*b*", action="fulfill", body="x" * 5_000_000)
        script = "() => history.replaceState(0, '', '?' + 'y'.repeat(1e6))"
        await call(session, "evaluate_script", function=script)
        await call(session, "new_page", url=site.page("<title>Two</title>"))
    assert light > 300
    assert max(sizes) < 600_000
    async with running(settings, bridged=False, durable="heavy") as app:
        assert "work" in [each.label for each in app.sessions.all()]


def paused_ones(app: App) -> list[bool]:
    assert app.kept is not None
    assert isinstance(app.kept.store, SqliteStore)
    return [row.paused for row in app.kept.store.sessions()]


async def test_a_session_that_a_person_has_paused_waits_in_the_next_server() -> None:
    async with running(Settings(), bridged=False, durable="test") as app:
        session = app.open("work")
        session.steering.pause()
        # It may be killed now.
        assert paused_ones(app) == [True]
    async with running(Settings(), bridged=False, durable="test") as app:
        (session,) = app.sessions.all()
        assert session.steering.is_paused
        session.steering.resume()
    async with running(Settings(), bridged=False, durable="test") as app:
        (session,) = app.sessions.all()
        assert not session.steering.is_paused


async def test_what_a_person_has_is_not_the_agents_in_the_next_server(settings: Settings) -> None:
    async with running(settings, bridged=False, durable="test") as app:
        session = app.open("work")
        await call(session, "new_page", url="about:blank")
        page = next(iter(session.pages.values()))
        await handover.take_over(session, page, "ann")
        assert paused_ones(app) == [True]
        await handover.hand_back(session, page, "ann", app.services.people)
        assert paused_ones(app) == [False]
        await handover.take_over(session, page, "ann")
    async with running(settings, bridged=False, durable="test") as app:
        (session,) = app.sessions.all()
        assert session.steering.is_paused
        await session.close()
