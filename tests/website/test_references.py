"""What is written by hand names everything that the code has."""

from __future__ import annotations

import re
from pathlib import Path

from tabmux.errors import CODES
from tabmux.mcp.http.http_limits import HttpLimits
from tabmux.settings import Settings, flag_fields, setting_fields
from tabmux.tools.pipeline import catalog

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "tabmux"
# Messages of ASGI and CDP, which are none of the bridge's.
OTHERS = {"page"}


def text(*names: str) -> str:
    return "\n".join((ROOT / name).read_text(encoding="utf-8") for name in names)


def found(pattern: str, *folders: str) -> set[str]:
    files = [file for folder in folders for file in (SOURCE / folder).rglob("*.py")]
    return {each for file in files for each in re.findall(pattern, file.read_text("utf-8"))}


def test_every_route_is_described() -> None:
    routes = found(r'Route\("(/[^"]+)"', "daemon/http", "bridge")
    assert len(routes) > 5
    shown = text("docs/http.md", "docs/bridge.md")
    parts = {route: route.partition("{")[0].rstrip("/") for route in routes}
    assert {route for route, part in parts.items() if part not in shown} == set()


def test_every_message_of_the_bridge_is_described() -> None:
    messages = found(r'"type": "(\w+)"', "bridge") - OTHERS
    assert {"cdp", "openTab", "challenge"} <= messages
    shown = text("docs/bridge.md", "extension/README.md")
    described = {*re.findall(r'type: "(\w+)"', shown), *re.findall(r"`(\w+)", shown)}
    assert messages - described == set()


def test_the_limits_of_http_are_those_of_the_code() -> None:
    limits = HttpLimits()
    shown = text("docs/http.md").partition("## Limits")[2].partition("## ")[0]
    sessions, each = f"{limits.sessions:,}", f"{limits.sessions_each:,}"
    assert f"| {limits.body_bytes >> 20} MiB |" in shown
    assert f"| {sessions}; {sessions}; {each} |" in shown
    assert f"| {limits.rate:,.0f} a second, {limits.burst:,.0f} at once |" in shown
    assert f"| {Settings.session_idle // 60} min " in shown


def test_the_references_name_every_tool_setting_and_error() -> None:
    headings = {line.split()[-1] for line in text("docs/tools.md").splitlines() if "### " in line}
    assert {tool.name for tool in catalog.tools(list(catalog.GROUPS))} <= headings
    settings = text("docs/settings.md")
    assert [f.name for f in flag_fields() if f"TABMUX_{f.name.upper()}`" not in settings] == []
    named = {line.removeprefix("### ") for line in settings.splitlines()}
    assert {f.name.replace("_", "-") for f in setting_fields()} <= named
    errors = text("docs/errors.md")
    assert [code for code in CODES if f"| `{code}` |" not in errors] == []
