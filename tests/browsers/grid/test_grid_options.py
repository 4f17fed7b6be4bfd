from __future__ import annotations

from typing import Any

import pytest

from tabmux.browsers.grid.grid_options import PASSWORD_VARIABLE, USERNAME_VARIABLE, grid_options
from tabmux.errors import Misuse
from tabmux.settings import resolve_settings

HUB = "http://127.0.0.1:4444"
CREDENTIALS = {USERNAME_VARIABLE: "me", PASSWORD_VARIABLE: "secret"}


def test_options_have_defaults() -> None:
    options = grid_options(f"{HUB}/", {}, {})
    assert (options.url, options.max_browsers, options.warm) == (HUB, 40, 2)
    assert options.sessions_per_browser == 16
    assert options.retire == 4 * 3600


def test_table_of_the_file_is_read(tmp_path: Any) -> None:
    file = tmp_path / "tabmux.toml"
    file.write_text(
        '[grid]\nurl = "http://127.0.0.1:4444"\nmax-browsers = 3\nretire = "90m"\n'
        'isolation = "browser"\ncapabilities = { platformName = "linux" }\n'
    )
    settings = resolve_settings({"config": str(file)}, {})
    assert settings.grid == HUB
    options = grid_options(settings.grid, dict(settings.grid_options), {})
    assert (options.max_browsers, options.retire, options.sessions_per_browser) == (3, 5400, 1)
    assert options.capabilities == {"browserName": "chrome", "platformName": "linux"}


def test_flag_names_another_hub_and_keeps_the_rest_of_the_table(tmp_path: Any) -> None:
    file = tmp_path / "tabmux.toml"
    file.write_text('[grid]\nurl = "http://127.0.0.1:4444"\nwarm = 0\n')
    settings = resolve_settings({"config": str(file), "grid": "http://127.0.0.1:5"}, {})
    assert settings.grid == "http://127.0.0.1:5"
    assert dict(settings.grid_options) == {"warm": 0}


@pytest.mark.parametrize(
    "table",
    [
        {"max-browsers": 0},
        {"agents-per-browser": "many"},
        {"warm": -1},
        {"queue": True},
        {"retire": "soon"},
        {"retire": 0},
        {"isolation": "none"},
        {"capabilities": "chrome"},
        {"colour": "red"},
    ],
)
def test_wrong_values_are_refused(table: dict[str, Any]) -> None:
    with pytest.raises(Misuse, match=r"\[grid\]"):
        grid_options(HUB, table, {})


@pytest.mark.parametrize(
    ("url", "environment"),
    [
        ("hub:4444", {}),
        ("ftp://hub", {}),
        ("http://[", {}),
        ("http://127.0.0.1:notaport", {}),
        ("https://me:secret@127.0.0.1", {}),
        ("http://hub.example:4444", CREDENTIALS),
        ("https://hub.example:4444", {}),
        ("https://hub.example:4444", {USERNAME_VARIABLE: "me"}),
    ],
)
def test_hub_elsewhere_needs_encryption_and_credentials(
    url: str, environment: dict[str, str]
) -> None:
    with pytest.raises(Misuse):
        grid_options(url, {}, environment)


def test_credentials_come_from_the_environment_and_are_not_shown() -> None:
    options = grid_options("https://hub.example:4444", {}, CREDENTIALS)
    assert (options.username, options.password) == ("me", "secret")
    assert "secret" not in repr(options)


def test_certificates_of_authorities_are_read_once() -> None:
    options = grid_options("https://hub.example:4444", {}, CREDENTIALS)
    assert options.tls is not None
    assert options.tls is options.tls
    assert grid_options(HUB, {}, {}).tls is None
