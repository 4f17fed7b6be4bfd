from __future__ import annotations

import time
from collections.abc import AsyncIterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tabmux.daemon.app import App
from tabmux.settings import Settings
from tests.agent import Agent
from tests.serving import running
from tests.site import Site


@pytest.fixture(scope="module")
async def routing_desk(anyio_backend: str) -> AsyncIterator[App]:
    settings = Settings(launch=True, headless=True, isolated=True, tools="+interception")
    async with running(settings) as app:
        yield app


@pytest.fixture
async def agent(routing_desk: App, site: Site) -> AsyncIterator[Agent]:
    async with Agent.joined(routing_desk, site) as agent:
        yield agent


async def fetched(agent: Agent, url: str, options: str = "{}") -> str:
    """Return what a fetch in the page gets."""
    return await agent.value(
        f"fetch({url!r}, {options}).then(async (r) => r.status + ' ' + await r.text(), (e) => 'failed')"
    )


def echo(handler: BaseHTTPRequestHandler) -> None:
    """Answer with the method, the header x-mark and the body of the request."""
    text = f"{handler.command} {handler.headers.get('x-mark', '-')}"
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(text)))
    handler.end_headers()
    handler.wfile.write(text.encode())


async def test_group_is_off_by_default(app: App, site: Site) -> None:
    async with Agent.joined(app, site) as usual:
        assert "route_requests" not in await usual.tools()


async def test_blocked_requests_fail_and_others_pass(agent: Agent, site: Site) -> None:
    url = site.page("there")
    await agent("navigate_page", url=site.page("<h1>Page</h1>"))
    await agent("route_requests", action="block", url=f"{url}*")
    assert await fetched(agent, url) == '"failed"'
    assert await fetched(agent, site.page("other")) == '"200 other"'


async def test_answers_come_from_the_rule_and_no_server(agent: Agent, site: Site) -> None:
    await agent("navigate_page", url=site.page("<h1>Page</h1>"))
    await agent(
        "route_requests", action="fulfill", url="*/api/*", status=418, body='{"a": 1}',
        headers={"X-Mine": "yes"},
    )  # fmt: skip
    assert await fetched(agent, f"{site.origin}/api/x") == r'"418 {\"a\": 1}"'
    head = f"fetch('{site.origin}/api/x').then((r) => r.headers.get('content-type') + r.headers.get('x-mine'))"
    assert await agent.value(head) == '"application/jsonyes"'


async def test_answers_may_come_from_a_file(agent: Agent, site: Site, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<title>From the file</title>")
    await agent(
        "route_requests", action="fulfill", url=f"{site.origin}/made-up",
        bodyFile=str(tmp_path / "page.html"),
    )  # fmt: skip
    assert '("From the file")' in await agent("navigate_page", url=f"{site.origin}/made-up")


async def test_requests_are_changed_on_their_way(agent: Agent, site: Site) -> None:
    url, other = site.route(echo), site.route(echo)
    await agent("navigate_page", url=site.page("<h1>Page</h1>"))
    await agent(
        "route_requests", action="modify", url=url, newUrl=other, method="POST", postData="hi",
        headers={"x-mark": "set"},
    )  # fmt: skip
    assert await fetched(agent, url) == '"200 POST set"'


async def test_headers_are_removed_by_an_empty_value(agent: Agent, site: Site) -> None:
    url = site.route(echo)
    await agent("navigate_page", url=site.page("<h1>Page</h1>"))
    await agent("route_requests", action="modify", url=url, headers={"X-Mark": ""})
    assert await fetched(agent, url, "{headers: {'x-mark': 'mine'}}") == '"200 GET -"'


async def test_requests_are_held_up(agent: Agent, site: Site) -> None:
    url = site.page("late")
    await agent("navigate_page", url=site.page("<h1>Page</h1>"))
    await agent("route_requests", action="delay", url=url, delay=400)
    started = time.monotonic()
    assert await fetched(agent, url) == '"200 late"'
    assert time.monotonic() - started >= 0.4


async def test_rule_with_a_number_of_times_ends(agent: Agent, site: Site) -> None:
    url = site.page("there")
    await agent("navigate_page", url=site.page("<h1>Page</h1>"))
    await agent("route_requests", action="block", url=url, times=1)
    assert await fetched(agent, url) == '"failed"'
    assert await fetched(agent, url) == '"200 there"'
    assert await agent("list_routes") == "There are no rules."


async def test_types_and_regular_expressions_narrow_a_rule(agent: Agent, site: Site) -> None:
    url = site.page("there")
    await agent("navigate_page", url=site.page("<h1>Page</h1>"))
    await agent("route_requests", action="block", url="/[0-9]+$/", resourceTypes=["image"])
    assert await fetched(agent, url) == '"200 there"'
    await agent("route_requests", action="block", url="/[0-9]+$/", resourceTypes=["fetch"])
    assert await fetched(agent, url) == '"failed"'


async def test_rules_hold_in_frames_of_other_processes_and_in_workers(
    agent: Agent, site: Site
) -> None:
    url = site.page("real")
    await agent(
        "route_requests",
        action="fulfill",
        url=url,
        body="made up",
        headers={"Access-Control-Allow-Origin": "*"},
    )
    ask = f"fetch('{url}').then((r) => r.text()).then((t) => TELL)"
    frame = site.page(
        f"<script>{ask.replace('TELL', 'parent.postMessage(t, `*`)')}</script>", other=True
    )
    worker = site.page(ask.replace("TELL", "postMessage(t)"), kind="text/javascript")
    await agent("navigate_page", url=site.page(f"""<script>
      window.heard = []; onmessage = (e) => heard.push('frame ' + e.data);
      new Worker('{worker}').onmessage = (e) => heard.push('worker ' + e.data);
    </script><iframe src="{frame}"></iframe>"""))  # fmt: skip
    heard = "new Promise((r) => setInterval(() => heard.length == 2 && r(heard.sort()), 10))"
    assert await agent.value(heard) == '["frame made up","worker made up"]'


async def test_rules_outlive_navigations_and_are_named_until_removed(
    agent: Agent, site: Site
) -> None:
    url = site.page("there")
    await agent("route_requests", action="block", url=url)
    await agent("navigate_page", url=site.page("one"))
    text = await agent("navigate_page", url=site.page("two"))
    assert f"Routing requests by rule 1: block {url}, used 0 times" in text
    assert await fetched(agent, url) == '"failed"'
    assert await agent("unroute_requests") == "Removed 1 rule."
    assert await fetched(agent, url) == '"200 there"'
    assert "Routing" not in await agent("take_snapshot")


async def test_newest_rule_decides(agent: Agent, site: Site) -> None:
    await agent("navigate_page", url=site.page("one"))
    await agent("route_requests", action="block")
    await agent("route_requests", action="fulfill", url="*/a", body="a")
    assert await fetched(agent, f"{site.origin}/a") == '"200 a"'
    assert await fetched(agent, f"{site.origin}/b") == '"failed"'


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ({"action": "modify"}, "Say what to modify"),
        ({"action": "delay"}, "Say how long"),
        ({"action": "block", "body": "x"}, "body does not go with block"),
        ({"action": "fulfill", "newUrl": "http://x/"}, "newUrl does not go with fulfill"),
        ({"action": "block", "url": "/(/"}, "not a regular expression"),
        ({"action": "block", "url": "/a(?!b)/"}, "lookaround or a back-reference"),
    ],
)
async def test_rules_that_make_no_sense_are_explained(
    agent: Agent, arguments: dict[str, str], wanted: str
) -> None:
    code, text = await agent.fails("route_requests", **arguments)
    assert code == "bad_arguments"
    assert wanted in text


async def test_rules_cannot_lead_where_pages_may_not_go(agent: Agent) -> None:
    code, _ = await agent.fails("route_requests", action="modify", newUrl="file:///etc/passwd")
    assert code == "refused_by_policy"


async def test_unknown_rule_cannot_be_removed(agent: Agent) -> None:
    assert (await agent.fails("unroute_requests", ids=[7]))[0] == "no_such_rule"


async def test_no_expression_keeps_requests_waiting(agent: Agent, site: Site) -> None:
    await agent("navigate_page", url=site.page("one"))
    await agent("route_requests", action="block", url="/(a|a)*!$/")
    assert await fetched(agent, f"{site.origin}/{'a' * 2000}") != '"failed"'
    assert await fetched(agent, f"{site.origin}/aaaa!") == '"failed"'
