from __future__ import annotations

import asyncio

from tabmux.concurrency import TaskOwner
from tabmux.page.page import Page
from tabmux.sessions.pointing import element_at, picked_element
from tests.agent import Agent

BUTTON = (
    "<title>Shop</title><body style='margin:0'><button style='position:fixed;left:100px;top:50px;"
    "width:200px;height:80px'><span><b>Buy</b></span></button>"
)
SAME = "<button>Add</button><button data-testid=second style='position:fixed;left:0;top:200px;width:90px;height:40px'>Add</button>"


def page_of(agent: Agent) -> Page:
    return agent.session.pages[agent.session.selected or 0].attached_page


async def test_what_draws_a_button_stands_for_the_button(agent: Agent) -> None:
    await agent.open(BUTTON)
    found = await element_at(agent.session, page_of(agent), 200, 90)
    assert found.line.endswith('button "Buy"')
    assert found.uid == agent.uid('button "Buy"')
    assert found.locator == 'button "Buy"'
    assert (found.box["x"], found.box["width"]) == (100, 200)
    note = found.note(1, "this\none")
    assert "says: “this one”" in note
    assert "box: x=100 y=50 width=200 height=80" in note
    await agent("click", uid=found.uid)


async def test_a_page_that_was_never_shown_gets_uids(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page(BUTTON))
    found = await element_at(agent.session, page_of(agent), 200, 90)
    await agent("click", uid=found.uid)


async def test_one_of_several_is_told_apart(agent: Agent) -> None:
    await agent.open(SAME)
    found = await element_at(agent.session, page_of(agent), 40, 220)
    assert found.locator == "testid=second"


async def test_elements_in_frames_are_found(agent: Agent) -> None:
    for other in (False, True):
        inner = agent.site.page(BUTTON, other=other)
        style = "position:fixed;left:50px;top:60px;width:500px;height:300px;border:10px solid"
        await agent.open(f"<iframe src='{inner}' style='{style}'></iframe>")
        await agent("wait_for", text=["Buy"])
        found = await element_at(agent.session, page_of(agent), 50 + 10 + 200, 60 + 10 + 90)
        assert 'button "Buy"' in found.line
        assert (round(found.box["x"]), round(found.box["y"])) == (160, 120)


async def test_a_person_picks_in_the_tab_itself(agent: Agent, tasks: TaskOwner) -> None:
    await agent.open(BUTTON)
    page = page_of(agent)
    picking = tasks.start(picked_element(agent.session, page))
    place = {"x": 200, "y": 90, "button": "left", "clickCount": 1}
    async with asyncio.timeout(20):
        while not picking.done():
            page.drawing.keep()
            for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
                page.channel.send("Input.dispatchMouseEvent", {"type": kind, **place})
            await asyncio.wait({picking}, timeout=0.2)
    assert picking.result().locator == 'button "Buy"'
