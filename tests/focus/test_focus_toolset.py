"""The state machine of the focus toolset, with the browser played by the test."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tabmux.concurrency import TaskOwner
from tabmux.errors import UnknownTool
from tabmux.focus.focus_toolset import FocusToolset
from tabmux.focus.states import FocusStage
from tabmux.policy.url_policy import UrlPolicy
from tests.focus.fake_tabs import FakeTabs, spec

CORE = ["list_tabs", "open_tab", "focus_tab", "close_tab"]


class Client:
    """Calls tools, and counts how often it is told that they have changed."""

    def __init__(self, tabs: FakeTabs, background: TaskOwner, *, follows: bool = False) -> None:
        self.tabs = tabs
        self.background = background
        self.toolset = FocusToolset([tabs], UrlPolicy().check, background, follows=follows)
        self.told = 0
        self.toolset.on_changed(self._count)

    def _count(self) -> None:
        self.told += 1

    def news(self) -> int:
        """Return how often it was told since it last asked."""
        told, self.told = self.told, 0
        return told

    @property
    def names(self) -> list[str]:
        return [each.name for each in self.toolset.specs()]

    async def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        reply = await self.toolset.call(name, arguments)
        assert not reply.failed, reply.text
        found: dict[str, Any] = json.loads(reply.text)
        return found

    async def fails(self, name: str, **arguments: Any) -> str:
        reply = await self.toolset.call(name, arguments)
        assert reply.code is not None
        return reply.code


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    async with TaskOwner() as background:
        yield Client(FakeTabs(), background)


async def test_diagram_is_walked_with_one_notification_a_step(client: Client) -> None:
    assert client.names == ["connect_browser"]
    await client.call("connect_browser")
    assert (client.names, client.news()) == (["list_tabs", "open_tab"], 1)

    opened = await client.call("open_tab", url="https://a.example/")
    assert (client.names, client.news()) == ([*CORE, "click_button", "fill_form"], 1)
    first = opened["tab"]["id"]

    client.tabs.user_opens(500, "star_repo")
    assert client.news() == 0
    await client.call("focus_tab", tabId=500)
    assert (client.names, client.news()) == ([*CORE, "star_repo"], 1)

    await client.call("close_tab")
    assert (client.names, client.news()) == (["list_tabs", "open_tab", "focus_tab"], 1)
    await client.call("focus_tab", tabId=first)
    assert client.news() == 1
    await client.call("close_tab", tabId=first)
    assert (client.names, client.news()) == (["list_tabs", "open_tab"], 1)


async def test_results_have_the_documented_fields(client: Client) -> None:
    client.tabs.user_opens(7, "a", "b")
    assert await client.call("connect_browser") == {
        "connected": True,
        "browser": {"name": "Chrome", "version": "156.0.1"},
        "tabCount": 1,
    }
    tab = {"id": 7, "title": "Tab 7", "url": "https://example.com/"}
    assert await client.call("list_tabs") == {
        "tabs": [{**tab, "focused": False, "toolCount": 2}],
        "focusedTabId": None,
    }
    assert await client.call("focus_tab", tabId=7) == {
        "success": True,
        "tab": tab,
        "toolsAvailable": ["a", "b"],
    }
    assert (await client.call("list_tabs"))["focusedTabId"] == 7
    opened = await client.call("open_tab", url="https://b.example/", focus=False)
    assert opened == {
        "tab": {"id": 8, "title": "Tab 8", "url": "https://b.example/"},
        "focused": False,
        "toolsAvailable": [],
    }
    assert await client.call("close_tab", tabId=8) == {"closed": True, "tabId": 8}


async def test_no_browser_is_answered_with_instructions(client: Client) -> None:
    client.tabs.runs = False
    reply = await client.toolset.call("connect_browser", {})
    assert json.loads(reply.text) == {
        "connected": False,
        "error": "No browser found",
        "instructions": "Please open Chrome with the Browser Tools extension enabled, "
        "or call with launch=true",
    }
    assert reply.failed
    assert (client.names, client.news()) == (["connect_browser"], 0)
    assert (await client.call("connect_browser", launch=True))["connected"] is True
    assert client.news() == 1


async def test_opening_without_focus_tells_nothing_unless_the_state_changes(client: Client) -> None:
    await client.call("connect_browser")
    client.news()
    await client.call("open_tab", url="https://a.example/", focus=False)
    assert (client.names, client.news()) == (["list_tabs", "open_tab", "focus_tab"], 1)
    await client.call("open_tab", url="https://b.example/", focus=False)
    assert client.news() == 0


async def focused(client: Client, *tools: str) -> int:
    client.tabs.user_opens(1, *tools)
    await client.call("connect_browser")
    await client.call("focus_tab", tabId=1)
    client.news()
    return 1


async def test_lost_browser_leads_back_to_the_beginning(client: Client) -> None:
    await focused(client, "star_repo")
    client.tabs.tell("gone")
    assert (client.names, client.news()) == (["connect_browser"], 1)
    assert client.toolset.state.stage is FocusStage.DISCONNECTED


async def test_user_closing_the_focused_tab_takes_its_tools_away(client: Client) -> None:
    await focused(client, "star_repo")
    client.tabs.user_opens(2)
    client.tabs.user_closes(1)
    assert (client.names, client.news()) == (["list_tabs", "open_tab", "focus_tab"], 1)
    assert (await client.call("list_tabs"))["focusedTabId"] is None


async def test_user_opening_a_tab_tells_nothing(client: Client) -> None:
    await focused(client, "star_repo")
    client.tabs.user_opens(2, "other")
    assert client.news() == 0
    assert len((await client.call("list_tabs"))["tabs"]) == 2


async def test_crashed_tab_is_told_of_only_if_it_was_focused(client: Client) -> None:
    await focused(client, "star_repo")
    client.tabs.user_opens(2)
    client.tabs.user_closes(2)
    assert client.news() == 0
    client.tabs.user_closes(1)
    assert client.news() == 1


async def test_navigation_is_told_of_only_when_the_tools_are_others(client: Client) -> None:
    await focused(client, "star_repo")
    client.tabs.page_offers(1, spec("star_repo"))
    assert client.news() == 0
    client.tabs.page_offers(1, spec("star_repo", index={"type": "integer"}))
    assert client.news() == 1
    client.tabs.page_offers(1, spec("fork_repo"))
    assert (client.names[-1], client.news()) == ("fork_repo", 1)


async def test_switch_of_the_user_is_followed_only_if_that_is_wanted(client: Client) -> None:
    await focused(client, "star_repo")
    client.tabs.user_opens(2, "other")
    client.tabs.tell("focus", 2)
    assert client.news() == 0
    assert client.toolset.state.focused == 1


async def test_switch_of_the_user_moves_the_focus_where_it_is_followed() -> None:
    async with TaskOwner() as background:
        client = Client(FakeTabs(), background, follows=True)
        await focused(client, "star_repo")
        client.tabs.user_opens(2, "other")
        client.tabs.tell("focus", 2)
        await background.idle()
        assert (client.names[-1], client.news()) == ("other", 1)
        client.tabs.tell("focus", 2)
        await background.idle()
        assert client.news() == 0


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("focus_tab", {"tabId": 999}),
        ("focus_tab", {"tabId": "1"}),
        ("focus_tab", {}),
        ("close_tab", {"tabId": 999}),
        ("open_tab", {"url": "not a url"}),
        ("open_tab", {"url": "javascript:alert(1)"}),
        ("open_tab", {"url": "https://unreachable.example/"}),
        ("open_tab", {}),
    ],
)
async def test_bad_calls_fail_and_change_nothing(
    client: Client, name: str, arguments: dict[str, Any]
) -> None:
    await focused(client, "star_repo")
    before = client.toolset.state
    await client.fails(name, **arguments)
    assert client.toolset.state == before
    assert client.news() == 0


async def test_focusing_the_focused_tab_tells_nothing(client: Client) -> None:
    await focused(client, "star_repo")
    await client.call("focus_tab", tabId=1)
    assert client.news() == 0


async def test_page_tool_is_called_on_the_focused_tab(client: Client) -> None:
    await focused(client, "star_repo")
    reply = await client.toolset.call("star_repo", {"a": 1})
    assert reply.text == "star_repo done"
    assert client.tabs.called == [("star_repo", {"a": 1})]


async def test_page_tool_is_known_to_be_none_before_the_user_is_asked(client: Client) -> None:
    with pytest.raises(UnknownTool):
        client.toolset.check("star_repo", {})
    await focused(client, "star_repo")
    client.toolset.check("star_repo", {})


async def test_tools_of_other_states_are_refused(client: Client) -> None:
    assert await client.fails("list_tabs") == "unknown_tool"
    await focused(client, "star_repo")
    assert await client.fails("connect_browser") == "unknown_tool"


def test_schemas_are_the_documented_ones() -> None:
    from tabmux.focus import states

    assert states.CONNECT.schema == {
        "type": "object",
        "properties": {
            "launch": {
                "type": "boolean",
                "description": "Launch new browser instance if none found",
                "default": False,
            }
        },
    }
    assert states.LIST.schema == {"type": "object", "properties": {}}
    assert states.OPEN.schema["required"] == ["url"]
    assert states.OPEN.schema["properties"]["focus"]["default"] is True
    assert states.FOCUS.schema == {
        "type": "object",
        "properties": {"tabId": {"type": "number", "description": "ID of the tab to focus"}},
        "required": ["tabId"],
    }
    assert "required" not in states.CLOSE.schema
