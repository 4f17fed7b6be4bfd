from __future__ import annotations

from tabmux.settings import Settings
from tests.agent import Agent
from tests.serving import running
from tests.site import Site


async def test_pages_of_a_context_go_through_its_proxy(whole: Agent) -> None:
    there = whole.site.page("<title>By proxy</title>").replace(
        whole.site.origin, "http://shop.test"
    )
    text = await whole("create_isolated_context", name="shop", proxyServer=whole.site.origin)
    assert f"go through {whole.site.origin}" in text
    assert "By proxy" in await whole("new_page", url=there, isolatedContext="shop")
    code, _ = await whole.fails("create_isolated_context", name="shop")
    assert code == "bad_request"


async def test_proxy_is_refused_where_addresses_are_restricted(site: Site) -> None:
    settings = Settings(
        launch=True, headless=True, isolated=True, tools="+contexts", deny_url=("evil.test",)
    )
    async with running(settings) as app, Agent.joined(app, site) as agent:
        code, _ = await agent.fails("create_isolated_context", name="x", proxyServer=site.origin)
        assert code == "refused_by_policy"
        await agent("create_isolated_context", name="x")
