"""Session table: how sessions end."""

from __future__ import annotations

import asyncio
import time
from asyncio import Future
from typing import Any

import pytest

from tabmux.browsers.registry import Browsers
from tabmux.content import SilentClient
from tabmux.daemon.app import App
from tabmux.errors import NoCapacity, TabmuxError
from tabmux.page.handle import PageHandle
from tabmux.sessions import handover, session_table
from tabmux.sessions.peers import NoPeers
from tabmux.sessions.session import Session
from tabmux.sessions.session_table import Sessions
from tabmux.settings import Settings
from tests.agent import Agent
from tests.clock import AT_ONCE
from tests.serving import running
from tests.site import Site


class LatePeers(NoPeers):
    """Others, who may have taken over; tells when somebody asked after a session had expired."""

    def __init__(self) -> None:
        super().__init__()
        self.late: TabmuxError | None = NoCapacity("Others may have it.")
        self.asked, self._began = asyncio.Event(), time.monotonic()

    def refusal(self) -> TabmuxError | None:
        if time.monotonic() - self._began > 1.3:
            self.asked.set()
        return self.late


async def ended(session: Session) -> None:
    over = asyncio.Event()
    session.on_closed(over.set)
    async with asyncio.timeout(AT_ONCE):
        await over.wait()


async def test_a_nameless_session_ends_soon_after_its_client_hung_up() -> None:
    async with running(Settings(session_grace=1), bridged=False) as app:
        named, nameless, over_http, kept = app.open("work"), app.open(), app.open(), app.open()
        for session in (named, nameless, kept):
            session.attach()
        for session in (named, nameless):
            session.leave(hung_up=True)
        over_http.attach()
        over_http.leave()
        await ended(nameless)
        assert app.sessions.all() == [named, over_http, kept]


async def test_a_session_does_not_end_under_a_person(site: Site) -> None:
    settings = Settings(launch=True, headless=True, isolated=True)
    async with running(settings, bridged=False) as app:
        session, people = app.open(), app.services.people
        await session.call("new_page", {"url": site.page("<title>Pay</title>")}, SilentClient())
        page = next(iter(session.pages.values()))
        session.attach()
        session.leave(hung_up=True)
        session.last_used -= 3600
        assert session.idle_seconds() > 1000
        request = people.make(session, "help", "Pay", 60)
        assert session.idle_seconds() == 0
        await handover.take_over(session, page, "ann")
        people.end(request, "done")
        session.last_used -= 3600
        assert session.idle_seconds() == 0
        await handover.hand_back(session, page, "ann", people)
        # What the person has done is there for the agent a while.
        assert session.idle_seconds() < 1000
        await session.close()


async def test_no_session_expires_that_another_server_may_have() -> None:
    async with running(Settings(session_idle=1), bridged=False) as app:
        session, peers = app.open(), LatePeers()
        app.sessions._peers = peers
        async with asyncio.timeout(AT_ONCE):
            await peers.asked.wait()
        assert app.sessions.all() == [session]
        peers.late = None
        await ended(session)


async def test_a_client_that_comes_back_in_time_keeps_its_session() -> None:
    async with running(Settings(session_grace=1), bridged=False) as app:
        session, other = app.open(), app.open()
        for each in (session, other):
            each.attach()
            each.leave(hung_up=True)
        session.attach()
        await ended(other)
        assert app.sessions.all() == [session]


async def test_a_tab_that_outlives_its_session_is_not_left_in_a_persons_hands(
    app: App, site: Site
) -> None:
    async with Agent.joined(app, site) as agent, Agent.joined(app, site) as next_one:
        await agent.open("<title>Shop</title>")
        await next_one.open("<title>Other shop</title>")
        (browser,) = agent.session.browsers.all()
        page = await browser.new_page()
        await agent("select_page", pageId=page.id)
        await handover.take_over(agent.session, page, "ann")
        await agent.session.close()
        assert not page.control.person
        await next_one("select_page", pageId=page.id)
        assert await next_one("take_snapshot")
        await next_one("close_page", pageId=page.id)


async def test_closing_waits_for_the_calls_under_way(app: App, site: Site) -> None:
    async with Agent.joined(app, site) as agent:
        await agent.open("<title>Busy</title>")
        (session,) = [s for s in app.sessions.all() if s.handle == agent.session.handle]
        started = asyncio.Event()
        script = "async () => { await new Promise(done => setTimeout(done, 400)); return 'whole' }"

        async def call() -> Any:
            started.set()
            return await agent("evaluate_script", function=script)

        async with asyncio.TaskGroup() as group:
            calling = group.create_task(call())
            await started.wait()
            while not session.calls:
                await asyncio.sleep(0)
            await session.close()
        assert "whole" in calling.result()
        code, text = await agent.fails("list_pages")
        assert code == "no_such_session"
        assert "closed" in text


def defect() -> None:
    raise RecursionError("unexpected")


async def test_session_that_ends_badly_does_not_keep_the_others_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with running(Settings(), bridged=False) as app:
        sessions = [app.open() for _ in range(3)]
        monkeypatch.setattr(sessions[1], "release", defect)
        await app.sessions.stop()
        assert app.sessions.all() == []


async def test_session_that_ends_badly_does_not_keep_others_from_expiring(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with running(Settings(session_idle=1), bridged=False) as app:
        monkeypatch.setattr(app.open(), "release", defect)
        await ended(app.open())
        await ended(app.open())


async def test_owner_of_a_page_is_found_without_asking_every_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    owns, asked = Session.owns, 0

    def counted(self: Session, page: PageHandle) -> bool:
        nonlocal asked
        asked += 1
        return owns(self, page)

    monkeypatch.setattr(Session, "owns", counted)
    async with running(Settings(), bridged=False) as app:
        made, owner_of = [app.open() for _ in range(50)], app.sessions.owner_of
        page = PageHandle(1, {"targetId": "t"}, lambda _: Future())
        assert owner_of(page) is None
        made[40].adopt(page, created=False)
        assert owner_of(page) is made[40]
        made[40].forget(page)
        assert owner_of(page) is None
        made[41].adopt(page, created=False)
        await made[41].close()
        assert owner_of(page) is None
    assert asked <= 4


async def test_browser_that_does_not_answer_is_waited_for_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waited: list[PageHandle] = []

    async def wait(self: Sessions, browser: object, page: PageHandle) -> None:
        waited.append(page)
        await asyncio.Event().wait()

    class Silent:
        is_owned = ends_with_server = True

        def show_session(self, page: PageHandle, session: str) -> None: ...

    browser = Silent()
    monkeypatch.setattr(Sessions, "_close_in", wait)
    monkeypatch.setattr(Browsers, "browser_of", lambda self, page: browser)
    monkeypatch.setattr(session_table, "CLOSE_SECONDS", 0.01)
    async with running(Settings(), bridged=False) as app:
        for number in range(4):
            page = PageHandle(number, {"targetId": "t"}, lambda _: Future())
            app.open().adopt(page, created=True)
        async with asyncio.timeout(AT_ONCE):
            await app.sessions.stop()
        assert app.sessions.all() == []
    assert len(waited) == 1
