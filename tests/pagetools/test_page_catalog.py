"""Page catalog: pages are looked at when what they are drawn from has come."""

from __future__ import annotations

import asyncio

from tabmux.pagetools.collect.collector_scripts import FETCHING_SECONDS
from tests.agent import Agent

DRAWN = """<!doctype html><title>Orders</title><div id=app></div><script>
  fetch("%s").then((answer) => answer.text()).then((text) => { app.innerHTML = text })</script>"""
FORM = "<main><h1>Orders</h1><form><label>Customer <input name=customer></label><button>Create order</button></form></main>"


async def test_a_page_that_fetches_what_it_shows_is_looked_at_when_that_has_come(
    agent: Agent,
) -> None:
    await agent("navigate_page", url=agent.site.page(DRAWN % agent.site.slow(1.3, FORM)))
    assert "create_order" in await agent("list_page_tools")


async def test_what_does_not_come_is_waited_for_a_moment_and_once(agent: Agent) -> None:
    page = FORM + f"<script>fetch('{agent.site.slow(60)}')</script>"
    await agent("navigate_page", url=agent.site.page(page))
    async with asyncio.timeout(FETCHING_SECONDS + 5):
        assert "create_order" in await agent("list_page_tools")
    async with asyncio.timeout(FETCHING_SECONDS):
        assert "create_order" in await agent("list_page_tools")
