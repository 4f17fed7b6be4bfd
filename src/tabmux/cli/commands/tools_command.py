"""Command tools: which tools there are, and how one of them is called."""

from __future__ import annotations

import difflib
import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from tabmux.cli import terminal
from tabmux.cli.completions import complete_sessions, complete_tools
from tabmux.errors import UnknownTool

# What examples say where a type alone would say little: by the end of an argument's name.
_EXAMPLES: dict[str, Any] = {
    "uid": "a1_5",
    "url": "https://example.com",
    "key": "Enter",
    "path": "/tmp/file",
    "paths": "/tmp/file",
    "function": "() => document.title",
    "groups": "memory",
    "tool": "take_snapshot",
    "width": 1280,
    "height": 720,
}
# What most calls have, though they need not.
_USUAL = {"navigate_page": "url", "evaluate_script": "function", "find": "text"}
_BY_TYPE: dict[str, Any] = {"integer": 1, "number": 1, "boolean": True, "string": "text"}


@click.command("tools")
@click.argument("name", required=False, shell_complete=complete_tools)
@click.option(
    "--session",
    shell_complete=complete_sessions,
    help="The tools that this session is shown, those of its page included.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def tools(name: str | None, session: str | None, as_json: bool) -> None:
    """List the tools; with a NAME, say what one does and how it is called.

    No daemon is needed: without --session it is the tools of all groups, whether on or off.
    """
    found = _of_session(session) if session else _of_catalog()
    if name is None:
        _print_list(found, as_json)
        return
    tool = _choose(name, found)
    if as_json:
        click.echo(json.dumps(tool))
    else:
        click.echo("\n".join(_sections(tool)))


def _of_catalog() -> list[dict[str, Any]]:
    from tabmux.tools.pipeline import catalog

    return [
        _described(tool.name, tool.description, tool.schema)
        | {"group": group, "on": group in catalog.DEFAULT_GROUPS}
        for group in catalog.GROUPS
        for tool in catalog.tools([group])
    ]


def _of_session(session: str) -> list[dict[str, Any]]:
    from tabmux.cli.daemon_client import session_client

    with session_client(session) as client:
        listed = client.tools()
    return [_described(each["name"], each["description"], each["inputSchema"]) for each in listed]


def _described(name: str, description: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    example = _example_call(name, schema)
    return {"name": name, "description": description, "inputSchema": schema, "example": example}


def _choose(name: str, found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    by_name = {each["name"]: each for each in found}
    if name not in by_name:
        close = difflib.get_close_matches(name, by_name, 1)
        hint = f"Did you mean {close[0]}?" if close else "See tabmux tools."
        raise UnknownTool(f"There is no tool {name!r}.", hint=hint)
    return by_name[name]


def _print_list(found: Sequence[dict[str, Any]], as_json: bool) -> None:
    rows = [
        {"tool": each["name"], "group": _group(each), "what it does": _first_line(each)}
        for each in found
    ]
    if as_json:
        click.echo(json.dumps(found))
    elif terminal.is_terminal():
        terminal.print_table(rows, empty="No tools.")
    else:
        for row in rows:
            click.echo(f"{row['tool']:<34} {row['group']:<20} {row['what it does']}".rstrip())


def _group(tool: Mapping[str, Any]) -> str:
    if "group" not in tool:
        return ""
    return str(tool["group"]) if tool["on"] else f"{tool['group']} (off)"


def _first_line(tool: Mapping[str, Any]) -> str:
    return str(tool["description"]).strip().partition("\n")[0]


def _sections(tool: Mapping[str, Any]) -> Iterator[str]:
    yield str(tool["name"])
    yield ""
    yield str(tool["description"]).strip()
    if "group" in tool:
        yield ""
        on = "on by default" if tool["on"] else f"switched on with --tools +{tool['group']}"
        yield f"Group: {tool['group']}, {on}"
    yield ""
    yield "Arguments (JSON schema):"
    yield json.dumps(tool["inputSchema"], indent=2, ensure_ascii=False)
    yield ""
    yield "Example:"
    yield f"  {tool['example']}"


def _example_call(name: str, schema: Mapping[str, Any]) -> str:
    """Write a call with what the tool cannot do without."""
    words = ["tabmux", "call", name]
    fields = schema.get("properties", {})
    usual = [_USUAL[name]] if _USUAL.get(name) in fields else []
    for key in schema.get("required", usual):
        value = _example_value(key, fields[key])
        text = value if isinstance(value, str) else json.dumps(value)
        words.append(f"{key}={text}")
    return shlex.join(words)


def _example_value(key: str, about: Mapping[str, Any]) -> Any:
    kind = about.get("type")
    if "enum" in about:
        return about["enum"][0]
    if "anyOf" in about:
        return _example_value(key, about["anyOf"][0])
    if kind == "array":
        return [_example_value(key, about.get("items", {}))]
    if kind == "object":
        fields = about.get("properties", {})
        return {each: _example_value(each, fields[each]) for each in about.get("required", ())}
    known = [value for end, value in _EXAMPLES.items() if key.lower().endswith(end)]
    fitting = [value for value in known if isinstance(value, str) == (kind == "string")]
    return fitting[0] if fitting else _BY_TYPE.get(str(kind), "text")
