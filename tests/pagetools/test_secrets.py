from __future__ import annotations

import pytest

from tabmux.errors import Misuse, Refused
from tabmux.pagetools.secrets import Secrets, hidden, origin_of, refuse_unsafe
from tabmux.policy.rule_source import RuleSource

SHOP = "https://shop.example"


def test_secret_is_given_to_its_origin_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABMUX_SECRET_LOGIN", "hunter2")
    secrets = Secrets.of([f"LOGIN={SHOP}/account"])
    assert secrets.resolved("$secret:LOGIN", SHOP) == "hunter2"
    with pytest.raises(Refused, match=r"may not be given to https://evil.example"):
        secrets.resolved("$secret:LOGIN", "https://evil.example")


def test_secret_that_the_policy_file_does_not_name_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TABMUX_SECRET_LOGIN", "hunter2")
    rule = RuleSource("[session.work]", "secrets", "/policy.toml", 7)
    secrets = Secrets.of([f"LOGIN={SHOP}"])
    with pytest.raises(Refused, match=r"`secrets` of \[session.work\] \(policy.toml:7\)"):
        secrets.limited(frozenset({"OTHER"}), rule).resolved("$secret:LOGIN", SHOP)
    assert secrets.limited(frozenset({"LOGIN"}), rule).resolved("$secret:LOGIN", SHOP) == "hunter2"
    assert secrets.limited(None, None) is secrets


def test_other_values_stay_as_they_are() -> None:
    assert Secrets().resolved("plain", SHOP) == "plain"
    assert Secrets().resolved(5, SHOP) == 5


def test_unknown_or_empty_secret_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TABMUX_SECRET_LOGIN", raising=False)
    with pytest.raises(Refused) as caught:
        Secrets().resolved("$secret:LOGIN", SHOP)
    assert caught.value.code == "no_such_secret"
    with pytest.raises(Refused, match="has no value"):
        Secrets.of([f"LOGIN={SHOP}"]).resolved("$secret:LOGIN", SHOP)


@pytest.mark.parametrize("text", ["LOGIN", "=https://a.example", "LOGIN=nowhere", "A B=https://a"])
def test_setting_without_sense_is_refused(text: str) -> None:
    with pytest.raises(Misuse):
        Secrets.of([text])


@pytest.mark.parametrize(
    ("page", "frame", "action"),
    [
        (SHOP, SHOP, ""),
        (SHOP, SHOP, f"{SHOP}/login"),
        ("http://127.0.0.1:80", "http://127.0.0.1:80", "http://127.0.0.1:80/x"),
        ("http://localhost:5", "http://localhost:5", ""),
    ],
)
def test_safe_places_take_secrets(page: str, frame: str, action: str) -> None:
    refuse_unsafe(origin_of(page), origin_of(frame), action)


@pytest.mark.parametrize(
    ("page", "frame", "action"),
    [
        ("http://shop.example", "http://shop.example", ""),
        (SHOP, SHOP, "http://shop.example/login"),
        (SHOP, SHOP, "https://evil.example/login"),
        (SHOP, "https://evil.example", ""),
        (SHOP, SHOP, "javascript:void(0)"),
    ],
)
def test_unsafe_places_take_none(page: str, frame: str, action: str) -> None:
    with pytest.raises(Refused):
        refuse_unsafe(page, frame, action)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://a.example:443/x?y#z", "https://a.example"),
        ("http://a.example:8080/", "http://a.example:8080"),
        ("http://[::1]:80/", "http://[::1]"),
        ("data:text/html,x", "null"),
        ("https://a.example:port/", "null"),
    ],
)
def test_origin_is_written_as_browsers_do(url: str, origin: str) -> None:
    assert origin_of(url) == origin


def test_secrets_are_taken_out_of_texts() -> None:
    assert hidden("user hunter2, not hunter", ["hunter2", "us"]) == "user •••, not hunter"
