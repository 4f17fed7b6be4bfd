from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tabmux.browsers.window_tabs import active_page
from tabmux.daemon.app import App
from tabmux.settings import Settings
from tests.agent import Agent
from tests.chromium import chromium
from tests.serving import running
from tests.site import Site


@pytest.fixture(scope="module")
async def framed(anyio_backend: str) -> AsyncIterator[App]:
    """A browser of its own: whoever opens tabs in a shared one changes which is in front."""
    async with chromium() as browser, running(Settings(browser_url=(browser.url,))) as app:
        yield app


async def front(app: App, agent: Agent) -> int | None:
    page = agent.session.pages[agent.session.selected or 0]
    browser = app.browsers.browser_of(page)
    assert browser is not None
    found = await active_page(browser, page)
    return found.id if found is not None else None


async def test_tab_in_front_is_told_from_those_behind(framed: App, site: Site) -> None:
    async with Agent.joined(framed, site) as agent:
        ids = []
        for name in ("One", "Two", "Three"):
            await agent("new_page", url=site.page(f"<title>{name}</title>"))
            ids.append(agent.session.selected or 0)
        # The user's own tab is still in front, and is not asked.
        assert await front(framed, agent) is None
        for ident in (ids[1], ids[0]):
            await agent("select_page", pageId=ident, bringToFront=True)
            await agent("evaluate_script", function="() => new Promise(requestAnimationFrame)")
            assert await front(framed, agent) == ident
        await agent("select_page", pageId=ids[2])
        assert await front(framed, agent) == ids[0]


async def test_emulated_screen_does_not_pass_for_a_window(framed: App, site: Site) -> None:
    async with Agent.joined(framed, site) as agent:
        await agent("new_page", url=site.page("<title>Phone</title>"), background=False)
        await agent("emulate", viewport="400x800x2,mobile")
        assert await front(framed, agent) is None
