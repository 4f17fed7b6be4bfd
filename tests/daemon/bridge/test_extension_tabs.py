"""The focus toolset over the messages of a scripted extension, and its nine edge cases."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from websockets.asyncio.client import connect

from tabmux.concurrency import Signal, TaskOwner
from tabmux.content import Reply
from tabmux.daemon.bridge.extension_tabs import ExtensionTabs
from tabmux.daemon.bridge.local_bridge import LocalBridge
from tabmux.daemon.bridge.tab_owners import TabOwners
from tabmux.daemon.http.token_file import read_or_make, token_file
from tabmux.focus.focus_toolset import FocusToolset
from tabmux.focus.tab_source import TabSource
from tabmux.policy.policy import Policy
from tabmux.policy.url_policy import UrlPolicy
from tabmux.settings import Settings
from tabmux.tools.pipeline.delivery import delivered
from tabmux.tools.pipeline.saved_replies import SavedReplies
from tests.agent import Agent
from tests.bridge.scripted_extension import ScriptedExtension
from tests.bridge.served_bridge import SECONDS, ExtensionClient, ServedBridge
from tests.serving import running
from tests.site import Site

MAIL = {"id": 1, "title": "Inbox", "url": "https://mail.example/", "toolCount": 1}
FLY = {"id": 2, "title": "Flights", "url": "https://fly.example/", "toolCount": 1}
CORE = ["list_tabs", "open_tab", "focus_tab"]


class Player:
    """An agent's session in the focus toolset, over extensions of a bridge."""

    def __init__(
        self,
        served: ServedBridge,
        background: TaskOwner,
        owners: TabOwners,
        *,
        follows: bool = False,
        act_seconds: float = SECONDS,
        policy: Policy = Policy(),  # noqa: B008 frozen
    ) -> None:
        local = cast(LocalBridge, SimpleNamespace(current=served.bridge))
        tabs: TabSource = ExtensionTabs(local, owners, act_seconds, lambda: policy)
        self.toolset = FocusToolset([tabs], UrlPolicy().check, background, follows=follows)
        self.changes, self._signal = 0, Signal()
        self.toolset.on_changed(self._changed)

    def _changed(self) -> None:
        self.changes += 1
        self._signal.notify()

    @property
    def tools(self) -> list[str]:
        return [spec.name for spec in self.toolset.specs()]

    async def reply(self, tool: str, **arguments: Any) -> Reply:
        return await self.toolset.call(tool, arguments)

    async def __call__(self, tool: str, **arguments: Any) -> Any:
        reply = await delivered(
            await self.reply(tool, **arguments), Policy(fence=False), SavedReplies()
        )
        assert not reply.failed, reply.text
        return json.loads(reply.text)

    async def tabs(self) -> list[int]:
        return [tab["id"] for tab in (await self("list_tabs"))["tabs"]]

    async def until_changed(self, times: int) -> None:
        assert await self._signal.until(lambda: self.changes >= times, SECONDS)


@pytest.fixture
async def background() -> AsyncIterator[TaskOwner]:
    async with TaskOwner() as background:
        yield background


@pytest.fixture
def owners() -> TabOwners:
    return TabOwners()


@pytest.fixture
def player(served: ServedBridge, background: TaskOwner, owners: TabOwners) -> Player:
    return Player(served, background, owners)


@pytest.fixture
def other(served: ServedBridge, background: TaskOwner, owners: TabOwners) -> Player:
    return Player(served, background, owners)


async def test_the_whole_way_through_the_states_by_messages(
    served: ServedBridge, player: Player
) -> None:
    async with ScriptedExtension.joined(served) as stub:
        seen = [player.tools]
        connected = await player("connect_browser")
        seen.append(player.tools)
        opened = await player("open_tab", url="https://mail.example/", focus=False)
        seen.append(player.tools)
        focused = await player("focus_tab", tabId=100)
        seen.append(player.tools)
        found = await player("search_inbox", query="bills")
        failed = await player.reply("search_inbox", query="fail")
        closed = await player("close_tab")
        seen.append(player.tools)

    assert seen == [
        ["connect_browser"],
        ["list_tabs", "open_tab"],
        CORE,
        [*CORE, "close_tab", "search_inbox"],
        ["list_tabs", "open_tab"],
    ]
    assert connected == {
        "connected": True,
        "browser": {"name": "Chrome", "version": "120.0.0"},
        "tabCount": 0,
    }
    assert opened["tab"] == {"id": 100, "title": "Loading...", "url": "https://mail.example/"}
    assert focused["toolsAvailable"] == ["search_inbox"]
    assert found == {"found": 3}
    assert failed.code == "tool_failed"
    assert failed.text == Reply(failed.text.splitlines()[0]).quote("The page has changed.").text
    assert failed.text.startswith("Error [tool_failed]: search_inbox failed.")
    assert closed == {"closed": True, "tabId": 100}
    assert [_plain(message) for message in stub.asked] == [
        {"type": "connect", "launch": False},
        {"type": "openTab", "url": "https://mail.example/", "focus": False},
        {"type": "focusTab", "tabId": 100},
        {"type": "callTool", "tabId": 100, "toolName": "search_inbox", "args": {"query": "bills"}},
        {"type": "callTool", "tabId": 100, "toolName": "search_inbox", "args": {"query": "fail"}},
        {"type": "closeTab", "tabId": 100},
    ]


async def test_without_an_extension_no_browser_is_found(player: Player) -> None:
    reply = await player.reply("connect_browser")

    assert json.loads(reply.text)["error"] == "No browser found"
    assert player.tools == ["connect_browser"]


async def test_1_an_extension_that_connects_is_ready_for_connect_browser(
    served: ServedBridge, player: Player
) -> None:
    async with ScriptedExtension.joined(served, MAIL, FLY):
        before = player.tools, player.changes
        assert (await player("connect_browser"))["tabCount"] == 2

    assert before == (["connect_browser"], 0)


async def test_2_when_the_extension_disconnects_so_does_the_session(
    served: ServedBridge, player: Player
) -> None:
    async with ScriptedExtension.joined(served, MAIL):
        await player("connect_browser")
        await player("focus_tab", tabId=1)
        assert player.changes == 2
    await player.until_changed(3)

    assert player.tools == ["connect_browser"]


async def test_2_an_extension_that_says_goodbye_is_gone_at_once(
    served: ServedBridge, player: Player
) -> None:
    async with ScriptedExtension.joined(served, MAIL) as stub:
        await player("connect_browser")
        await stub.say("disconnected")
        await player.until_changed(2)

        assert player.tools == ["connect_browser"]


async def test_3_when_the_user_closes_the_focused_tab_its_tools_go(
    served: ServedBridge, player: Player
) -> None:
    async with ScriptedExtension.joined(served, MAIL, FLY) as stub:
        await player("connect_browser")
        await player("focus_tab", tabId=1)
        await stub.say("tabClosed", tabId=1)
        await player.until_changed(3)

        assert player.tools == CORE
        assert (await player("list_tabs"))["focusedTabId"] is None


async def test_4_a_tab_that_the_user_opens_is_listed_without_a_notification(
    served: ServedBridge, player: Player
) -> None:
    async with ScriptedExtension.joined(served, MAIL) as stub:
        await player("connect_browser")
        await stub.say("tabCreated", tab=FLY)
        await stub.is_heard()

        assert await player.tabs() == [1, 2]
        assert player.changes == 1


async def test_5_the_users_focus_is_followed_only_where_that_is_configured(
    served: ServedBridge, player: Player, background: TaskOwner, owners: TabOwners
) -> None:
    follower = Player(served, background, owners, follows=True)
    third = {"id": 3, "title": "News", "url": "https://news.example/"}
    async with ScriptedExtension.joined(served, MAIL, FLY, third) as stub:
        for tab, each in ((1, player), (3, follower)):
            await each("connect_browser")
            await each("focus_tab", tabId=tab)
        tools = [{"name": "search_flights", "description": ""}]
        await stub.say("tabFocused", tabId=2, tools=tools)
        await follower.until_changed(3)

        assert follower.tools == [*CORE, "close_tab", "search_flights"]
        assert (player.tools, player.changes) == ([*CORE, "close_tab", "search_inbox"], 2)


async def test_6_a_page_that_navigates_is_told_of_only_if_its_tools_change(
    served: ServedBridge, player: Player
) -> None:
    async with ScriptedExtension.joined(served, MAIL) as stub:
        await player("connect_browser")
        await player("focus_tab", tabId=1)
        same = [{"name": "search_inbox", "description": "Search emails", "inputSchema": _INBOX}]
        await stub.say("tabUpdated", tab={**MAIL, "title": "Sent"})
        await stub.say("toolsChanged", tabId=1, tools=same)
        await stub.is_heard()
        title = (await player("list_tabs"))["tabs"][0]["title"]
        unchanged = player.changes
        await stub.say("toolsChanged", tabId=1, tools=[{"name": "compose", "description": "Write"}])
        await player.until_changed(3)

        assert (title, unchanged) == ("Sent", 2)
        assert player.tools == [*CORE, "close_tab", "compose"]


@pytest.mark.parametrize("focused", [True, False])
async def test_7_a_crashed_tab_is_removed_and_told_of_if_it_was_focused(
    served: ServedBridge, player: Player, focused: bool
) -> None:
    async with ScriptedExtension.joined(served, MAIL, FLY) as stub:
        await player("connect_browser")
        await player("focus_tab", tabId=1 if focused else 2)
        await stub.say("tabCrashed", tabId=1)
        await stub.is_heard()

        assert await player.tabs() == [2]
        assert player.changes == (3 if focused else 2)


async def test_8_focusing_a_tab_that_does_not_exist_changes_nothing(
    served: ServedBridge, player: Player
) -> None:
    async with ScriptedExtension.joined(served, MAIL) as stub:
        await player("connect_browser")
        await player("focus_tab", tabId=1)
        reply = await player.reply("focus_tab", tabId=99)

        assert reply.code == "no_such_tab"
        assert (player.changes, player.toolset.state.focused) == (2, 1)
        assert [message["type"] for message in stub.asked] == ["connect", "focusTab"]


@pytest.mark.parametrize(
    "url", ["no url", "file:///etc/passwd", "javascript:1", "https://refused/"]
)
async def test_9_opening_an_invalid_url_changes_nothing(
    served: ServedBridge, player: Player, url: str
) -> None:
    async with ScriptedExtension.joined(served, MAIL):
        await player("connect_browser")
        reply = await player.reply("open_tab", url=url)
        tabs = await player.tabs()

    assert reply.failed
    assert tabs == [1]


async def test_a_tab_that_was_sent_on_to_another_address_is_still_the_one_that_was_opened(
    served: ServedBridge, player: Player
) -> None:
    async with ScriptedExtension.joined(served) as stub:
        stub.redirects["https://mail.example/old"] = "https://mail.example/"
        await player("connect_browser")
        opened = await player("open_tab", url="https://mail.example/old")

    assert opened["tab"]["url"] == "https://mail.example/"
    assert opened["toolsAvailable"] == ["search_inbox"]


async def test_a_tab_of_the_users_is_not_taken_for_the_one_that_was_opened(
    served: ServedBridge, player: Player
) -> None:
    async with ScriptedExtension.joined(served) as stub:
        answer = stub._openTab

        async def open_late(message: dict[str, Any]) -> None:
            await stub.say("tabCreated", tab=FLY)
            await answer(message)

        stub._openTab = open_late  # type: ignore[method-assign]
        await player("connect_browser")
        opened = await player("open_tab", url="https://mail.example/")

    assert opened["tab"]["id"] == 100


@pytest.mark.parametrize("focus", [True, False])
async def test_the_extension_is_told_whether_the_tab_gets_the_focus(
    served: ServedBridge, player: Player, focus: bool
) -> None:
    async with ScriptedExtension.joined(served) as stub:
        await player("connect_browser")
        await player("open_tab", url="https://mail.example/", focus=focus)

    opening = next(each for each in stub.asked if each["type"] == "openTab")
    assert opening["focus"] is focus


async def test_an_extension_that_tells_of_the_focus_once_is_not_asked_for_it_again(
    served: ServedBridge, player: Player
) -> None:
    async with ScriptedExtension.joined(served) as stub:

        async def open_in_front(message: dict[str, Any]) -> None:
            await stub.say("tabFocused", tabId=1, tools=[{"name": "compose", "description": ""}])
            await stub.say("tabCreated", tab=MAIL)

        stub._openTab = open_in_front  # type: ignore[method-assign]
        stub._focusTab = stub._ignore  # type: ignore[method-assign]
        await player("connect_browser")
        opened = await player("open_tab", url="https://mail.example/")

    assert opened["toolsAvailable"] == ["compose"]


async def test_a_tab_that_closes_as_soon_as_it_is_open_is_gone(
    served: ServedBridge, player: Player
) -> None:
    async with ScriptedExtension.joined(served) as stub:
        answer = stub._openTab

        async def open_and_close(message: dict[str, Any]) -> None:
            await answer(message)
            await stub.say("tabClosed", tabId=100)

        stub._openTab = open_and_close  # type: ignore[method-assign]
        await player("connect_browser")
        reply = await player.reply("open_tab", url="https://mail.example/")
        await stub.is_heard()

        assert reply.code in ("page_gone", "no_such_tab")
        assert player.tools == ["list_tabs", "open_tab"]


async def test_a_call_fails_at_once_when_the_extension_goes(
    served: ServedBridge, player: Player
) -> None:
    async with ScriptedExtension.joined(served, MAIL) as stub:
        stub._callTool = stub._hang_up  # type: ignore[method-assign]
        await player("connect_browser")
        await player("focus_tab", tabId=1)
        async with asyncio.timeout(SECONDS):
            reply = await player.reply("search_inbox", query="x")

    assert reply.code == "browser_gone"


async def test_a_tab_that_a_session_uses_is_no_other_session_s(
    served: ServedBridge, player: Player, other: Player
) -> None:
    async with ScriptedExtension.joined(served, MAIL, FLY) as stub:
        for each in (player, other):
            await each("connect_browser")
        await player("open_tab", url="https://mail.example/", focus=False)
        await player("focus_tab", tabId=1)
        await other("focus_tab", tabId=2)
        asked = len(stub.asked)
        seen = await player.tabs(), await other.tabs()
        refused = [
            await other.reply("focus_tab", tabId=1),
            await other.reply("focus_tab", tabId=100),
            await other.reply("close_tab", tabId=1),
        ]

        assert seen == ([1, 100], [2])
        assert [reply.code for reply in refused] == ["owned_by_other_session"] * 3
        assert len(stub.asked) == asked
        assert await player("search_inbox", query="bills") == {"found": 3}


async def test_a_session_that_ends_leaves_its_tabs_to_the_others(
    served: ServedBridge, player: Player, other: Player
) -> None:
    async with ScriptedExtension.joined(served, MAIL):
        await player("connect_browser")
        await player("focus_tab", tabId=1)
        await other("connect_browser")
        before = await other.tabs(), other.tools
        player.toolset.close()
        await other.until_changed(2)

        assert before == ([], ["list_tabs", "open_tab"])
        assert (await other.tabs(), other.tools) == ([1], CORE)
        assert (await other("focus_tab", tabId=1))["toolsAvailable"] == ["search_inbox"]


async def test_a_tab_that_could_not_be_focused_stays_free(
    served: ServedBridge, player: Player, other: Player
) -> None:
    async with ScriptedExtension.joined(served, MAIL) as stub:
        for each in (player, other):
            await each("connect_browser")
        answer = stub._focusTab

        async def refuse(message: dict[str, Any]) -> None:
            await stub.say("error", message="Not now.")

        stub._focusTab = refuse  # type: ignore[method-assign]
        refused = await player.reply("focus_tab", tabId=1)
        stub._focusTab = answer  # type: ignore[method-assign]

        assert refused.code == "page_trouble"
        assert (await other("focus_tab", tabId=1))["success"] is True


async def test_sessions_that_open_the_same_address_at_once_get_a_tab_each(
    served: ServedBridge, player: Player, other: Player
) -> None:
    async with ScriptedExtension.joined(served):
        for each in (player, other):
            await each("connect_browser")
        opened = await asyncio.gather(
            player("open_tab", url="https://mail.example/"),
            other("open_tab", url="https://mail.example/"),
        )
        tabs = await player.tabs(), await other.tabs()

    assert sorted(each["tab"]["id"] for each in opened) == [100, 101]
    assert tabs == ([opened[0]["tab"]["id"]], [opened[1]["tab"]["id"]])


async def test_the_focus_is_not_followed_into_another_session_s_tab(
    served: ServedBridge, player: Player, background: TaskOwner, owners: TabOwners
) -> None:
    follower = Player(served, background, owners, follows=True)
    async with ScriptedExtension.joined(served, MAIL, FLY) as stub:
        for each in (follower, player):
            await each("connect_browser")
        await follower("focus_tab", tabId=2)
        await player("focus_tab", tabId=1)
        await stub.is_heard()
        await background.idle()

        assert follower.toolset.state.focused == 2


async def test_only_the_tools_that_a_tab_lists_are_called_with_arguments_that_fit(
    served: ServedBridge, player: Player
) -> None:
    async with ScriptedExtension.joined(served, MAIL) as stub:
        await player("connect_browser")
        await player("focus_tab", tabId=1)
        failed = [
            await player.reply("no_such_tool"),
            await player.reply("browser_navigate", url="https://a.example/"),
            await player.reply("call_page_tool", name="no_such_tool"),
            await player.reply("search_inbox"),
            await player.reply("search_inbox", query=7),
        ]

        assert [reply.code for reply in failed] == ["unknown_tool"] * 3 + ["bad_arguments"] * 2
        assert all(reply.text.startswith(f"Error [{reply.code}]: ") for reply in failed)
        assert "callTool" not in [message["type"] for message in stub.asked]


async def test_no_secret_is_given_to_a_tool_that_the_extension_calls(
    served: ServedBridge, player: Player
) -> None:
    async with ScriptedExtension.joined(served, MAIL) as stub:
        await player("connect_browser")
        await player("focus_tab", tabId=1)
        reply = await player.reply("search_inbox", query="$secret:shop.password")

        assert reply.code == "refused_by_policy"
        assert "callTool" not in [message["type"] for message in stub.asked]


async def test_no_extension_is_used_where_addresses_are_restricted(
    served: ServedBridge, background: TaskOwner, owners: TabOwners
) -> None:
    policy = Policy(urls=UrlPolicy.of(deny=["10.*"]))
    held = Player(served, background, owners, policy=policy)
    async with ScriptedExtension.joined(served, MAIL):
        assert (await held.reply("connect_browser")).code == "browser_unreachable"


async def test_an_extension_that_does_not_answer_is_a_deadline_with_advice(
    served: ServedBridge, background: TaskOwner, owners: TabOwners
) -> None:
    hasty = Player(served, background, owners, act_seconds=0.05)
    async with ScriptedExtension.joined(served, MAIL) as stub:
        stub._focusTab = stub._ignore  # type: ignore[method-assign]
        await hasty("connect_browser")
        reply = await hasty.reply("focus_tab", tabId=1)

    assert reply.code == "deadline"
    assert "list_tabs" in json.loads(reply.text)["hint"]


_INBOX = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}


def _plain(message: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in message.items() if key != "callId"}


async def test_an_agent_works_with_an_extension_of_messages_over_mcp(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site: Site
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    settings = Settings(toolset="focus", bridge=True, bridge_port=0, no_fence=True)
    async with running(settings) as app, Agent.joined(app, site) as agent:
        assert app.bridge is not None
        assert app.bridge.current is not None
        url = f"ws://127.0.0.1:{app.bridge.current.port}/?token={read_or_make(token_file())}"
        async with connect(url, compression=None, proxy=None) as socket:
            stub = ScriptedExtension(ExtensionClient(socket), [MAIL])
            async with asyncio.TaskGroup() as group:
                answering = group.create_task(stub._answer_all())
                before = set(await agent.tools())
                connected = json.loads(await agent("connect_browser"))
                await agent("focus_tab", tabId=1)
                focused = set(await agent.tools())
                found = await agent("search_inbox", query="bills")
                answering.cancel()

    assert before == {"connect_browser"}
    assert connected["tabCount"] == 1
    assert focused == {*CORE, "close_tab", "search_inbox"}
    assert json.loads(found) == {"found": 3}
