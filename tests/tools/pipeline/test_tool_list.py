"""The list of tools as clients get it: what it costs them, and whether they can take it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tabmux.content import ToolSpec
from tabmux.daemon.bridge.command_tools import COMMAND_TOOLS
from tabmux.focus import states
from tabmux.mcp import tool_messages
from tabmux.policy.policy import Policy
from tabmux.tools.pipeline import arguments, catalog
from tests.client_rules import broken_rules

LONGEST_LIST = 20_000
LONGEST_DESCRIPTION = 2048


def specs(groups: list[str] | None = None, *, browser: bool = False) -> list[ToolSpec]:
    tools = catalog.tools(groups)
    return [arguments.listed(tool, Policy(), browser=browser) for tool in tools]


def slim() -> list[ToolSpec]:
    tools = catalog.tools_of(catalog.SLIM)
    return [arguments.listed(tool, Policy(), browser=False) for tool in tools]


LISTS = {
    **{group: specs([group]) for group in catalog.GROUPS},
    "everything while there are several browsers": specs(browser=True),
    "slim": slim(),
    "focus": list(states.ALL),
    "extension": [each.spec for each in COMMAND_TOOLS.values()],
}


def listing(tools: list[ToolSpec], *, stateless: bool = False) -> dict[str, Any]:
    return tool_messages.listing(tools, {}, stateless=stateless)


def test_default_list_costs_clients_no_more_than_its_limit() -> None:
    default = listing(specs(list(catalog.DEFAULT_GROUPS)))
    text = json.dumps(default, separators=(",", ":"), ensure_ascii=False)
    assert len(text) <= LONGEST_LIST


@pytest.mark.parametrize("stateless", [False, True])
@pytest.mark.parametrize("name", LISTS)
def test_every_tool_is_one_that_strict_clients_can_convert(name: str, stateless: bool) -> None:
    tools = listing(LISTS[name], stateless=stateless)["tools"]
    assert [problem for tool in tools for problem in broken_rules(tool)] == []


@pytest.mark.parametrize("name", LISTS)
def test_every_argument_is_described(name: str) -> None:
    for tool in listing(LISTS[name])["tools"]:
        assert len(tool["description"]) <= LONGEST_DESCRIPTION
        assert list(undescribed(tool["name"], tool["inputSchema"])) == []


def undescribed(place: str, schema: dict[str, Any]) -> list[str]:
    found = []
    for name, about in schema["properties"].items():
        if not about.get("description"):
            found.append(f"{place}.{name}")
        inside = about.get("items", about)
        if inside["type"] == "object":
            found += undescribed(f"{place}.{name}", inside)
    return found


def test_tools_have_titles_of_their_own() -> None:
    titles = [tool["title"] for tool in listing(specs())["tools"]]
    assert len(set(titles)) == len(titles)
    assert {"Take snapshot", "Get CSS styles", "Export HAR"} <= set(titles)


def test_arguments_that_few_need_are_taken_but_not_listed() -> None:
    click = next(tool for tool in catalog.tools(["input"]) if tool.name == "click")
    listed = arguments.listed(click, Policy(), browser=False).schema["properties"]
    assert "report" in click.schema["properties"]
    assert not {"report", "pageId"} & set(listed)


def test_browser_is_named_by_text_that_may_be_a_number() -> None:
    tools = {tool["name"]: tool for tool in listing(specs(browser=True))["tools"]}
    about = tools["click"]["inputSchema"]["properties"]["browserIndex"]
    assert about["type"] == "string"
    for words in ("1-based", "REQUIRED when multiple browsers", "list_browsers"):
        assert words in about["description"]
