"""Pages that are being brought back when the call that waits for them is broken off."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tabmux.content import SilentClient
from tabmux.errors import NoCapacity
from tabmux.sessions.session import Session
from tabmux.sessions.stored_sites import StoredSites
from tabmux.settings import Settings
from tests.chromium import Chromium, chromium
from tests.serving import running
from tests.site import Site

FORM = "<title>Form</title><form><label>Key <input type=password></label></form>"
WHAT = {"function": "() => document.title + document.querySelector('input').value + '.'"}


@pytest.fixture(scope="module")
async def browser(anyio_backend: str) -> AsyncIterator[Chromium]:
    async with chromium() as browser:
        yield browser


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TABMUX_SECRET_KEY", "hunter2-hunter2")


async def call(session: Session, tool: str, /, **arguments: Any) -> str:
    return (await session.call(tool, arguments, SilentClient())).text


async def cancelled(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a call that is cancelled while a page is being opened again."""
    began = asyncio.Event()

    async def restore(*_: object) -> str | None:
        began.set()
        await asyncio.get_running_loop().create_future()
        return None

    with monkeypatch.context() as patch:
        patch.setattr(StoredSites, "restore", restore)
        async with asyncio.TaskGroup() as group:
            calling = group.create_task(call(session, "list_pages"))
            await began.wait()
            calling.cancel()


async def refused(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a call while the store does not answer."""

    async def restore(*_: object) -> str | None:
        raise NoCapacity("The store does not answer.", hint="Try again.")

    with monkeypatch.context() as patch:
        patch.setattr(StoredSites, "restore", restore)
        assert "no_capacity" in await call(session, "list_pages")


@pytest.mark.parametrize("broken_off", [cancelled, refused])
async def test_page_of_a_browser_that_ended_comes_back_with_the_next_call(
    site: Site, broken_off: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(launch=True, headless=True, isolated=True, no_fence=True)
    async with running(settings, bridged=False, durable="test") as app:
        session = app.open()
        await call(session, "new_page", url=site.page("<title>Other</title>"))
        await call(session, "new_page", url=site.page(FORM))
        ids, selected = set(session.pages), session.selected
    async with running(settings, bridged=False, durable="test") as app:
        (session,) = app.sessions.all()
        await broken_off(session, monkeypatch)
        text = await call(session, "evaluate_script", **WHAT)
        assert text.count("was opened again at") == 2
        assert "Form." in text
        assert (set(session.pages), session.selected) == (ids, selected)
        assert session.restoration is None
        (tabs,) = (each.pages for each in app.browsers.all())
        assert len([page for page in tabs.values() if page.owner]) == 2


@pytest.mark.parametrize("broken_off", [cancelled, refused])
async def test_tab_with_a_secret_is_closed_with_the_next_call(
    browser: Chromium, site: Site, broken_off: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(browser_url=(browser.url,), no_fence=True, secret=(f"KEY={site.origin}",))
    async with running(settings, bridged=False, durable="test") as app:
        session = app.open()
        await call(session, "new_page", url=site.page(FORM))
        await call(session, "fill", uid='textbox "Key"', value="$secret:KEY")
        (before,) = (page.target_id for page in session.pages.values())
    async with running(settings, bridged=False, durable="test") as app:
        (session,) = app.sessions.all()
        await broken_off(session, monkeypatch)
        assert [page.target_id for page in session.pages.values()] == [before]
        text = await call(session, "evaluate_script", **WHAT)
        assert "a secret had been typed" in text
        assert "Form." in text
        assert all(before not in each.pages for each in app.browsers.all())
        await session.close()


async def test_pages_of_a_browser_that_crashed_come_back_with_the_next_call(site: Site) -> None:
    settings = Settings(launch=True, headless=True, isolated=True, no_fence=True)
    async with running(settings, bridged=False, durable="test") as app:
        session = app.open()
        await call(session, "new_page", url=site.page("<title>Other</title>"))
        await call(session, "new_page", url=site.page(FORM))
        document = "() => { document.cookie = 'visitor=7'; localStorage.cart = 'tea' }"
        await call(session, "evaluate_script", function=document)
        (uid, *_) = re.findall(r"\ba\d+_\d+\b", await call(session, "take_snapshot"))
        assert session.recorder is not None
        await session.recorder.save_sites(session)
        ids, selected = set(session.pages), session.selected
        (browser,) = app.browsers.all()
        browser.channel.send("Browser.crash")
        await browser.ended()
        text = await call(session, "evaluate_script", **WHAT)
        assert text.count("had ended; it was opened again at") == 2
        assert "page ids are new" not in text
        assert "Form." in text
        assert (set(session.pages), session.selected) == (ids, selected)
        kept = "() => document.cookie + localStorage.cart"
        assert "visitor=7tea" in await call(session, "evaluate_script", function=kept)
        assert "stale_uid" in await call(session, "click", uid=uid)


async def test_browser_that_is_closed_or_connected_anew_takes_its_pages_along(site: Site) -> None:
    settings = Settings(launch=True, headless=True, isolated=True, no_fence=True)
    async with running(settings, bridged=False, durable="test") as app:
        session = app.open()
        for tool in ("close_browser", "reconnect_browser"):
            await call(session, "new_page", url=site.page(FORM))
            await call(session, tool)
            assert not session.pages
            assert session.restoration is None
