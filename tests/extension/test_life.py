"""What ends comes back: the worker, the server, the browser; and the session's tabs are still its own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from tabmux.secrets.secret import Secrets
from tests.agent import Agent
from tests.extension.everyday_browser import EverydayBrowser
from tests.extension.lending_server import LendingServer, lent_browser
from tests.site import Site

# Without a reason to come back, a worker sleeps for half a minute or for ever.
BACK_SECONDS = 15.0
# A worker that Chrome has ended is back in this time; a busy machine may need more for the rest.
WORKER_SECONDS = 2.0
# Chrome stops a worker after 30 s without a message.
SILENCE_SECONDS = 35.0

Both = tuple[LendingServer, EverydayBrowser]
Silent = tuple[LendingServer, EverydayBrowser, float, float]


@pytest.fixture(scope="module")
async def both(anyio_backend: str) -> AsyncIterator[Both]:
    """A browser of these tests' own: it is going to suffer."""
    async with lent_browser("--restore-last-session") as both:
        yield both


@pytest.fixture(scope="module", autouse=True)
async def silent(anyio_backend: str) -> AsyncIterator[Silent]:
    """A browser that nobody uses while the other tests run."""
    async with lent_browser() as (lent, user):
        born = float(await user.in_worker("performance.timeOrigin"))
        yield lent, user, born, time.monotonic()


@asynccontextmanager
async def coming_back(lent: LendingServer) -> AsyncIterator[None]:
    """What ends in the block must be back soon after it."""
    connections = lent.browser.history.connections
    yield
    began = time.monotonic()
    await lent.connected(connections + 1)
    assert time.monotonic() - began < BACK_SECONDS


async def test_session_keeps_its_tabs_when_the_worker_is_killed(both: Both, site: Site) -> None:
    lent, user = both
    async with Agent.joined(lent.app, site) as agent:
        await agent.open("<title>Mine</title><button>Go</button>")
        stale = agent.uid("button")
        pages = dict(agent.session.pages)
        await agent.value("globalThis.mark = 1")
        async with coming_back(lent):
            await user.kill_worker()
        assert agent.session.pages == pages
        assert "was reconnected" in await agent("evaluate_script", function="() => mark")
        assert (await agent.fails("click", uid=stale))[0] == "stale_uid"
        await agent("take_snapshot")
        await agent("click", uid=agent.uid("button"))
        assert await agent.value("globalThis.mark") == "1"


async def test_secret_stands_after_the_worker_is_killed(
    both: Both, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    lent, user = both
    monkeypatch.setenv("TABMUX_SECRET_LOGIN", "open-sesame")
    services = replace(lent.app.services, secrets=Secrets.of([f"LOGIN={site.origin}"]))
    monkeypatch.setattr(lent.app.toolsets._pipeline, "services", services)
    async with Agent.joined(lent.app, site) as agent:
        await agent.open("<form><label>Password <input type=password></label></form>")
        await agent("fill", uid='textbox "Password"', value="$secret:LOGIN")
        async with coming_back(lent):
            await user.kill_worker()
        read = {"function": "() => document.querySelector('input').value"}
        assert (await agent.fails("evaluate_script", **read))[0] == "secret_in_page"
        await agent("navigate_page", type="reload")
        assert '""' in await agent("evaluate_script", **read)


async def test_call_during_the_gap_waits_for_the_worker(both: Both, site: Site) -> None:
    lent, user = both
    async with Agent.joined(lent.app, site) as agent:
        await agent.open("<title>Mine</title>")
        connections = lent.browser.history.connections
        await user.kill_worker()
        await lent.lost(connections)
        assert "Mine" in await agent("take_snapshot")


async def test_tab_of_commands_that_was_taken_while_the_worker_was_away_is_given_up(
    both: Both, site: Site
) -> None:
    """A new worker does not know what became of tabs before it; nobody may be stuck with one."""
    lent, user = both
    async with Agent.joined(lent.app, site) as agent:
        await agent("browser_navigate", url=site.page("<title>Left</title>"))
        (page,) = agent.session.pages.values()
        await user.act("takeBack", tabId=page.target["tabId"])
        async with coming_back(lent):
            await user.kill_worker()
        assert (await agent.fails("browser_execute_js", code="1"))[0] == "page_gone"
        assert '"result": 2' in await agent("browser_execute_js", code="1 + 1")


async def test_session_keeps_its_tabs_when_the_server_restarts(both: Both, site: Site) -> None:
    lent, _ = both
    async with Agent.joined(lent.app, site) as agent:
        await agent.open("<title>Mine</title>")
        pages = dict(agent.session.pages)
        async with coming_back(lent):
            await lent.stop()
            code, _ = await agent.fails("take_snapshot")
            assert code in ("browser_unreachable", "browser_gone")
            await lent.start()
        assert agent.session.pages == pages
        assert "Mine" in await agent("take_snapshot")


async def test_session_keeps_its_tabs_when_the_browser_restarts(both: Both, site: Site) -> None:
    lent, user = both
    async with Agent.joined(lent.app, site) as agent:
        await agent.open("<title>First</title>")
        await agent("new_page", url=site.page("<title>Second</title>"))
        pages = dict(agent.session.pages)
        async with coming_back(lent):
            await user.quit()
            await user.start("--restore-last-session")
        assert agent.session.pages == pages
        assert "Second" in await agent("take_snapshot")
        assert '"First"' in await agent(
            "evaluate_script", pageId=min(pages), function="() => document.title"
        )


async def test_tab_that_did_not_come_back_is_gone_for_the_session(both: Both, site: Site) -> None:
    lent, user = both
    async with Agent.joined(lent.app, site) as agent:
        await agent.open("<title>Lost</title>")
        (page,) = agent.session.pages
        connections = lent.browser.history.connections
        await user.quit()
        await user.start()  # with nothing restored
        await lent.connected(connections + 1)
        code, _ = await agent.fails("take_snapshot", pageId=page)
        assert code == "no_such_page"


async def test_worker_that_is_killed_is_back_although_nothing_happens(both: Both) -> None:
    lent, user = both
    for _ in range(3):  # what happened in the browser just before may wake it the first time
        connections = lent.browser.history.connections
        began = time.monotonic()
        await user.kill_worker()
        await lent.connected(connections + 1)
        assert time.monotonic() - began < WORKER_SECONDS


@pytest.mark.timeout(150)
async def test_silence_does_not_put_the_worker_to_sleep(silent: Silent) -> None:
    lent, user, born, since = silent
    await asyncio.sleep(max(0, since + SILENCE_SECONDS - time.monotonic()))
    assert lent.browser.history.connections == 1
    assert await user.in_worker("performance.timeOrigin") == born
