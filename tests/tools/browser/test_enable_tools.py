from __future__ import annotations

import re
from pathlib import Path

from tabmux.browsers.addressed import UrlSpec
from tabmux.daemon.app import App
from tabmux.daemon.client_settings import client_settings
from tabmux.settings import Settings
from tabmux.tools.browser.enable_tools import enable_tools
from tabmux.tools.pipeline import catalog
from tabmux.tools.pipeline.tool import tool_of
from tests.agent import Agent
from tests.mcp.raw_clients import lines, stateless
from tests.serving import running
from tests.site import Site


async def test_group_is_switched_on_for_one_session(app: App, agent: Agent, site: Site) -> None:
    told: list[int] = []
    agent.session.on_tools_changed(lambda: told.append(1))
    assert "list_webmcp_tools" not in await agent.tools()
    code, text = await agent.fails("list_webmcp_tools")
    assert code == "unknown_tool"
    assert 'Call enable_tools with groups ["webmcp"] first.' in text
    text = await agent("enable_tools", groups=["webmcp"])
    assert "webmcp: list_webmcp_tools, " in text
    assert len(told) == 1
    assert "list_webmcp_tools" in await agent.tools()
    assert "No WebMCP" in await agent("list_webmcp_tools")
    async with Agent.joined(app, site) as other:
        assert "list_webmcp_tools" not in await other.tools()
    await agent("enable_tools", groups=["webmcp"])
    assert len(told) == 1


async def test_unknown_group_is_refused(agent: Agent) -> None:
    code, text = await agent.fails("enable_tools", groups=["nonsense"])
    assert code == "bad_arguments"
    assert "memory" in text


def test_enable_tools_names_every_group_that_is_off() -> None:
    about = tool_of(enable_tools)
    assert about is not None
    named = re.findall(r"\w+", about.description)
    assert set(catalog.GROUPS) - set(catalog.DEFAULT_GROUPS) <= set(named)


async def test_slim_toolset_is_three_tools(site: Site) -> None:
    for settings in (Settings(toolset="slim"), Settings(slim=True)):
        full = Settings(**{**vars(settings), "launch": True, "headless": True, "isolated": True})
        async with running(full) as app, Agent.joined(app, site) as agent:
            tools = await agent.tools()
            assert list(tools) == ["navigate", "evaluate", "screenshot"]
            assert list(tools["navigate"]["inputSchema"]["properties"]) == ["url"]
            if settings.slim:
                continue
            url = site.page("<title>Page 2</title>")
            assert await agent("navigate", url=url) == f"Navigated to {url}."
            assert '"Page 2"' in await agent("evaluate", script="document.title")
            path = Path(re.search(r"/\S+\.png", await agent("screenshot"))[0])  # type: ignore[index]
            assert path.read_bytes().startswith(b"\x89PNG")
            assert (await agent.fails("navigate", url="http://127.0.0.1:1"))[
                0
            ] == "navigation_failed"


async def test_changes_reach_a_subscription_of_the_stateless_era(site: Site) -> None:
    settings = Settings(toolset="focus", headless=True, isolated=True)
    async with running(settings, bridged=False) as app, lines(app) as client:
        wanted = {"toolsListChanged": True}
        client.send(stateless("sub", "subscriptions/listen", notifications=wanted))
        assert (await client.receive())["method"] == "notifications/subscriptions/acknowledged"
        client.send(stateless(1, "tools/list"))
        listed = await client.answer(1)
        assert [each["name"] for each in listed["result"]["tools"]] == ["connect_browser"]
        call = {"name": "connect_browser", "arguments": {"launch": True}}
        client.send(stateless(2, "tools/call", **call))
        await client.answer(2)
        client.send(stateless(3, "tools/list"))
        listed = await client.answer(3)
        assert [each["name"] for each in listed["result"]["tools"]] == ["list_tabs", "open_tab"]
        heard = [each["method"] for each in client.heard]
        assert heard.count("notifications/tools/list_changed") == 1


async def test_client_without_a_session_sees_the_tools_of_every_state() -> None:
    async with running(Settings(toolset="focus"), bridged=False) as app:
        assert [spec.name for spec in app.tools()] == [
            "connect_browser", "list_tabs", "open_tab", "focus_tab", "close_tab",
            "list_page_tools", "call_page_tool",
        ]  # fmt: skip


async def test_connection_may_ask_for_another_toolset_than_the_daemon_s(app: App) -> None:
    slim, full = app.open(client=client_settings(app.settings, {"slim": True})), app.open()
    assert [spec.name for spec in slim.tools()] == ["navigate", "evaluate", "screenshot"]
    assert "list_page_tools" in [spec.name for spec in full.tools()]
    for session in (slim, full):
        await session.close()


async def test_second_browser_is_no_news_to_the_focus_toolset() -> None:
    async with running(Settings(toolset="focus"), bridged=False) as app:
        session, told = app.open(), []
        session.on_tools_changed(lambda: told.append(1))
        app.browsers.register(UrlSpec("http://127.0.0.1:1"))
        assert told == []
        assert [spec.name for spec in session.tools()] == ["connect_browser"]
