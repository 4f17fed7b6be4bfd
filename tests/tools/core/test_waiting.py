from __future__ import annotations

import asyncio
import gc
import time
import warnings

import pytest

from tabmux.page.conditions import first_met
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


async def test_text_that_goes_is_awaited_in_all_frames(agent: Agent) -> None:
    frame = agent.site.page("<p id=p>Loading</p><script>setTimeout(() => p.remove(), 300)</script>")
    await agent("navigate_page", url=agent.site.page(f"<iframe src='{frame}'></iframe>"))
    text = await agent("wait_for", textGone=["Loading"])
    assert '"Loading" is gone.' in text


async def test_first_condition_that_holds_ends_the_wait(agent: Agent) -> None:
    await agent.open("<p>Ready</p>")
    text = await agent("wait_for", text=["never"], textGone=["Ready", "Absent"], url="nowhere")
    assert text.startswith('"Absent" is gone.')


@pytest.mark.parametrize("pattern", ["{}", "*there", "/there$/"])
async def test_url_is_awaited(agent: Agent, pattern: str) -> None:
    await agent.open("<script>setTimeout(() => history.pushState(0, 0, '/there'), 300)</script>")
    pattern = pattern.format(f"{agent.site.origin}/there")
    assert f"The URL is {agent.site.origin}/there." in await agent("wait_for", url=pattern)


async def test_url_that_does_not_come_is_told_with_the_one_that_is(agent: Agent) -> None:
    await agent.open("<p>Here</p>")
    code, text = await agent.fails("wait_for", url="/nowhere", timeout=200)
    assert code == "deadline"
    assert f"it is {agent.site.origin}" in text


STATES = [
    ("visible", "b.style.visibility = 'visible'"),
    ("enabled", "b.disabled = false"),
    ("checked", "b.setAttribute('aria-checked', true)"),
    ("gone", "b.remove()"),
    ("gone", "b.style.display = 'none'"),
]


@pytest.mark.parametrize(("state", "change"), STATES)
@pytest.mark.parametrize("by", ["uid", "role", "css"])
async def test_state_of_an_element_is_awaited(
    agent: Agent, state: str, change: str, by: str
) -> None:
    await agent.open("<button id=b role=checkbox aria-checked=false disabled>Go</button>")
    uid = {"uid": agent.uid('checkbox "Go"'), "role": 'checkbox "Go"', "css": "css=#b"}[by]
    before = "b.style.visibility = 'hidden';" if state == "visible" else ""
    await agent(
        "evaluate_script", function=f"() => {{ {before} setTimeout(() => {{ {change} }}, 300) }}"
    )
    assert f" is {state}." in await agent("wait_for", uid=uid, state=state, timeout=20_000)


async def test_element_that_comes_later_is_awaited_by_role_and_name(agent: Agent) -> None:
    there = agent.site.page(
        "<script>setTimeout(() => document.body.innerHTML = '<button>Buy</button>', 300)</script>"
    )
    await agent.open(f"<script>setTimeout(() => location = '{there}', 100)</script>")
    assert 'button "Buy" is visible.' in await agent("wait_for", uid='button "Buy"')


async def test_locator_of_two_elements_is_refused_while_waiting(agent: Agent) -> None:
    await agent.open("<button>Go</button><button>Go</button>")
    code, text = await agent.fails("wait_for", uid='button "Go"')
    assert (code, text.count("uid=")) == ("ambiguous", 2)


async def test_element_that_is_gone_is_not_awaited_under_its_uid(agent: Agent) -> None:
    await agent.open("<button onclick='this.remove()'>Go</button>")
    uid = agent.uid("button")
    await agent("click", uid=uid)
    assert (await agent.fails("wait_for", uid=uid, state="enabled"))[0] == "stale_uid"
    assert " is gone." in await agent("wait_for", uid=uid, state="gone")


async def test_idle_network_is_awaited_and_what_is_under_way_is_named(agent: Agent) -> None:
    silent = agent.site.silent()
    await agent.open(f"<script>fetch('{agent.site.slow(0.5)}')</script>")
    assert "The network is idle." in await agent("wait_for", networkIdle=True)
    await agent.open(f"<script>fetch('{silent}')</script>")
    code, text = await agent.fails("wait_for", networkIdle=True, timeout=800)
    assert code == "deadline"
    assert silent in text


async def test_function_is_awaited_and_may_throw_meanwhile(agent: Agent) -> None:
    # What is thrown meanwhile may look like a mistake in the function itself.
    await agent.open(
        "<script>setTimeout(() => globalThis.state = '{\"ready\": true}', 300)</script>"
    )
    text = await agent("wait_for", function="() => JSON.parse(globalThis.state).ready")
    assert "The function returned true." in text
    code, text = await agent.fails("wait_for", function="() => nothing.there", timeout=200)
    assert code == "deadline"
    assert "nothing is not defined" in text


@pytest.mark.parametrize("function", ["() => { document.title = 'x' }", "() => {"])
async def test_function_that_changes_something_or_is_none_is_refused(
    agent: Agent, function: str
) -> None:
    await agent.open("<title>Page</title>")
    assert (await agent.fails("wait_for", function=function))[0] == "bad_arguments"
    assert await agent.value("document.title") == '"Page"'


@pytest.mark.parametrize(("method", "code"), [("close", "page_gone"), ("crash", "page_crashed")])
async def test_wait_ends_when_the_page_closes_or_crashes(
    agent: Agent, method: str, code: str
) -> None:
    await agent("new_page", url=agent.site.page("<p>Page</p>"))
    page = agent.session.pages[max(agent.session.pages)].attached_page
    started = time.monotonic()
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(agent.fails("wait_for", text=["never"], timeout=60_000))
        while not page.handle.lock.locked():
            await asyncio.sleep(0)
        page.channel.send(f"Page.{method}")
    found, text = waiting.result()
    assert found == code
    assert "was closed" in text or "has crashed" in text
    assert time.monotonic() - started < AT_ONCE


async def test_wait_ends_when_a_dialog_opens(agent: Agent) -> None:
    await agent.open("<script>setTimeout(() => alert('Stop'), 500)</script>")
    started = time.monotonic()
    code, text = await agent.fails("wait_for", text=["never"], timeout=60_000)
    assert code == "dialog_open"
    assert "Stop" in text
    assert time.monotonic() - started < AT_ONCE
    await agent("handle_dialog", action="accept")


async def test_wait_does_not_need_the_tab_in_front(agent: Agent) -> None:
    html = "<script>setTimeout(() => document.body.append('late'), 700)</script>"
    await agent("new_page", url=agent.site.page(html))
    behind = max(agent.session.pages)
    await agent("new_page", url=agent.site.page("<p>in front</p>"), background=False)
    started = time.monotonic()
    assert 'Found "late".' in await agent("wait_for", pageId=behind, text=["late"])
    assert time.monotonic() - started < AT_ONCE


async def test_wait_for_nothing_is_refused(agent: Agent) -> None:
    assert (await agent.fails("wait_for"))[0] == "bad_arguments"


async def test_wait_that_has_no_time_at_all_leaves_nothing_behind(agent: Agent) -> None:
    await agent.open("<p>Text")
    page = next(iter(agent.session.pages.values())).attached_page
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert await first_met(page, [], 0) is None
        gc.collect()
    assert not [each for each in said if "never awaited" in str(each.message)]
