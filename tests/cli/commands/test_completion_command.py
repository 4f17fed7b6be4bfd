from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tabmux.cli.completions import tool_names
from tabmux.tools.pipeline import catalog
from tests.cli.command_line import daemon, tabmux


def offered(home: dict[str, str], *words: str) -> list[str]:
    """Ask as fish does; every line is a kind and a word."""
    line = {"COMP_WORDS": "tabmux " + " ".join(words[:-1]), "COMP_CWORD": words[-1]}
    result = tabmux({**home, **line, "_TABMUX_COMPLETE": "fish_complete"})
    assert result.stderr == ""
    return [each.split("\t")[0].partition(",")[2] for each in result.stdout.splitlines() if each]


def test_commands_flags_tools_and_clients_are_offered(home: dict[str, str]) -> None:
    assert offered(home, "comp") == ["completion"]
    assert "status" in offered(home, "daemon", "st")
    assert "--allow-path" in offered(home, "--allow")
    assert "--allow-path" in offered(home, "daemon", "start", "--allow")
    assert "--session" in offered(home, "call", "--s")
    assert "take_snapshot" in offered(home, "call", "take_")
    assert "take_snapshot" in offered(home, "mcp", "call", "take_")
    assert "take_heapsnapshot" in offered(home, "tools", "take_")
    assert offered(home, "install", "claude") == ["claude-code", "claude-desktop"]
    assert offered(home, "completion", "f") == ["fish"]


def test_names_of_tools_are_those_of_the_catalog() -> None:
    assert set(tool_names()) == {tool.name for tool in catalog.tools()}


def test_sessions_are_asked_of_a_daemon_that_runs_and_of_no_other(home: dict[str, str]) -> None:
    assert offered(home, "session", "close", "") == []
    assert tabmux(home, "daemon", "status").returncode == 1
    with daemon(home, "--headless", "--isolated") as process:
        tabmux(home, "session", "new", "--name", "shop")
        assert offered(home, "session", "close", "") == ["shop"]
        assert offered(home, "call", "click", "--session", "sh") == ["shop"]
        process.suspend()
        started = time.monotonic()
        assert offered(home, "session", "show", "") == []
        assert time.monotonic() - started < 4


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script_is_one_that_the_shell_reads(
    home: dict[str, str], shell: str, tmp_path: Path
) -> None:
    result = tabmux(home, "completion", shell)
    assert result.returncode == 0
    assert "_TABMUX_COMPLETE" in result.stdout
    if program := shutil.which(shell):
        file = tmp_path / "script"
        file.write_text(result.stdout)
        subprocess.run([program, "-n", str(file)], check=True, timeout=20)


def test_shell_without_a_script_is_a_usage_error(home: dict[str, str]) -> None:
    result = tabmux(home, "completion", "tcsh")
    assert result.returncode == 2
    assert "tcsh" in result.stderr
