from __future__ import annotations

import re
from functools import partial

import pytest
from starlette.routing import Route

from tabmux.daemon.app import App
from tabmux.daemon.http.status_pages import MetricsPage, describe_session, family, may_debug
from tabmux.observability import CallMetrics
from tests.agent import Agent
from tests.mcp.fake_backend import FakeBackend
from tests.mcp.raw_clients import http, serving

SAMPLE = re.compile(
    r'(tabmux|mcp_server)_[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? -?[0-9.e+-]+'
)


def test_a_label_cannot_break_out_of_its_quotes() -> None:
    *_, line = family("x", "gauge", "X.", [({"name": 'a"b\\c\nd'}, 1)])

    assert line == r'tabmux_x{name="a\"b\\c\nd"} 1.0'


def test_names_of_tools_that_do_not_exist_are_counted_together() -> None:
    tally = CallMetrics()
    for name in ("made", "up"):
        with tally.call(name) as call:
            call.reply.code = "unknown_tool"

    assert tally.calls == {"unknown": 2}


async def test_every_line_is_one_that_prometheus_reads(app: App, agent: Agent) -> None:
    await agent("list_pages")
    await agent.reply("made_up")

    lines = list(MetricsPage(app).lines())

    samples = [line for line in lines if not line.startswith("#")]
    assert [line for line in samples if not SAMPLE.fullmatch(line)] == []
    assert 'tabmux_calls_total{tool="list_pages"}' in "\n".join(samples)
    assert 'tabmux_call_failures_total{tool="unknown",code="unknown_tool"}' in "\n".join(samples)
    assert any(line.startswith('tabmux_browser_up{index="1"') for line in samples)
    assert any(line.startswith("tabmux_record_waiting") for line in samples)


async def test_how_long_calls_take_is_a_histogram_without_sessions(app: App, agent: Agent) -> None:
    await agent("list_pages")

    about = 'mcp_method_name="tools/call",gen_ai_tool_name="list_pages"'
    name = "mcp_server_operation_duration_seconds"
    lines = [line for line in MetricsPage(app).lines() if about in line and "error" not in line]
    bounds = [line.split('le="')[1].split('"')[0] for line in lines if "_bucket" in line]
    assert bounds[0] == "0.01"
    assert bounds[-2:] == ["300", "+Inf"]
    numbers = [int(line.split()[-1]) for line in lines if "_bucket" in line]
    assert numbers == sorted(numbers)
    assert f"{name}_count{{{about}}} {numbers[-1]}" in lines
    assert "session" not in "".join(lines)


async def test_metrics_need_the_token_and_tell_no_handle(app: App, agent: Agent) -> None:
    routes = [Route("/metrics", MetricsPage(app).show)]
    async with serving(app, token="t", routes=routes) as address, http(address) as client:
        refused = await client.client.get("/metrics")
        shown = await client.client.get("/metrics?token=t")

    assert refused.status_code == 401
    assert shown.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert agent.session.handle not in shown.text


async def test_a_session_can_be_looked_at_where_that_may_debug(app: App) -> None:
    async with (
        serving(app, debug=partial(describe_session, app)) as address,
        http(address) as client,
    ):
        await client.initialize()
        shown = await client.client.get(f"/debug/session/{client.session}")
        unknown = await client.client.get("/debug/session/made-up")

    assert shown.json()["currentTabId"] is None
    assert shown.json()["queueLength"] == 0
    assert client.session not in shown.text
    assert unknown.status_code == 404


async def test_nobody_looks_at_sessions_otherwise(backend: FakeBackend) -> None:
    async with serving(backend) as address, http(address) as client:
        await client.initialize()
        shown = await client.client.get(f"/debug/session/{client.session}")

    assert shown.status_code == 404


@pytest.mark.parametrize(
    ("value", "allowed"), [("1", True), ("0", False), ("true", False), ("", False)]
)
def test_only_a_1_in_the_environment_allows_it(value: str, allowed: bool) -> None:
    assert may_debug({"BROWSER_MCP_ENABLE_DEBUG": value}) is allowed
    assert not may_debug({})
