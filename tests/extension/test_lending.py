"""The user decides: which tabs are lent, and when they are taken back."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from tabmux.errors import ProtocolFault
from tests.agent import Agent
from tests.extension.everyday_browser import EverydayBrowser, everyday
from tests.extension.lending_server import SECONDS, LendingServer, lending
from tests.ports import free_port
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
    await user.act("lend", tabId=number)
    listed = await until(lambda: agent("list_pages"), lambda text: "Shared" in text)
    page = int(next(line for line in listed.split("\n") if "Shared" in line).partition(":")[0])
    assert (await agent.fails("take_snapshot", pageId=page))[0] == "not_attached"
    await agent("select_page", pageId=page)
    assert "Shared" in await agent("take_snapshot")
    await user.act("takeBack", tabId=number)
    await until(lambda: agent("list_pages"), lambda text: "Shared" not in text)
    assert (await agent.fails("take_snapshot", pageId=page))[0] == "no_such_page"
    assert await user.in_worker(f"chrome.tabs.get({number}).then((tab) => tab.title)") == "Shared"


async def test_agents_own_tab_can_be_taken_back_too(lent: Both, agent: Agent) -> None:
    _, user = lent
    await agent.open("<title>Working</title>")
    (page,) = agent.session.pages
    loans = (await user.act("look"))["tabs"]
    number = next(loan["tabId"] for loan in loans if loan["title"] == "Working")
    await user.act("takeBack", tabId=number)
    assert (await agent.fails("take_snapshot", pageId=page))[0] == "no_such_page"
    group = await user.in_worker(f"chrome.tabs.get({number}).then((tab) => tab.groupId)")
    assert group == -1


async def taken_back(user: EverydayBrowser, title: str) -> None:
    loans = (await user.act("look"))["tabs"]
    number = next(loan["tabId"] for loan in loans if loan["title"] == title)
    await user.act("takeBack", tabId=number)


async def closed(user: EverydayBrowser, title: str) -> None:
    tab = next(target for target in await user.targets() if target["title"] == title)
    await user.channel.call("Target.closeTarget", {"targetId": tab["targetId"]})


@pytest.mark.parametrize(
    ("end", "words"), [(taken_back, "the user took it back"), (closed, "it was closed")]
)
@pytest.mark.parametrize("others", [0, 1])
async def test_call_after_the_selected_tab_was_taken_fails_once_and_says_who_took_it(
    lent: Both,
    agent: Agent,
    end: Callable[[EverydayBrowser, str], Awaitable[None]],
    words: str,
    others: int,
) -> None:
    _, user = lent
    for _ in range(others):
        await agent("new_page", url="about:blank")
    title = f"Taken {secrets.token_hex(4)}"  # one that was taken back stays open
    await agent("new_page", url=agent.site.page(f"<title>{title}</title><button>Go</button>"))
    await agent("take_snapshot")
    page = agent.session.pages[max(agent.session.pages)]
    await end(user, title)
    assert await page.signal.until(lambda: page.id not in agent.session.pages, SECONDS)
    code, text = await agent.fails("click", uid=agent.uid("button"))
    assert code == "page_gone"
    assert words in text
    assert len(agent.session.pages) == others
    await agent("take_snapshot")


async def test_call_without_a_uid_does_not_work_on_a_new_tab_either(
    lent: Both, agent: Agent
) -> None:
    _, user = lent
    await agent.open("<title>Taken</title>")
    (page,) = agent.session.pages.values()
    await taken_back(user, "Taken")
    assert await page.signal.until(lambda: not agent.session.pages, SECONDS)
    code, text = await agent.fails("take_snapshot")
    assert code == "page_gone"
    assert "the user took it back" in text
    assert not agent.session.pages


async def test_tab_that_the_agent_closes_itself_is_no_surprise(agent: Agent) -> None:
    await agent("new_page", url="about:blank")
    await agent("new_page", url="about:blank")
    await agent("close_page", pageId=max(agent.session.pages))
    await agent("take_snapshot")


async def test_lent_tab_shows_which_session_uses_it(lent: Both, agent: Agent) -> None:
    server, user = lent
    number = await user.open(agent.site.page("<title>Watched</title>"))

    async def badge() -> Any:
        return await user.in_worker(f"chrome.action.getBadgeText({{tabId: {number}}})")

    async def session() -> Any:
        loans = (await user.act("look"))["tabs"]
        return next(loan["session"] for loan in loans if loan["tabId"] == number)

    await user.act("lend", tabId=number)
    async with Agent.joined(server.app, agent.site) as other:
        listed = await until(lambda: other("list_pages"), lambda text: "Watched" in text)
        line = next(line for line in listed.split("\n") if "Watched" in line)
        assert await session() == ""
        await other("select_page", pageId=int(line.partition(":")[0]))
        name = other.session.visible_name
        await until(session, lambda found: found == name)
        await until(badge, lambda found: found == name)
        assert other.session.handle not in str(await user.act("look"))
        await other("navigate_page", type="reload")
        await until(badge, lambda found: found == name)
    await until(session, lambda found: found == "")
    await until(badge, lambda found: found != name)
    await user.act("takeBack", tabId=number)


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
    await user.act("shareAll", wanted=True)
    after = await user.open(agent.site.page("<title>After</title>"))
    await until(
        lambda: agent("list_pages"), lambda text: all(name in text for name in ("Before", "After"))
    )
    state = await user.act("shareAll", wanted=False)
    assert not {before, after} & {loan["tabId"] for loan in state["tabs"]}
    assert "Before" not in await agent("list_pages")


async def test_server_can_call_a_command_as_a_tool(lent: Both, agent: Agent) -> None:
    server, user = lent
    await agent.open("<title>Tooled</title>")
    loans = (await user.act("look"))["tabs"]
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
        await user.act("port", port=server.port)
        async with user.popup() as look, Agent.joined(server.app, site) as agent:

            async def shows(part: str, text: str) -> None:
                script = f"document.querySelector('#{part}')?.textContent ?? ''"
                await until(lambda: look(script), lambda found: text in found)

            async def types(code: str) -> None:
                script = f"document.querySelector('#code').value = '{code}'"
                await look(f"{script}; document.querySelector('#pair').requestSubmit()")

            await shows("status", "not paired")
            await until(lambda: look("document.activeElement.id"), lambda found: found == "code")
            await types("nonsense")
            await shows("trouble", "not a pairing code")
            await types("0" * 20)
            await shows("trouble", "code is wrong")
            server.pairing.offer("other")
            await types("0" * 20)
            await shows("trouble", "code is wrong")
            await shows("status", "not paired")
            await types(server.pairing.offer("mine").code)
            await shows("status", "connected as mine")
            await server.connected()
            await agent.open("<title>Seen</title>")
            await shows("tabs", "Seen")
            await shows("tabs", f"session {agent.session.visible_name}")
            await look("document.querySelector('#stop').click()")
            await shows("status", "stopped")
            # The tab was taken back, and then the browser went.
            code, _ = await agent.fails("take_snapshot")
            assert code in ("page_gone", "browser_unreachable")
            await look("document.querySelector('#start').click()")
            await shows("status", "connected as mine")
            await server.connected(2)
            # The connection before it may be there for a moment more.
            opened = partial(agent.reply, "new_page", url="about:blank")
            await until(opened, lambda reply: not reply.failed)
            await look("document.querySelector('#unpair').click()")
            await shows("status", "not paired")
        assert not server.bridge.links


async def test_popup_lends_the_tab_in_front_and_takes_it_back(lent: Both, agent: Agent) -> None:
    _, user = lent
    before = await user.front()
    numbers = [await user.open(agent.site.page("<title>Same</title>")) for _ in range(2)]
    await user.act("lend", tabId=numbers[0])
    await user.in_worker(
        f"chrome.tabs.update({numbers[1]}, {{active: true}})"
        ".then((tab) => chrome.windows.update(tab.windowId, {focused: true}))"
    )
    await until(user.front, lambda front: front == numbers[1])
    async with user.popup() as look:

        async def says(text: str) -> None:
            script = "document.querySelector('#lend').textContent"
            await until(lambda: look(script), lambda found: found == text)

        # The buttons are there once the worker has answered.
        await until(lambda: look("document.querySelectorAll('li').length"), bool)
        await says("Lend this tab")
        await look("document.querySelector('#lend').click()")
        await says("Take this tab back")
        names = await look("[...document.querySelectorAll('li button')].map((b) => b.ariaLabel)")
        assert len(set(names)) == len(names) >= 2
        assert all("Take back" in name for name in names)
        await look("document.querySelector('#lend').click()")
        await says("Lend this tab")
    await user.act("takeBack", tabId=numbers[0])
    await user.in_worker(f"chrome.tabs.update({before}, {{active: true}})")


async def test_popup_tells_a_server_that_does_not_run_from_a_port_that_is_another_s(
    site: Site,
) -> None:
    async with lending() as server, everyday() as user:
        await server.pair(user)
        async with user.popup() as look:

            async def shows(part: str, text: str) -> None:
                script = f"document.querySelector('#{part}').textContent"
                await until(lambda: look(script), lambda found: text in found)

            await user.act("port", port=free_port())
            await shows("status", "not running")
            await shows("help", "Nothing listens on port")
            await user.act("port", port=site.port)
            await shows("status", "wrong port")
            await shows("help", f"Another program answers on port {site.port}")
            await user.act("port", port=server.port)
            await shows("status", "connected as everyday")
            assert await look("document.querySelector('#help').hidden")


async def test_user_points_at_an_element_of_a_lent_tab(lent: Both, agent: Agent) -> None:
    _, user = lent
    number = await user.open(agent.site.page("<title>Point here</title><button>Buy</button>"))
    await user.act("lend", tabId=number)
    listed = await until(lambda: agent("list_pages"), lambda text: "Point here" in text)
    page = int(next(line for line in listed.split("\n") if "Point here" in line).partition(":")[0])
    await agent("select_page", pageId=page)
    await agent("take_snapshot")
    await user.act("point", tabId=number, sentence="This one")

    handle = agent.session.pages[page]
    place = {"x": 20, "y": 18, "button": "left", "clickCount": 1}
    async with asyncio.timeout(SECONDS):
        while not agent.session.steering.notes:
            for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
                handle.attached_page.channel.send(
                    "Input.dispatchMouseEvent", {"type": kind, **place}
                )
            await handle.signal.wait(0.2)
    text = await agent("list_pages")
    assert "says: “This one”" in text
    assert 'button "Buy"' in text
    await user.act("takeBack", tabId=number)


async def test_badge_says_that_an_agent_asks_for_help(lent: Both, agent: Agent) -> None:
    server, user = lent
    agent.session.enable(["human"])
    number = await user.open(agent.site.page("<title>Pay here</title><button>Buy</button>"))
    await user.act("lend", tabId=number)
    listed = await until(lambda: agent("list_pages"), lambda text: "Pay here" in text)
    page = int(next(line for line in listed.split("\n") if "Pay here" in line).partition(":")[0])
    await agent("select_page", pageId=page)
    await agent("request_human", reason="Pay, please", sliceMilliseconds=1)
    badge = f"chrome.action.getBadgeText({{tabId: {number}}})"
    await until(lambda: user.in_worker(badge), lambda text: text == "!")
    people = server.app.services.people
    people.end(people.open_ones()[-1], "done")
    await until(lambda: user.in_worker(badge), lambda text: text != "!")
    await user.act("takeBack", tabId=number)
