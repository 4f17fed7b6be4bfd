from __future__ import annotations

from typing import Any

import click
import pytest
from click.testing import CliRunner

from tabmux.cli.click_options import SettingsCommand, setting_options
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
