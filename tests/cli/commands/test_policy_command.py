from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tabmux.cli.commands.policy_command import policy
from tabmux.errors import UnknownTool

TEXT = """\
[default]
urls = ["https://*.example.com"]
calls = 100
[client."claude-code*"]
read_only = true
[session.wide]
widens = true
urls = ["https://other.test"]
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "policy.toml"
    path.write_text(TEXT)
    return str(path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(policy, arguments)


def test_check_points_out_what_widens(file: str) -> None:
    result = run("check", file)
    assert result.exit_code == 0
    assert f"{file}:7: note: [session.wide] allows more" in result.output
    assert "3 sections, nothing wrong." in result.output


def test_check_says_what_is_wrong_by_line(file: str) -> None:
    Path(file).write_text("[default]\ncals = 1\n")
    result = run("check", file)
    assert result.exit_code == 1
    assert f"{file}:2: [default] has an unknown key 'cals'. Did you mean calls?" in result.output
    found = json.loads(run("check", file, "--json").output)
    assert [problem["line"] for problem in found["problems"]] == [2]


def test_explain_says_which_rule_refuses_and_what_would_have_to_change(file: str) -> None:
    result = run("explain", "navigate_page", "https://other.test/", "--policy", file)
    assert result.exit_code == 1
    assert "Refused: navigate_page https://other.test/" in result.output
    assert "`urls` of [default] (policy.toml:2)" in result.output
    assert f"In {file}, line 2, `urls` of [default]: add a pattern" in result.output
    assert "limit: at most 100 calls, by `calls` of [default] (policy.toml:3)" in result.output


def test_explain_knows_the_client_and_the_session(file: str) -> None:
    def explained(*who: str) -> dict[str, object]:
        text = run(
            "explain", "click", "https://other.test/", "--policy", file, "--json", *who
        ).output
        found: dict[str, object] = json.loads(text)
        return found

    assert explained("--session", "wide")["allowed"] is True
    found = explained("--session", "wide", "--client", "claude-code")
    assert found["allowed"] is False
    tool, url = found["decisions"]  # type: ignore[misc]
    assert tool["rule"]["section"] == '[client."claude-code*"]'  # type: ignore[has-type]
    assert url["allowed"]  # type: ignore[has-type]


def test_explain_counts_rules_of_the_environment(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABMUX_READ_ONLY", "1")
    monkeypatch.setenv("TABMUX_POLICY", file)
    result = run("explain", "click")
    assert result.exit_code == 1
    assert "tabmux was started with --read-only" in result.output


@pytest.mark.parametrize(
    ("rules", "tool", "refused"),
    [
        ("scripts = false", "browser_execute_js", True),
        ("scripts = false", "browser_click", False),
        ("read_only = true", "browser_click", True),
        ("read_only = true", "browser_screenshot", False),
        ('urls = ["https://*.example.com"]', "browser_screenshot", True),
        ('tools = ["-browser_click"]', "browser_click", True),
    ],
)
def test_explain_knows_the_tools_of_a_session_s_extension(
    file: str, rules: str, tool: str, refused: bool
) -> None:
    Path(file).write_text(f"[default]\n{rules}\n")
    result = run("explain", tool, "--policy", file)
    assert (result.exit_code, "Refused: " in result.output) == (int(refused), refused)
    assert ("of [default] (policy.toml:2)" in result.output) == refused


def test_explain_refuses_a_tool_that_there_is_not(file: str) -> None:
    result = run("explain", "clik", "--policy", file)
    assert isinstance(result.exception, UnknownTool)
    assert "Did you mean click?" in result.exception.text
