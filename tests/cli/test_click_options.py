from __future__ import annotations

from typing import Any

import click
import pytest
from click.testing import CliRunner

from tabmux.cli.click_options import SettingsCommand, setting_options
from tabmux.cli.commands.daemon_command import daemon
from tabmux.cli.commands.server_commands import serve
from tabmux.settings import resolve_settings


@click.command(cls=SettingsCommand)
@setting_options
def show(**flags: Any) -> None:
    settings = resolve_settings(flags, {})
    click.echo(f"{settings.port} {settings.headless} {settings.browser_url}")


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["--port", "7", "--headless"], "7 True ()"),
        (["--headless=false", "--browserUrl=a", "--browser-url", "b"], "3000 False ('a', 'b')"),
    ],
)
def test_command_reads_flags_as_a_relay_does(words: list[str], shown: str) -> None:
    assert CliRunner().invoke(show, words).stdout.strip() == shown


@pytest.mark.parametrize("words", [["--prot", "7"], ["--port", "many"], ["stray"], ["--port"]])
def test_wrong_flags_are_usage_errors(words: list[str]) -> None:
    result = CliRunner().invoke(show, words)
    assert result.exit_code == 2
    assert "Usage:" in result.stderr
    assert words[0] in result.stderr


def test_help_has_every_spelling() -> None:
    text = CliRunner().invoke(show, ["--help"]).stdout
    assert "--allowed-url-pattern" in text
    assert "--allowUrl" in text
    assert "--config" in text


@pytest.mark.parametrize("command", ["start", "restart", "install"])
@pytest.mark.parametrize("flags", [["--http"], ["--cluster", "redis://127.0.0.1"]])
def test_the_daemon_is_not_told_to_serve_http_which_it_would_not_do(
    command: str, flags: list[str]
) -> None:
    result = CliRunner().invoke(daemon, [command, *flags])
    assert result.exit_code == 2
    assert "tabmux serve --http" in result.stderr


def test_a_cluster_is_refused_where_there_is_one_client() -> None:
    result = CliRunner().invoke(serve, ["--stdio", "--cluster", "redis://127.0.0.1"])
    assert result.exit_code == 2
    assert "--cluster goes with --http" in result.stderr
