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


LATER = """<!doctype html><title>Orders</title><script src=%s></script><div id=app>Welcome</div><script>
  setTimeout(() => { app.textContent = "One moment" }, 500);
  setTimeout(() => { app.innerHTML = `%s` }, 1000)</script>"""


async def test_a_page_that_scripts_draw_bit_by_bit_is_looked_at_again(agent: Agent) -> None:
    page = LATER % (agent.site.page("0"), FORM)
    await agent("navigate_page", url=agent.site.page(page))
    assert "create_order" in await agent("list_page_tools")


async def test_what_a_page_is_still_drawing_is_pressed_by_its_words(agent: Agent) -> None:
    late = "<button onclick='document.title = 1'>Order a quince</button>"
    page = "<h1>Fruit</h1><form><input name=q><button>Find</button></form><p id=app></p>" + (
        f"<script>fetch('{agent.site.slow(1.2, late)}').then((answer) => answer.text())"
        ".then((text) => { app.innerHTML = text })</script>"
    )
    await agent("navigate_page", url=agent.site.page(page))
    await agent("call_page_tool", name="click_element", arguments={"text": "Order a quince"})
    assert await agent.value("document.title") == '"1"'


STEPS = """<!doctype html><title>Orders</title><form><input name=q><button>Find</button></form><div id=app></div>
  <script>fetch("%s").then((answer) => answer.text()).then(() => setTimeout(() =>
    fetch("%s").then((answer) => answer.text()).then((text) => { app.innerHTML = text }), 150))</script>"""


async def test_a_page_that_asks_for_more_when_something_has_come_is_given_the_time(
    agent: Agent,
) -> None:
    page = STEPS % (agent.site.slow(0.05), agent.site.slow(0.5, FORM))
    await agent("navigate_page", url=agent.site.page(page))
    assert "create_order" in await agent("list_page_tools")


ROUTED = """<!doctype html><title>Shop</title><div id=app>Shop</div><script>
  const draw = () => { app.textContent = ""; fetch("%s").then((answer) => answer.text())
    .then((text) => { app.innerHTML = location.hash === "#new" ? text : "<form><input name=q><button>Find</button></form>" }) };
  addEventListener("hashchange", draw); draw()</script>"""


async def test_another_page_in_the_same_document_is_waited_for_too(agent: Agent) -> None:
    url = agent.site.page(ROUTED % agent.site.slow(0.6, FORM))
    await agent("navigate_page", url=url)
    assert "create_order" not in await agent("list_page_tools")
    await agent("navigate_page", url=f"{url}#new")
    assert "create_order" in await agent("list_page_tools")


async def test_what_does_not_come_is_waited_for_a_moment_and_once(agent: Agent) -> None:
    page = FORM + f"<script>fetch('{agent.site.slow(60)}')</script>"
    await agent("navigate_page", url=agent.site.page(page))
    async with asyncio.timeout(FETCHING_SECONDS + 5):
        assert "create_order" in await agent("list_page_tools")
    async with asyncio.timeout(FETCHING_SECONDS):
        assert "create_order" in await agent("list_page_tools")
