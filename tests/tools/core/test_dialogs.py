from __future__ import annotations

import asyncio
import time

import pytest

from tests.agent import Agent
from tests.clock import AT_ONCE


async def test_click_that_opens_an_alert_returns_at_once_and_shows_it(agent: Agent) -> None:
    await agent.open("<button onclick=\"alert('hi there')\">Go</button>")
    started = time.monotonic()
    text = await agent("click", uid=agent.uid("button"))
    assert time.monotonic() - started < AT_ONCE
    assert "# Open dialog\nalert: hi there" in text
    assert "accepted" in await agent("handle_dialog", action="accept")
    assert 'button "Go"' in await agent("take_snapshot")


async def test_tools_that_need_the_page_are_refused_while_a_dialog_is_open(agent: Agent) -> None:
    await agent.open("<button onclick=\"confirm('sure?')\">Go</button>")
    await agent("click", uid=agent.uid("button"))
    started = time.monotonic()
    for tool, arguments in (
        ("evaluate_script", {"function": "() => 1"}),
        ("take_snapshot", {}),
        ("click", {"uid": agent.uid("button")}),
    ):
        code, text = await agent.fails(tool, **arguments)
        assert code == "dialog_open"
        assert "handle_dialog" in text
    assert "## Pages" in await agent("list_pages")
    assert time.monotonic() - started < AT_ONCE
    await agent("handle_dialog", action="dismiss")


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        ({"action": "accept", "promptText": "Ann"}, '"Ann"'),
        ({"action": "accept"}, '"bob"'),
        ({"action": "dismiss"}, "null"),
    ],
)
async def test_prompt_gets_its_answer(agent: Agent, arguments: dict[str, str], result: str) -> None:
    await agent.open("<button onclick=\"window.got = prompt('name?', 'bob')\">Go</button>")
    assert '(default value: "bob")' in await agent("click", uid=agent.uid("button"))
    await agent("handle_dialog", **arguments)
    assert await agent.value("window.got") == result


async def test_handling_no_dialog_is_an_error(agent: Agent) -> None:
    await agent.open("x")
    assert (await agent.fails("handle_dialog", action="accept"))[0] == "no_dialog"


async def test_script_answers_its_own_dialogs_and_leaves_none_behind(agent: Agent) -> None:
    await agent.open("<button disabled>Go</button>")
    text = await agent(
        "evaluate_script", function="() => [confirm('a'), prompt('b')]", dialogAction="yes"
    )
    assert '[true,"yes"]' in text
    assert 'Accepted a dialog (confirm: "a").' in text
    text = await agent("evaluate_script", function="() => confirm('a')", dialogAction="dismiss")
    assert "false" in text
    assert "# Open dialog" not in text
    assert (await agent.fails("click", uid=agent.uid("button")))[0] == "element_disabled"


async def test_dialog_is_answered_while_another_call_is_stuck_behind_it(agent: Agent) -> None:
    await agent.open("<p>text</p>")
    (page,) = agent.session.pages.values()
    waiting = asyncio.gather(agent.reply("wait_for", text=["never"], timeout=30_000))
    while not page.lock.locked():
        await asyncio.sleep(0)
    late = "setTimeout(() => { alert('late'); document.title = 'on' })"
    page.attached_page.channel.send("Runtime.evaluate", {"expression": late})
    code, _ = ("no_dialog", "")
    while code == "no_dialog":
        reply = await agent.reply("handle_dialog", action="accept")
        code = reply.code or ""
    assert "accepted" in reply.text
    assert await _title_becomes(agent, "on")
    waiting.cancel()


async def test_dialog_that_opens_during_a_snapshot_ends_it_at_once(agent: Agent) -> None:
    await agent.open("<p>text</p>")
    (page,) = agent.session.pages.values()
    # Chrome takes commands in their order, so the snapshot waits for this when the dialog opens.
    busy = "{ const end = Date.now() + 2000; while (Date.now() < end); alert('late') }"
    page.attached_page.channel.send("Runtime.evaluate", {"expression": busy})
    started = time.monotonic()
    code, text = await agent.fails("take_snapshot")
    assert time.monotonic() - started < AT_ONCE
    assert code == "dialog_open"
    assert 'alert: "late"' in text
    await agent("handle_dialog", action="accept")
    assert "text" in await agent("take_snapshot")


async def _title_becomes(agent: Agent, title: str) -> bool:
    page = agent.session.pages[max(agent.session.pages)].attached_page
    end = time.monotonic() + 15
    while (seen := (await page.refresh())["title"]) != title and time.monotonic() < end:
        pass
    return bool(seen == title)


async def test_reload_clears_a_dialog(agent: Agent) -> None:
    await agent.open("<button onclick='alert(1)'>Go</button>")
    await agent("click", uid=agent.uid("button"))
    await agent("navigate_page", type="reload")
    assert "# Open dialog" not in await agent("take_snapshot")


async def test_dialogs_of_pages_do_not_touch_each_other(agent: Agent) -> None:
    await agent.open("<button onclick='alert(1)'>Go</button>")
    await agent("click", uid=agent.uid("button"))
    await agent("new_page", url=agent.site.page("<title>Free</title>"))
    assert await agent.value("document.title") == '"Free"'


async def test_dialog_that_follows_another_at_once_is_seen(agent: Agent) -> None:
    await agent.open("<button onclick='document.title = confirm(1) && prompt(2)'>Ask</button>")
    await agent("click", uid=agent.uid('button "Ask"'))
    await agent("handle_dialog", action="accept")
    (page,) = agent.session.pages.values()
    assert await page.signal.until(lambda: page.attached_page.dialogs.current is not None, 5)
    await agent("handle_dialog", action="accept", promptText="both")
    assert await agent.value("document.title") == '"both"'
