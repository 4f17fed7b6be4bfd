from __future__ import annotations

import os
import subprocess
import sys

import pytest


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tabmux", *arguments],
        capture_output=True,
        text=True,
        timeout=30,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        check=False,
    )


def test_shells_get_completions() -> None:
    assert "_TABMUX_COMPLETE" in run(_TABMUX_COMPLETE="bash_source").stdout
    words = run(_TABMUX_COMPLETE="bash_complete", COMP_WORDS="tabmux da", COMP_CWORD="1").stdout
    assert "daemon" in words


def test_version_and_help_start_no_daemon() -> None:
    assert run("--version").stdout.startswith("tabmux, version ")
    assert "Agents' sessions" in run("--help").stdout


def test_unknown_command_is_named() -> None:
    result = run("sesion")
    assert result.returncode == 2
    assert "sesion" in result.stderr


def test_commands_import_no_server_code() -> None:
    code = (
        "import sys; from tabmux.cli.command_table import COMMANDS, load_command\n"
        "import tabmux.cli.root_command\n"
        "for name in COMMANDS: load_command(name)\n"
        "server = ('daemon', 'mcp', 'tools', 'page', 'sessions', 'browsers', 'bridge', 'cdp')\n"
        "print([name for name in server if f'tabmux.{name}' in sys.modules])\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "[]\n"


@pytest.mark.parametrize("heavy", ["click", "pydantic", "mcp_types", "tabmux.settings"])
def test_relay_imports_nothing_heavy(heavy: str) -> None:
    code = f"import sys, tabmux.__main__, tabmux.cli.stdio_relay; print({heavy!r} in sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "False\n"
