"""How tools are carried out, through MCP against Chromium."""

from __future__ import annotations

from tests.agent import Agent

SHOP = """<h1>Products</h1><ol>
  <li><h3><a href="#snow">Snow Crash</a></h3><p>£5 out of stock</p></li>
  <li><h3><a href="#dune">Dune</a></h3><p>£6</p><button onclick="put('dune')">Add to basket</button></li>
  <li><h3><a href="#emma">Emma</a></h3><p>£7</p><button onclick="put('emma')">Add to basket</button></li>
  <li><h3><a href="#ulysses">Ulysses</a></h3><p>£8</p><button onclick="put('ulysses')">Add to basket</button></li>
</ol><output></output>
<script>put = (name) => { document.querySelector("output").append(name) }</script>"""
SWITCH = """<main><label><input type=checkbox id=all> Select all</label><p>none</p></main>
<script>all.onchange = () => { document.querySelector("p").textContent = all.checked ? "every" : "none" }
</script>"""


async def test_number_means_the_same_entry_for_every_tool_of_a_list(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page(SHOP))
    assert "2. Dune" in await agent("list_page_tools")
    await agent("call_page_tool", name="add_to_basket", arguments={"index": 2})
    assert await agent.value("document.querySelector('output').textContent") == '"dune"'
    await agent("call_page_tool", name="open_product", arguments={"index": 2})
    assert await agent.value("location.hash") == '"#dune"'


async def test_entry_without_the_action_is_refused_by_its_name(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page(SHOP))
    code, text = await agent.fails("call_page_tool", name="add_to_basket", arguments={"index": 1})
    assert code == "no_such_item"
    assert "Snow Crash" in text
    assert await agent.value("document.querySelector('output').textContent") == '""'


async def test_box_that_is_given_no_state_takes_the_other_one(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page(SWITCH))
    listed = await agent("list_page_tools")
    name = next(line for line in listed.splitlines() if '"boolean"' in line).split(":")[0]
    for wanted in ('"every"', '"none"'):
        assert (await agent("call_page_tool", name=name)).startswith("done")
        assert await agent.value("document.querySelector('p').textContent") == wanted
