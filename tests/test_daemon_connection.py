from __future__ import annotations

import os

import pytest

from tabmux.daemon_connection import PATH_FLAGS, environment_flags, with_absolute_paths
from tabmux.settings import parse_flags, path_flags


def test_settings_of_the_environment_go_with_the_flags() -> None:
    variables = {"TABMUX_READ_ONLY": "1", "TABMUX_DENY_URL": "a.com\nb.com", "TABMUX_OTHER": "1"}
    words = environment_flags({**variables, "TABMUX_NO_JAVASCRIPT_EVALUATION": "0"})
    assert parse_flags(words) == {"read_only": True, "deny_url": ("a.com", "b.com")}
    assert environment_flags({"TABMUX_SESSION": "a", "HOME": "/"}) == []


@pytest.mark.parametrize(
    ("flag", "name"),
    [
        ("--config", "config"),
        ("--executable-path", "executable_path"),
        ("--userDataDir", "user_data_dir"),
        ("--log-file", "log_file"),
        ("--policy", "policy"),
    ],
)
def test_paths_are_absolute_for_the_daemon(flag: str, name: str) -> None:
    for words in ([flag, "a/b"], [f"{flag}=a/b"]):
        assert parse_flags(with_absolute_paths([*words, "--headless"])) == {
            name: os.path.abspath("a/b"),
            "headless": True,
        }


def test_folders_under_every_name_are_absolute_for_the_daemon() -> None:
    for flag in ("--allow-path", "--allowPath", "--filesystem-root", "--workspace"):
        words = with_absolute_paths([flag, "a", flag, "/b"])
        assert parse_flags(words) == {"allow_path": (os.path.abspath("a"), "/b")}


def test_flags_without_paths_are_passed_on_as_they_are() -> None:
    assert with_absolute_paths(["--oops"]) == ["--oops"]


def test_clients_know_every_flag_that_is_a_path() -> None:
    assert {name.replace("_", "") for name in path_flags()} == PATH_FLAGS
