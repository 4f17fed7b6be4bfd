"""Client settings: a client's flags are its own, or refused."""

from __future__ import annotations

from typing import Any

import pytest

from tabmux.daemon.client_settings import client_settings, without_client_settings
from tabmux.errors import Misuse
from tabmux.settings import Settings, resolve_settings, setting_fields

DAEMON = Settings(allow_path=("/srv",), redact_headers=("x-key",), idle_exit=5)


def test_every_setting_says_whom_it_concerns() -> None:
    scopes = {each.name: each.metadata["scope"] for each in setting_fields()}
    assert set(scopes.values()) == {"daemon", "browser", "session", "rule"}
    for name in ("port", "bridge", "allow_path", "secret", "destructive"):
        assert scopes[name] == "daemon"


def test_no_flags_mean_the_daemon_s_settings_and_browsers() -> None:
    found = client_settings(DAEMON, {})
    assert found.settings == DAEMON
    assert found.browsers == ()


@pytest.mark.parametrize(
    "flags",
    [
        {"tools": "+files"}, {"toolset": "focus"}, {"uid_style": "long"}, {"no_fence": True},
        {"reply_limit": 500}, {"viewport": "800x600"}, {"verbose": True},
    ],
)  # fmt: skip
def test_flags_of_the_session_are_taken_over(flags: dict[str, Any]) -> None:
    found = client_settings(DAEMON, flags)
    assert found.browsers == ()
    for name, value in flags.items():
        assert getattr(found.settings, name) == value


@pytest.mark.parametrize(
    "flags",
    [
        {"idle_exit": 6}, {"allow_path": ("/",)}, {"port": 1}, {"http": True},
        {"allow_scheme": ("file",)}, {"destructive": "hide"}, {"secret": ("a=b",)},
        {"allow_url": ("a.com",)}, {"deny_url": ("a.com",)}, {"redact_headers": ("off",)},
    ],
)  # fmt: skip
def test_what_concerns_everybody_or_cannot_be_held_is_refused(flags: dict[str, Any]) -> None:
    with pytest.raises(Misuse) as refused:
        client_settings(DAEMON, flags)
    assert "tabmux daemon restart" in refused.value.text


def test_what_the_daemon_has_already_is_fine() -> None:
    flags = {"allow_path": ("/srv",), "idle_exit": 5, "redact_headers": ("x-key",)}
    assert client_settings(DAEMON, flags).settings == DAEMON


def test_rules_can_be_narrower_and_not_wider() -> None:
    found = client_settings(DAEMON, {"read_only": True, "redact_headers": ("x-mine",)}).settings
    assert found.read_only
    assert found.redact_headers == ("x-key", "x-mine")
    with pytest.raises(Misuse, match="--read-only"):
        client_settings(Settings(read_only=True), {"read_only": False})


def test_browsers_of_a_client_are_its_own() -> None:
    (spec,) = client_settings(DAEMON, {"browser_url": ("http://127.0.0.1:1",)}).browsers
    assert not spec.stand_in
    (spec,) = client_settings(DAEMON, {"isolated": True, "headless": True}).browsers
    assert not spec.stand_in
    assert spec.identity is None
    (spec,) = client_settings(DAEMON, {"headless": True}).browsers
    assert spec.stand_in


def test_a_daemon_that_a_client_starts_keeps_what_concerns_everybody() -> None:
    flags = {"browser_url": ("http://a",), "tools": "+files", "idle_exit": 7, "read_only": True}
    kept = without_client_settings(resolve_settings(flags, {}))
    assert (kept.browser_url, kept.tools) == ((), "")
    assert (kept.idle_exit, kept.read_only) == (7, True)
