"""The user decides: which tabs are lent, and when they are taken back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tabmux.errors import ProtocolFault
from tests.agent import Agent
from tests.extension.everyday_browser import EverydayBrowser, everyday
from tests.extension.lending_server import SECONDS, LendingServer, lending
from tests.site import Site

Both = tuple[LendingServer, EverydayBrowser]


async def until(look: Callable[[], Awaitable[Any]], wanted: Callable[[Any], bool]) -> Any:
    async with asyncio.timeout(SECONDS):
        while not wanted(found := await look()):
            pass
    return found


async def test_agents_know_only_of_tabs_that_are_lent(lent: Both, agent: Agent) -> None:
    _, user = lent
    await user.open(agent.site.page("<title>Private</title>"))
    assert "Private" not in await agent("list_pages")


async def test_tab_that_is_lent_can_be_used_until_it_is_taken_back(
    lent: Both, agent: Agent
) -> None:
    _, user = lent
    number = await user.open(agent.site.page("<title>Shared</title>"))
    await user.wish("lend", tabId=number)
    listed = await until(lambda: agent("list_pages"), lambda text: "Shared" in text)
    page = int(next(line for line in listed.split("\n") if "Shared" in line).partition(":")[0])
    assert (await agent.fails("take_snapshot", pageId=page))[0] == "not_attached"
    await agent("select_page", pageId=page)
    assert "Shared" in await agent("take_snapshot")
    await user.wish("takeBack", tabId=number)
    await until(lambda: agent("list_pages"), lambda text: "Shared" not in text)
    assert (await agent.fails("take_snapshot", pageId=page))[0] == "no_such_page"
    assert await user.in_worker(f"chrome.tabs.get({number}).then((tab) => tab.title)") == "Shared"


async def test_agents_own_tab_can_be_taken_back_too(lent: Both, agent: Agent) -> None:
    _, user = lent
    await agent.open("<title>Working</title>")
    (page,) = agent.session.pages
    loans = (await user.wish("look"))["tabs"]
    number = next(loan["tabId"] for loan in loans if loan["title"] == "Working")
    await user.wish("takeBack", tabId=number)
    assert (await agent.fails("take_snapshot", pageId=page))[0] == "no_such_page"
    group = await user.in_worker(f"chrome.tabs.get({number}).then((tab) => tab.groupId)")
    assert group == -1


async def test_tab_that_the_user_closes_is_gone_for_the_agent(lent: Both, agent: Agent) -> None:
    _, user = lent
    await agent.open("<title>Doomed</title>")
    (page,) = agent.session.pages.values()
    tab = next(target for target in await user.targets() if target["title"] == "Doomed")
    await user.channel.call("Target.closeTarget", {"targetId": tab["targetId"]})
    assert await page.signal.until(lambda: not agent.session.pages, SECONDS)
    assert (await agent.fails("take_snapshot", pageId=page.id))[0] == "no_such_page"


async def test_nothing_but_bring_to_front_takes_the_focus(lent: Both, agent: Agent) -> None:
    _, user = lent
    before = await user.front()
    await agent.open(
        f"<title>Opener</title><a href='{agent.site.page('<title>Popup</title>')}' target=_blank>Open</a>"
    )
    assert "Opened pages" in await agent("click", uid=agent.uid("link"))
    assert len(agent.session.pages) == 2
    await until(user.front, lambda front: front == before)
    await agent("take_screenshot")
    assert await user.front() == before
    await agent("select_page", pageId=min(agent.session.pages), bringToFront=True)
    await until(user.front, lambda front: front != before)
    await user.in_worker(f"chrome.tabs.update({before}, {{active: true}})")


async def test_each_session_has_a_tab_group_of_its_own(lent: Both, agent: Agent) -> None:
    _, user = lent
    server, _ = lent
    async with Agent.joined(server.app, agent.site) as other:
        await agent("new_page", url="about:blank")
        await agent("new_page", url="about:blank")
        await other("new_page", url="about:blank")
        names = {f"tabmux {each.session.name}" for each in (agent, other)}

        async def titles() -> set[str]:
            return set(
                await user.in_worker(
                    "chrome.tabGroups.query({}).then((all) => all.map((each) => each.title))"
                )
            )

        await until(titles, lambda found: names <= found)
        sizes = await user.in_worker(
            "Promise.all([chrome.tabs.query({}), chrome.tabGroups.query({})]).then(([tabs, groups]) =>"
            "groups.map((group) => [group.title, tabs.filter((tab) => tab.groupId === group.id).length]))"
        )
        assert [f"tabmux {agent.session.name}", 2] in sizes
    await until(titles, lambda found: f"tabmux {other.session.name}" not in found)


async def test_every_tab_is_lent_while_the_user_wants_it(lent: Both, agent: Agent) -> None:
    _, user = lent
    before = await user.open(agent.site.page("<title>Before</title>"))
    await user.wish("shareAll", wanted=True)
    after = await user.open(agent.site.page("<title>After</title>"))
    await until(
        lambda: agent("list_pages"), lambda text: all(name in text for name in ("Before", "After"))
    )
    state = await user.wish("shareAll", wanted=False)
    assert not {before, after} & {loan["tabId"] for loan in state["tabs"]}
    assert "Before" not in await agent("list_pages")


async def test_server_can_call_a_command_as_a_tool(lent: Both, agent: Agent) -> None:
    server, user = lent
    await agent.open("<title>Tooled</title>")
    loans = (await user.wish("look"))["tabs"]
    number = next(loan["tabId"] for loan in loans if loan["title"] == "Tooled")
    link = server.bridge.links["everyday"]
    results: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    stop = link.on_message(lambda m: results.put_nowait(m) if m["type"] == "toolResult" else None)
    call = {"type": "callTool", "tabId": number}
    link.send({**call, "callId": "1", "toolName": "js.execute", "args": {"code": "document.title"}})
    link.send({**call, "callId": "2", "toolName": "nonsense", "args": {}})
    async with asyncio.timeout(SECONDS):
        found = {
            message["callId"]: message for message in (await results.get(), await results.get())
        }
    stop()
    assert found["1"]["result"]["result"] == "Tooled"
    assert "nonsense" in found["2"]["error"]


@pytest.mark.parametrize(
    "method", ["Network.getAllCookies", "Storage.getCookies", "Target.getTargets"]
)
async def test_lent_tab_is_one_tab_and_not_the_whole_profile(
    lent: Both, agent: Agent, method: str
) -> None:
    await agent.open("<title>Curious</title>")
    (page,) = agent.session.pages.values()
    with pytest.raises(ProtocolFault):
        await page.attached_page.channel.call(method)


async def test_isolated_contexts_are_refused_in_words(agent: Agent) -> None:
    code, text = await agent.fails("new_page", url="about:blank", isolatedContext="one")
    assert code == "not_in_this_browser"
    assert "isolatedContext" in text


async def test_script_without_end_crashes_its_tab_which_a_reload_brings_back(agent: Agent) -> None:
    await agent.open("<title>Alive</title>")
    await agent.fails("evaluate_script", function="() => { while (true) {} }", timeout=100)
    code, _ = await agent.fails("evaluate_script", function="() => 1")
    assert code == "page_crashed"
    assert "Alive" in await agent("navigate_page", type="reload")
    assert await agent.value("document.title") == '"Alive"'


async def test_popup_pairs_shows_stops_and_forgets(site: Site) -> None:
    """The whole of it once, as a user does it: by the popup's own fields and buttons."""
    async with lending() as server, everyday() as user:
        await user.wish("port", port=server.port)
        async with user.popup() as look, Agent.joined(server.app, site) as agent:

            async def shows(part: str, text: str) -> None:
                script = f"document.querySelector('#{part}')?.textContent ?? ''"
                await until(lambda: look(script), lambda found: text in found)

            async def types(code: str) -> None:
                script = f"document.querySelector('#code').value = '{code}'"
                await look(f"{script}; document.querySelector('#pair').requestSubmit()")

            await shows("status", "not paired")
            await types("nonsense")
            await shows("trouble", "not a pairing code")
            await types(server.pairing.offer("mine").code)
            await shows("status", "connected as mine")
            await server.connected()
            await agent.open("<title>Seen</title>")
            await shows("tabs", "Seen")
            await look("document.querySelector('#stop').click()")
            await shows("status", "stopped")
            assert (await agent.fails("take_snapshot"))[0] == "browser_unreachable"
            await look("document.querySelector('#start').click()")
            await shows("status", "connected as mine")
            await server.connected(2)
            await agent("new_page", url="about:blank")
            await look("document.querySelector('#unpair').click()")
            await shows("status", "not paired")
        assert not server.bridge.links
