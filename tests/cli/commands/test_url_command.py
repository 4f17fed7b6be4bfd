"""Command url: a URL of its own for every agent."""

import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner

from tabmux.cli.commands.url_command import url
from tabmux.daemon.http.token_file import token_file


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))


def printed(*arguments: str) -> str:
    result = CliRunner().invoke(url, arguments)
    assert result.exit_code == 0, result.output
    return result.output.strip()


def test_url_has_the_token_and_the_session() -> None:
    found = urlsplit(printed("--session", "work", "--port", "4000"))
    assert found.netloc == "127.0.0.1:4000"
    assert parse_qs(found.query) == {
        "token": [token_file().read_text().strip()],
        "session": ["work"],
    }


def test_without_a_name_every_url_has_another_one() -> None:
    assert printed() != printed()


@pytest.mark.parametrize("client", ["claude-code", "codex", "cursor", "gemini", "json", "vscode"])
def test_clients_get_it_in_their_own_words(client: str) -> None:
    text = printed("--session", "a", "--client", client)
    assert "session=a" in text
    if text.startswith("{"):
        (servers,) = json.loads(text).values()
        assert "session=a" in servers["tabmux"]["url"]


def test_a_name_that_would_need_quoting_is_refused() -> None:
    result = CliRunner().invoke(url, ["--session", "a b"])
    assert result.exit_code == 2
    assert "64 letters" in result.output
