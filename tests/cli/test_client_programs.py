from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tabmux.cli.client_programs import ClientProgram, client_programs

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
_TABLE = st.dictionaries(st.text(), _JSON, max_size=3)
_SERVERS = st.dictionaries(st.text() | st.just("tabmux"), _TABLE, max_size=3)


@settings(max_examples=50, deadline=None)
@given(
    _TABLE,
    st.none() | _SERVERS,
    st.sampled_from([None, 0, 2, 4, "\t"]),
    st.booleans(),
)
def test_any_json_can_be_extended_and_restored(
    table: dict[str, Any], servers: Any, indent: int | str | None, ascii_only: bool
) -> None:
    client = ClientProgram("any", "Any", Path("any.json"))
    if servers is not None:
        table["mcpServers"] = servers
    assume(isinstance(table.get("mcpServers", {}), dict))
    text = json.dumps(table, indent=indent, ensure_ascii=ascii_only)
    changed = client.with_tabmux(text, ("/bin/tabmux", "--headless"))
    entry = json.loads(changed)["mcpServers"]["tabmux"]
    assert (entry["command"], entry["args"]) == ("/bin/tabmux", ["--headless"])
    assert client.with_tabmux(changed, ("/bin/tabmux", "--headless")) == changed
    table.setdefault("mcpServers", {}).pop("tabmux", None)
    assert json.loads(client.without_tabmux(changed)) == table


def test_clients_that_were_moved_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "c"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "d"))
    assert client_programs()["codex"].file == tmp_path / "c" / "config.toml"
    assert client_programs()["claude-code"].file == tmp_path / "d" / ".claude.json"


def test_on_macos_the_files_are_in_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "darwin")
    library = tmp_path / "Library" / "Application Support"
    assert client_programs()["vscode"].file == library / "Code" / "User" / "mcp.json"
    assert (
        client_programs()["claude-desktop"].file
        == library / "Claude" / "claude_desktop_config.json"
    )
