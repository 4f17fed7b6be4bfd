from __future__ import annotations

import asyncio
import time

from tests.agent import Agent
from tests.clock import AT_ONCE


async def test_text_that_is_there_is_found_at_once(agent: Agent) -> None:
    await agent.open("<p>Hello <b>big</b> world</p>")
    started = time.monotonic()
    text = await agent("wait_for", text=["nothing", "Hello big world"])
    assert 'Found "Hello big world".' in text
    assert "RootWebArea" in text
    assert time.monotonic() - started < AT_ONCE


async def test_text_that_comes_later_is_awaited(agent: Agent) -> None:
    await agent.open("<script>setTimeout(() => document.body.append('late news'), 300)</script>")
    assert "late news" in await agent("wait_for", text=["late news"])


async def test_hidden_text_does_not_count(agent: Agent) -> None:
    await agent.open(
        "<p style='display:none'>secret</p><p style='visibility:hidden'>secret</p>"
        "<input type=password value=secret>"
    )
    code, text = await agent.fails("wait_for", text=["secret"], timeout=300)
    assert code == "deadline"
    assert "300 ms" in text


async def test_text_that_is_shown_by_a_style_alone_is_found(agent: Agent) -> None:
    await agent.open(
        "<style id=s>p { display: none }</style><p>unveiled</p>"
        "<script>setTimeout(() => s.sheet.deleteRule(0), 200)</script>"
    )
    await agent("wait_for", text=["unveiled"], timeout=20_000)


async def test_text_is_found_in_frames_shadow_roots_and_fields(agent: Agent) -> None:
    near = agent.site.page("<p>near frame</p>")
    far = agent.site.page("<p>far frame</p>", other=True)
    await agent.open(
        f"<iframe src='{near}'></iframe><iframe src='{far}'></iframe><div id=h></div>"
        "<input value='typed value'><script>h.attachShadow({mode: 'open'}).innerHTML = 'in shadow'</script>"
    )
    for text in ("near frame", "far frame", "in shadow", "typed value"):
        assert f'Found "{text}".' in await agent("wait_for", text=[text], timeout=20_000)


async def test_wait_survives_a_navigation(agent: Agent) -> None:
    there = agent.site.page("<p>arrived</p>")
    html = f"<script>setTimeout(() => location = '{there}', 300)</script>"
    await agent("navigate_page", url=agent.site.page(html))
    assert 'Found "arrived".' in await agent("wait_for", text=["arrived"], timeout=20_000)


async def test_empty_list_of_texts_is_refused(agent: Agent) -> None:
    assert (await agent.fails("wait_for", text=[]))[0] == "bad_arguments"


async def test_long_wait_on_one_page_does_not_delay_another(agent: Agent) -> None:
    await agent("new_page", url=agent.site.page("waiting"))
    waiting = max(agent.session.pages)
    await agent("new_page", url=agent.site.page("<button onclick='document.title = 1'>Go</button>"))
    await agent("take_snapshot")
    page = agent.session.pages[waiting]
    async with asyncio.TaskGroup() as group:
        task = group.create_task(
            agent.reply("wait_for", pageId=waiting, text=["never"], timeout=50_000)
        )
        while not page.lock.locked():
            await asyncio.sleep(0)
        started = time.monotonic()
        await agent("click", uid=agent.uid("button"))
        assert time.monotonic() - started < AT_ONCE
        assert not task.done()
        task.cancel()
