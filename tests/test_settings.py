from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tabmux.errors import Misuse
from tabmux.settings import (
    Settings,
    flag_words,
    parse_flags,
    read_environment,
    resolve_settings,
    setting_fields,
    with_absolute_paths,
)


def test_flag_beats_environment_beats_file(tmp_path: Path) -> None:
    file = tmp_path / "tabmux.toml"
    file.write_text('port = 1\nhost = "file"\nuid-style = "long"\n')
    settings = resolve_settings(
        {"port": 3, "config": file}, {"TABMUX_PORT": "2", "TABMUX_HOST": "environment"}
    )
    assert (settings.port, settings.host, settings.uid_style) == (3, "environment", "long")
    sources = [settings.source(name) for name in ("port", "host", "uid_style", "http")]
    assert sources == ["flag", "environment", "file", "default"]


def test_lists_come_from_every_place(tmp_path: Path) -> None:
    file = tmp_path / "tabmux.toml"
    file.write_text('browser_url = ["http://a", "http://b"]\nheadless = true\n')
    assert resolve_settings({"config": file}, {}).browser_url == ("http://a", "http://b")
    assert resolve_settings({"config": file}, {"TABMUX_BROWSER_URL": "http://c"}).browser_url == (
        "http://c",
    )
    assert resolve_settings({"config": file}, {"TABMUX_HEADLESS": "0"}).headless is False


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prot = 1", "Did you mean port"),
        ("port = 'many'", "right kind"),
        ("headless = 'maybe'", "right kind"),
        ("uid_style = 'huge'", "none of short, long"),
        ("port =", "Could not read"),
        ("port = 65536", "is not between 0 and 65535"),
        ("port = true", "right kind"),
        ("secret = [[]]", "right kind"),
        ("port = 3.7", "right kind"),
        ("browser = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("port = " + "[" * 90 + "]" * 90, "right kind"),
    ],
)
def test_mistakes_in_the_file_are_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "tabmux.toml"
    file.write_text(text)
    with pytest.raises(Misuse) as caught:
        resolve_settings({"config": file}, {})
    assert message in f"{caught.value.message} {caught.value.hint}"


def test_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(Misuse):
        resolve_settings({"config": tmp_path / "missing.toml"}, {})


def test_defaults_are_safe() -> None:
    settings = Settings()
    assert settings.host == "127.0.0.1"
    assert not settings.no_auth


def test_every_setting_has_help() -> None:
    assert all(each.metadata["help"] for each in setting_fields())


def test_flags_are_read_in_both_spellings() -> None:
    words = ["--browser-url", "http://a", "--browserUrl=http://b", "--headless", "--port=7"]
    assert parse_flags([*words, "--config", "x.toml", "--isolated=false"]) == {
        "browser_url": ("http://a", "http://b"),
        "headless": True,
        "port": 7,
        "config": os.path.abspath("x.toml"),
        "isolated": False,
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--browser-ulr", "x"], "Did you mean --browser-url?"),
        (["plain"], "Unknown option plain"),
        (["--port"], "needs a value"),
        (["--port", "many"], "right kind"),
        (["--headless=maybe"], "right kind"),
        (["--uid-style", "huge"], "none of short, long"),
        (["--port", "80000"], "80000 is not between 0 and 65535"),
        (["--bridge-port=-1"], "-1 is not between 0 and 65535"),
        (["--idle-exit", "9" * 400], "is not between"),
        (["--versio"], "Did you mean --version?"),
        (["--hepl"], "Did you mean --help?"),
    ],
)
def test_wrong_flags_are_named(words: list[str], message: str) -> None:
    with pytest.raises(Misuse) as caught:
        parse_flags(words)
    assert message in f"{caught.value.message} {caught.value.hint}"


def test_flags_of_the_peer_mean_ours() -> None:
    flags = parse_flags(
        ["--allowedUrlPattern", "a.com", "--allow-url=b.com", "--workspace", "/srv"]
    )
    assert flags == {"allow_url": ("a.com", "b.com"), "allow_path": ("/srv",)}


def test_flags_survive_being_written_and_parsed_again() -> None:
    words = ["--browser-url", "http://a", "--browser-url", "http://b", "--headless", "--port", "7"]
    assert flag_words(parse_flags(words)) == words


def test_only_the_file_can_describe_browsers() -> None:
    with pytest.raises(Misuse, match="Unknown option --browser"):
        parse_flags(["--browser", "x"])


def test_only_settings_are_read_from_the_environment() -> None:
    variables = {"TABMUX_READ_ONLY": "yes", "TABMUX_DENY_URL": "a.com\nb.com", "TABMUX_OTHER": "1"}
    assert read_environment(variables) == {
        "read_only": True,
        "deny_url": ("a.com", "b.com"),
    }


def test_extension_looks_for_the_bridge_where_it_listens() -> None:
    script = Path(__file__).parents[1] / "extension" / "store.js"
    ports = re.findall(r"\bport: (\d+),", script.read_text(encoding="utf-8"))
    assert ports == [str(Settings.bridge_port)]


def test_file_that_is_no_text_is_an_error_in_words(tmp_path: Path) -> None:
    file = tmp_path / "tabmux.toml"
    file.write_bytes(b'host = "\xe9"')
    with pytest.raises(Misuse, match="Could not read the configuration"):
        resolve_settings({"config": file}, {})


def test_paths_in_the_file_are_meant_from_its_folder(tmp_path: Path) -> None:
    file = tmp_path / "tabmux.toml"
    file.write_text(
        'log-file = "a.log"\npolicy = "p.toml"\nallow_path = ["b", "/c"]\nexecutable_path = "chromium"\n'
        '[[browser]]\nuser-data-dir = "d"\nexecutable_path = "./e"\nname = "f"\n'
    )
    found = resolve_settings({"config": file}, {})
    assert found.log_file == str(tmp_path / "a.log")
    assert found.policy == str(tmp_path / "p.toml")
    assert found.allow_path == (str(tmp_path / "b"), "/c")
    assert found.executable_path == "chromium"
    assert dict(found.browser[0]) == {
        "user-data-dir": str(tmp_path / "d"),
        "executable_path": str(tmp_path / "e"),
        "name": "f",
    }


def test_paths_of_flags_and_variables_are_meant_from_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/somebody")
    flags = parse_flags(["--user-data-dir", "a", "--log-file=~/b", "--executable-path", "chrome"])
    assert flags["user_data_dir"] == str(tmp_path / "a")
    assert flags["log_file"] == "/home/somebody/b"
    assert flags["executable_path"] == "chrome"
    variables = {"TABMUX_ALLOW_PATH": "a\n../b", "TABMUX_LOG_FILE": "c", "HOME": "/h"}
    assert with_absolute_paths(variables) == {
        "TABMUX_ALLOW_PATH": f"{tmp_path / 'a'}\n{tmp_path.parent / 'b'}",
        "TABMUX_LOG_FILE": str(tmp_path / "c"),
        "HOME": "/h",
    }
