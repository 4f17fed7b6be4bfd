from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from tabmux.daemon.app import App
from tabmux.settings import Settings
from tests.agent import Agent, ToolFailed
from tests.serving import running
from tests.site import Site

STRUCTURED: dict[str, Any] = {"experimental": {"tabmux/structured": {}}}
PAGE = """<title>Data</title><button onclick="document.body.append('done')">Go</button>
<a href="/away">Away</a><button onclick="setTimeout(() => alert('hi'))">Ask</button>
<script>console.log("one"); console.warn("t\u200bwo")</script>"""


class CheckedAgent:
    """An agent that checks all data by the schemas of the tools."""

    def __init__(self, agent: Agent, schemas: dict[str, Any]) -> None:
        self.agent, self._schemas = agent, schemas

    async def __call__(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        data = await self.agent.data(name, **arguments)
        jsonschema.validate(data, self._schemas[name])
        return data


@pytest.fixture
async def checked(app: App, site: Site) -> AsyncIterator[CheckedAgent]:
    async with Agent.joined(app, site, STRUCTURED) as agent:
        schemas = {
            name: tool["outputSchema"]
            for name, tool in (await agent.tools()).items()
            if "outputSchema" in tool
        }
        for schema in schemas.values():
            jsonschema.Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
        yield CheckedAgent(agent, schemas)


async def test_pages_are_listed_as_data(checked: CheckedAgent) -> None:
    url = checked.agent.site.page(PAGE)
    await checked("new_page", url="about:blank")
    opened = await checked("new_page", url=url)
    ident = checked.agent.session.selected
    entry = {"id": ident, "title": "Data", "url": url, "selected": True, "attached": True}
    assert entry in opened["pages"]
    assert entry in (await checked("list_pages"))["pages"]
    assert (await checked("select_page", pageId=ident))["pages"]
    assert entry not in (await checked("close_page"))["pages"]


async def test_console_and_network_are_listed_as_data(checked: CheckedAgent) -> None:
    url = checked.agent.site.page(PAGE)
    assert await checked("navigate_page", url=url) == {"navigatedTo": url}
    console = await checked("list_console_messages", types=["log", "warn"], pageSize=1, pageIdx=1)
    assert [(each["type"], each["text"]) for each in console["messages"]] == [("warn", "two")]
    assert (console["total"], console["pageIdx"], console["pageCount"]) == (2, 1, 2)
    (request,) = (await checked("list_network_requests", url=url))["requests"]
    assert (request["url"], request["status"], request["type"]) == (url, 200, "document")
    assert (await checked("list_network_requests", url="nowhere"))["requests"] == []


async def test_snapshot_and_script_are_answered_with_data(
    checked: CheckedAgent, tmp_path: Path
) -> None:
    await checked.agent.open(PAGE)
    assert 'button "Go"' in (await checked("take_snapshot"))["snapshot"]
    saved = await checked("take_snapshot", filePath=str(tmp_path / "page"))
    assert saved == {"filePath": str(tmp_path / "page.txt")}
    for script, value in (("{a: [1, null]}", {"a": [1, None]}), ("null", None), ("'x'", "x")):
        assert (await checked("evaluate_script", function=f"() => ({script})"))["result"] == value
    assert isinstance((await checked("evaluate_script", function="() => 1n"))["result"], str)


async def test_outcome_of_actions_is_answered_with_data(checked: CheckedAgent) -> None:
    await checked.agent.open(PAGE)
    go, away, ask = (checked.agent.uid(each) for each in ('button "Go"', "link", 'button "Ask"'))
    assert "done" in (await checked("click", uid=go))["changes"]
    assert (await checked("click", uid=ask))["dialog"] == {"kind": "alert", "message": "hi"}
    await checked("handle_dialog", action="accept")
    assert (await checked("click", uid=away))["navigatedTo"].endswith("/away")


async def test_failure_has_no_data(checked: CheckedAgent) -> None:
    request = {"name": "click", "arguments": {"uid": "nothing"}}
    result = await checked.agent._request("tools/call", request)
    assert result["isError"]
    assert "structuredContent" not in result


async def test_those_who_do_not_ask_pay_nothing(agent: Agent, checked: CheckedAgent) -> None:
    await agent.open(PAGE)
    result = await agent._request("tools/call", {"name": "take_snapshot", "arguments": {}})
    assert "structuredContent" not in result
    plain, full = await agent.tools(), await checked.agent.tools()
    assert "outputSchema" not in json.dumps(plain)
    without = {
        name: {key: value for key, value in tool.items() if key != "outputSchema"}
        for name, tool in full.items()
    }
    assert without == plain


async def test_setting_asks_for_data_too(site: Site) -> None:
    settings = Settings(launch=True, headless=True, isolated=True, structured=True)
    async with running(settings) as app, Agent.joined(app, site) as agent:
        assert "outputSchema" in (await agent.tools())["click"]
        data = await agent.data("new_page", url=site.page(PAGE))
        assert data["pages"][-1]["title"] == "Data"
        with pytest.raises(ToolFailed):
            await agent("click", uid="nothing")
