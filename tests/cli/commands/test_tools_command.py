from __future__ import annotations

import json
import shlex

import jsonschema  # type: ignore[import-untyped]
import pytest

from tabmux.cli.commands.call_command import _parse_arguments
from tabmux.tools.pipeline import catalog
from tests.cli.command_line import daemon, tabmux


def test_every_tool_has_a_line_without_a_daemon(home: dict[str, str]) -> None:
    lines = tabmux(home, "tools").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [tool.name for tool in catalog.tools()]
    assert any("memory (off)" in line for line in lines)
    assert tabmux(home, "daemon", "status").returncode == 1


def test_one_tool_is_explained_with_a_call(home: dict[str, str]) -> None:
    text = tabmux(home, "tools", "fill").stdout
    (fill,) = [tool for tool in catalog.tools(["input"]) if tool.name == "fill"]
    assert fill.description in text
    assert '"required": [' in text
    assert "tabmux call fill uid=a1_5 value=text" in text
    unknown = tabmux(home, "tools", "clik", "--json")
    assert unknown.returncode == 1
    assert json.loads(unknown.stdout)["error"] == {
        "code": "unknown_tool",
        "message": "There is no tool 'clik'.",
        "hint": "Did you mean click?",
    }


def test_every_example_fits_the_schema_of_its_tool(home: dict[str, str]) -> None:
    listed = json.loads(tabmux(home, "tools", "--json").stdout)
    assert {each["name"] for each in listed} == {tool.name for tool in catalog.tools()}
    for each in listed:
        program, command, name, *words = shlex.split(each["example"])
        assert [program, command, name] == ["tabmux", "call", each["name"]]
        given = _parse_arguments(tuple(words), each["inputSchema"])
        jsonschema.validate(given, each["inputSchema"])


@pytest.mark.parametrize("command", [["call"], ["mcp", "call"]])
def test_tools_of_a_session_are_those_it_is_shown(home: dict[str, str], command: list[str]) -> None:
    with daemon(home, "--headless", "--isolated", "--tools", "+memory,-performance"):
        tabmux(home, "session", "new", "--name", "s")
        names = {
            each["name"]
            for each in json.loads(tabmux(home, "tools", "--session", "s", "--json").stdout)
        }
        assert "take_heapsnapshot" in names
        assert "performance_start_trace" not in names
        called = tabmux(home, *command, "list_pages", "--session", "s")
        assert "## Pages" in called.stdout


def test_calls_have_a_second_name(home: dict[str, str]) -> None:
    text = tabmux(home, "mcp", "--help").stdout
    assert "call" in text
    assert "batch" in text
