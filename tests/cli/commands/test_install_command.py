from __future__ import annotations

import json
import stat
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tabmux.cli.client_programs import client_programs
from tabmux.cli.commands import install_command as installing
from tabmux.cli.commands.install_command import install
from tabmux.cli.own_command import own_command
from tabmux.errors import Misuse

FILES = {
    "claude-code": ".claude.json",
    "claude-desktop": ".config/Claude/claude_desktop_config.json",
    "codex": ".codex/config.toml",
    "cursor": ".cursor/mcp.json",
    "vscode": ".config/Code/User/mcp.json",
    "gemini": ".gemini/settings.json",
    "windsurf": ".codeium/windsurf/mcp_config.json",
    "zed": ".config/zed/settings.json",
    "opencode": ".config/opencode/opencode.json",
    "cline": ".cline/data/settings/cline_mcp_settings.json",
    "amp": ".config/amp/settings.json",
}
JSON_CLIENTS = [name for name in FILES if name != "codex"]
COMMENTED_CLIENTS = ["vscode", "zed", "opencode", "amp"]
TYPES = {"claude-code": "stdio", "cursor": "stdio", "vscode": "stdio", "opencode": "local"}
CODEX = """\
# my settings
model = "o9"

[mcp_servers.other]
command = "npx"
args = ["-y", "other"]  # keep me
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of nobody's, so that no test can reach a real configuration."""
    for name in (
        "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "CLINE_MCP_SETTINGS_PATH"
    ):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    return tmp_path


def run(*arguments: str, answer: str | None = None) -> Result:
    return CliRunner().invoke(install, list(arguments), input=answer)


def written(home: Path, client: str, text: str) -> Path:
    file = home / FILES[client]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def servers(home: Path, client: str) -> Any:
    text = (home / FILES[client]).read_text()
    table = tomllib.loads(text) if client == "codex" else json.loads(text)
    return table[client_programs()[client].key]


def backups(file: Path) -> Sequence[Path]:
    return list(file.parent.glob(f"{file.name}.*.bak"))


@pytest.mark.parametrize("client", FILES)
def test_a_client_without_a_file_gets_one(home: Path, client: str) -> None:
    result = run(client, "--yes", "--", "--headless", "--profile", "work")
    assert result.exit_code == 0, result.output
    entry = servers(home, client)["tabmux"]
    command = client_programs()[client].command_in(entry)
    assert command == [*own_command(), "--headless", "--profile", "work"]
    assert Path(command[0]).is_absolute()
    assert entry.get("type") == TYPES.get(client)
    assert not backups(home / FILES[client])


@pytest.mark.parametrize("client", FILES)
def test_installing_again_changes_nothing(home: Path, client: str) -> None:
    run(client, "--yes")
    before = (home / FILES[client]).read_text()
    result = run(client)
    assert result.exit_code == 0
    assert "already installed" in result.stdout
    assert (home / FILES[client]).read_text() == before
    assert not backups(home / FILES[client])


@pytest.mark.parametrize("client", FILES)
def test_removing_takes_only_our_entry(home: Path, client: str) -> None:
    key = client_programs()[client].key
    text = CODEX if client == "codex" else f'{{"{key}": {{"other": {{"command": "x"}}}}, "a": 1}}'
    file = written(home, client, text)
    run(client, "--yes")
    assert set(servers(home, client)) == {"other", "tabmux"}
    result = run(client, "--remove", "--yes")
    assert result.exit_code == 0, result.output
    assert file.read_text() == text


@pytest.mark.parametrize("client", FILES)
def test_removing_what_is_not_there_is_no_failure(home: Path, client: str) -> None:
    result = run(client, "--remove")
    assert result.exit_code == 0
    assert "not installed" in result.stdout
    assert not (home / FILES[client]).exists()


@pytest.mark.parametrize("client", FILES)
def test_the_file_as_it_was_is_kept_beside_it(home: Path, client: str) -> None:
    text = CODEX if client == "codex" else '{\n\t"theme": "dark"\n}\n'
    file = written(home, client, text)
    file.chmod(0o640)
    run(client, "--yes")
    [backup] = backups(file)
    assert backup.read_text() == text
    assert {stat.S_IMODE(each.stat().st_mode) for each in (file, backup)} == {0o640}
    assert {each.name for each in file.parent.iterdir() if each.is_file()} == {
        file.name,
        backup.name,
    }


@pytest.mark.parametrize("client", FILES)
def test_a_dry_run_only_shows(home: Path, client: str) -> None:
    result = run(client, "--dry-run", "--yes")
    assert result.exit_code == 0
    assert "+++" in result.stdout
    assert own_command()[0] in result.stdout
    assert not (home / FILES[client]).exists()


@pytest.mark.parametrize(
    ("client", "text"),
    [
        (client, text)
        for client in JSON_CLIENTS
        for text in ('{ // mine\n"a": 1}', '{"a": 1,}', "[]", '{"a"', "\udce9")
        if client not in COMMENTED_CLIENTS or not text.endswith("}")
    ],
)
def test_a_file_that_is_not_plain_json_is_left_alone(home: Path, client: str, text: str) -> None:
    file = written(home, client, "")
    file.write_bytes(text.encode(errors="surrogateescape"))
    result = run(client, "--yes")
    assert isinstance(result.exception, Misuse)
    program = client_programs()[client]
    entry = json.loads(result.stdout)[program.key]["tabmux"]
    assert program.command_in(entry) == list(own_command())
    assert file.read_bytes() == text.encode(errors="surrogateescape")
    assert not backups(file)


@pytest.mark.parametrize(
    "text",
    [
        "model = ",
        'mcp_servers = { other = { command = "x" } }\n',
        '[mcp_servers]\ntabmux = { command = "x" }\n',
        "mcp_servers = 3\n",
        '[mcp_servers]\ntabmux.command = "x"\n',
    ],
)
def test_toml_that_cannot_be_extended_is_left_alone(home: Path, text: str) -> None:
    file = written(home, "codex", text)
    result = run("codex", "--yes")
    assert isinstance(result.exception, Misuse)
    assert tomllib.loads(result.stdout)["mcp_servers"]["tabmux"]["command"] == own_command()[0]
    assert file.read_text() == text


def test_servers_that_are_no_table_are_left_alone(home: Path) -> None:
    file = written(home, "cursor", '{"mcpServers": []}')
    assert isinstance(run("cursor", "--yes").exception, Misuse)
    assert isinstance(run("cursor", "--remove", "--yes").exception, Misuse)
    assert file.read_text() == '{"mcpServers": []}'


def test_the_rest_of_a_json_file_stays_as_it_was_written(home: Path) -> None:
    text = '{\n    "mcpServers": {"b": {"args": [1, 2]}},\n    "x": [1e3, "é"]\n}'
    file = written(home, "cursor", text)
    run("cursor", "--yes")
    assert file.read_text().startswith('{\n    "mcpServers": {"b": {"args": [1, 2]},\n        "tab')
    assert file.read_text().endswith('},\n    "x": [1e3, "é"]\n}')
    run("cursor", "--remove", "--yes")
    assert file.read_text() == text


@pytest.mark.parametrize("others", [["a", "tabmux", "b"], ["tabmux", "b"], ["a", "tabmux"]])
def test_our_entry_is_removed_from_any_place(home: Path, others: list[str]) -> None:
    table = {"mcpServers": {name: {"command": name} for name in others}}
    file = written(home, "cursor", json.dumps(table, indent=2))
    run("cursor", "--remove", "--yes")
    del table["mcpServers"]["tabmux"]
    assert file.read_text() == json.dumps(table, indent=2)


def test_an_older_entry_is_brought_up_to_date_and_keeps_what_the_user_added(home: Path) -> None:
    old = {"url": "http://127.0.0.1:3000/mcp", "env": {"DISPLAY": ":1"}}
    written(home, "cursor", json.dumps({"mcpServers": {"tabmux": old}}))
    run("cursor", "--yes")
    assert servers(home, "cursor")["tabmux"] == {
        "type": "stdio",
        "command": own_command()[0],
        "args": [],
        "env": {"DISPLAY": ":1"},
    }


def test_an_older_toml_table_is_brought_up_to_date_and_keeps_the_rest(home: Path) -> None:
    rest = '\n# env\n[mcp_servers.tabmux.env]\nA = "b"\n\n# next\n[mcp_servers."tabmux.two"]\nurl = "u"\n'
    old = '[mcp_servers."tabmux"] # ours\ncommand = "old"\nenabled = true\nenv_vars = ["X"]\n'
    file = written(home, "codex", CODEX + "\n" + old + rest)
    run("codex", "--yes", "--", "--browser-url", 'http://x?a="b"')
    assert file.read_text().startswith(CODEX)
    assert file.read_text().endswith(rest)
    assert servers(home, "codex")["tabmux"] == {
        "command": own_command()[0],
        "args": ["--browser-url", 'http://x?a="b"'],
        "enabled": True,
        "env_vars": ["X"],
        "env": {"A": "b"},
    }
    run("codex", "--remove", "--yes")
    assert set(servers(home, "codex")) == {"other", "tabmux.two"}
    assert "# next\n[mcp_servers" in file.read_text()


def test_toml_text_that_only_looks_like_our_table_is_left_alone(home: Path) -> None:
    text = 'note = """\n[mcp_servers.tabmux]\ncommand = "x"\n"""\n'
    file = written(home, "codex", text)
    assert isinstance(run("codex", "--yes").exception, Misuse)
    assert file.read_text() == text


def test_windows_line_ends_stay(home: Path) -> None:
    for client, text in (("codex", 'a = 1\r\n[b]\r\nc = "d"\r\n'), ("cursor", '{\r\n "a": 1\r\n}')):
        file = written(home, client, "")
        file.write_bytes(text.encode())
        run(client, "--yes")
        assert "tabmux" in servers(home, client)
        assert b"\n" not in file.read_bytes().replace(b"\r\n", b"")


def test_a_link_stays_a_link_and_its_file_is_written(home: Path) -> None:
    real = home / "dotfiles" / "cursor.json"
    real.parent.mkdir()
    real.write_text("{}")
    link = home / FILES["cursor"]
    link.parent.mkdir()
    link.symlink_to(real)
    run("cursor", "--yes")
    assert link.is_symlink()
    assert "tabmux" in json.loads(real.read_text())["mcpServers"]
    assert len(backups(real)) == 1


def test_a_file_that_changes_meanwhile_is_not_overwritten(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(home, "claude-code", "{}")
    monkeypatch.setattr(installing, "_has_terminal", lambda: True)
    monkeypatch.setattr("click.confirm", lambda *_, **__: file.write_text('{"a": 1}'))
    assert isinstance(run("claude-code").exception, Misuse)
    assert file.read_text() == '{"a": 1}'
    assert not list(home.glob(".claude.json.??????*[!k]"))


def test_a_folder_that_cannot_be_made_is_a_failure_in_words(home: Path) -> None:
    (home / ".cursor").write_text("in the way")
    assert isinstance(run("cursor", "--yes").exception, Misuse)


def test_without_a_terminal_it_does_not_ask(home: Path) -> None:
    result = run("cursor")
    assert result.exit_code == 2
    assert "--yes" in result.stderr
    assert not (home / FILES["cursor"]).exists()


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 1)])
def test_on_a_terminal_it_asks(
    home: Path, monkeypatch: pytest.MonkeyPatch, answer: str, code: int
) -> None:
    monkeypatch.setattr(installing, "_has_terminal", lambda: True)
    assert run("cursor", answer=answer).exit_code == code
    assert (home / FILES["cursor"]).exists() == (code == 0)


def test_an_unknown_client_is_refused_with_the_nearest() -> None:
    result = run("vs-code")
    assert result.exit_code == 2
    assert "Did you mean vscode?" in result.stderr


@pytest.mark.parametrize("arguments", [[], ["cursor", "codex"], ["cursor", "--headless"]])
def test_a_command_line_that_makes_no_sense_is_a_usage_error(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_the_list_says_where_tabmux_is_installed(home: Path) -> None:
    run("gemini", "--yes")
    written(home, "cursor", "not json")
    rows = {line.split()[0]: line for line in run("--list").stdout.splitlines()}
    assert set(rows) == {*FILES, "goose"}
    assert " by hand " in rows.pop("goose")
    assert " installed " in rows["gemini"]
    assert "unreadable" in rows["cursor"]
    assert "not installed" in rows["codex"]
    assert all(row.endswith(str(home / FILES[name])) for name, row in rows.items())


COMMENTED = """\
// Zed settings
{
  "theme": "One Dark", // dark, of course
  /* servers */
  "KEY": {
    "other": { "command": "x" }, // keep, me
  },
}
"""


@pytest.mark.parametrize("client", COMMENTED_CLIENTS)
@pytest.mark.parametrize(
    "text",
    [
        COMMENTED,
        COMMENTED.replace("},\n", "}\n").replace("}, //", "} //"),
        '{ // mine\n  "a": 1 // one\n}',
        '{"a": "// no comment", "KEY": {},}',
        "{\n  // nothing yet\n}\n",
    ],
)
def test_comments_stay_where_the_client_takes_them(home: Path, client: str, text: str) -> None:
    program = client_programs()[client]
    text = text.replace("KEY", program.key)
    file = written(home, client, text)
    result = run(client, "--yes")
    assert result.exit_code == 0, result.output
    after = file.read_text()
    lines = [line for line in text.splitlines() if " // " in line]
    for line in lines:
        code, comment = (part.strip().rstrip(",") for part in line.split("//", 1))
        assert any(code in each and comment in each for each in after.splitlines())
    found = program.installed(after)
    assert found is not None
    assert program.command_in(found) == list(own_command())
    run(client, "--remove", "--yes")
    after = file.read_text()
    assert program.installed(after) is None
    if '"other"' in text:
        assert after == text


def test_opencode_keeps_the_form_that_its_file_has(home: Path) -> None:
    file = written(home, "opencode", '{"mcp": {"servers": {"x": {"type": "local"}}}}')
    run("opencode", "--yes")
    assert set(json.loads(file.read_text())["mcp"]["servers"]) == {"x", "tabmux"}
    run("opencode", "--remove", "--yes")
    assert file.read_text() == '{"mcp": {"servers": {"x": {"type": "local"}}}}'
    file.write_text('{"mcp": {"servers": {"type": "remote", "url": "u"}}}')
    run("opencode", "--yes")
    assert set(json.loads(file.read_text())["mcp"]) == {"servers", "tabmux"}
    file.rename(file.with_suffix(".jsonc"))
    assert client_programs()["opencode"].file.suffix == ".jsonc"


def test_cline_is_told_where_it_looks(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    storage = home / ".config/Code/User/globalStorage/saoudrizwan.claude-dev"
    storage.mkdir(parents=True)
    assert client_programs()["cline"].file == storage / "settings" / "cline_mcp_settings.json"
    monkeypatch.setenv("CLINE_MCP_SETTINGS_PATH", str(home / "c.json"))
    assert client_programs()["cline"].file == home / "c.json"


def test_goose_is_told_by_hand(home: Path) -> None:
    result = run("goose", "--yes", "--", "--headless")
    assert isinstance(result.exception, Misuse)
    assert str(home / ".config/goose/config.yaml") in result.exception.hint
    assert result.stdout.startswith("extensions:\n  tabmux:\n")
    assert f"    cmd: {json.dumps(own_command()[0])}\n" in result.stdout
    assert '    args: ["' in result.stdout
    assert not (home / ".config/goose").exists()
