from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabmux.settings import Settings
from tabmux.tools.pipeline import catalog
from tests.agent import Agent
from tests.serving import running
from tests.site import Site

EVERYTHING = ",".join(f"+{group}" for group in catalog.GROUPS)


@asynccontextmanager
async def started(site: Site, **flags: object) -> AsyncIterator[Agent]:
    settings = Settings(launch=True, headless=True, isolated=True, tools=EVERYTHING, **flags)  # type: ignore[arg-type]
    async with running(settings) as app, Agent.joined(app, site) as agent:
        yield agent


async def test_without_scripts_no_tool_runs_what_the_agent_wrote(site: Site) -> None:
    async with started(site, no_javascript_evaluation=True) as agent:
        tools = await agent.tools()
        for name in ("evaluate_script", "route_requests", "install_extension"):
            assert name not in tools
        assert "initScript" not in tools["navigate_page"]["inputSchema"]["properties"]
        assert "click" in tools
        code, text = await agent.fails("evaluate_script", function="() => 1")
        assert code == "refused_by_policy"
        assert "--no-javascript-evaluation" in text
        assert (await agent.fails("navigate_page", url="http://x/", initScript="1"))[0] == code
        assert (await agent.fails("navigate_page", url="data:text/html,<script>1</script>"))[
            0
        ] == code
        step = {"tool": "evaluate_script", "arguments": {"function": "() => 1"}}
        assert "is switched off" in (await agent.fails("batch", steps=[step]))[1]


async def test_read_only_agents_look_but_do_not_act(site: Site) -> None:
    async with started(site, read_only=True) as agent:
        tools = await agent.tools()
        for name in ("click", "fill", "type_text", "upload_file", "evaluate_script", "set_cookie",
                     "connect_browser", "handle_dialog", "drag"):  # fmt: skip
            assert name not in tools
        assert {"take_snapshot", "navigate_page", "list_network_requests", "batch"} <= set(tools)
        code, text = await agent.fails("click", uid="a1_1")
        assert code == "refused_by_policy"
        assert "--read-only" in text
        await agent("navigate_page", url=site.page("<h1>Seen</h1>"))
        assert 'heading "Seen"' in await agent("take_snapshot")
        step = {"tool": "click", "arguments": {"uid": 'heading "Seen"'}}
        assert "is switched off" in (await agent.fails("batch", steps=[step]))[1]


async def test_enabling_a_group_does_not_bring_refused_tools_back(site: Site) -> None:
    settings = Settings(launch=True, headless=True, isolated=True, read_only=True)
    async with running(settings) as app, Agent.joined(app, site) as agent:
        await agent("enable_tools", groups=["storage"])
        assert "set_cookie" not in await agent.tools()


async def test_headers_are_hidden_as_the_user_says(site: Site) -> None:
    page = site.page("<h1>Page</h1>")
    ask = f"() => fetch('{page}', {{headers: {{'x-mine': 'private', authorization: 'secret'}}}})"
    for flags, mine, usual in ((("x-mine",), False, False), (("off",), True, True)):
        async with started(site, redact_headers=flags) as agent:
            await agent("navigate_page", url=page)
            await agent("evaluate_script", function=ask)
            ident = (
                (await agent("list_network_requests", resourceTypes=["fetch"]))
                .split("reqid=")[1]
                .split()[0]
            )
            text = await agent("get_network_request", reqid=int(ident))
            assert ("private" in text, "secret" in text) == (mine, usual)
