from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabmux.errors import Misuse, Refused
from tabmux.secrets.form_safety import hidden, refuse_unsafe
from tabmux.secrets.origins import origin_of
from tabmux.secrets.secret import Secrets, SecretText
from tabmux.secrets.usable_secrets import NeedsHuman, UsableSecrets
from tabmux.settings import resolve_settings

SHOP = "https://shop.example"
TABLE = {
    "name": "shop",
    "origins": (SHOP,),
    "username": "env:U",
    "password": "op://Work/Shop/password",
}


def secrets_of(**changes: Any) -> Secrets:
    table = {**TABLE, **changes}
    return Secrets.of([tuple((key, value) for key, value in table.items() if value is not None)])


def test_flag_names_an_origin_and_the_environment_has_the_value() -> None:
    (secret,) = Secrets.of([f"LOGIN={SHOP}/account", f"LOGIN={SHOP}:8443"])
    assert secret.origins == {SHOP, f"{SHOP}:8443"}
    assert secret.sources == {"value": "env:TABMUX_SECRET_LOGIN"}
    assert secret.approve == "always"


def test_table_names_sources_and_asks_unless_it_says_otherwise() -> None:
    (secret,) = secrets_of()
    assert secret.origins == {SHOP}
    assert secret.sources == {"username": "env:U", "password": "op://Work/Shop/password"}
    assert secret.approve == "ask"


def test_tables_come_from_the_file_beside_short_ones(tmp_path: Path) -> None:
    file = tmp_path / "tabmux.toml"
    file.write_text(
        f'''
        [[secret]]
        name = "shop"
        origins = ["{SHOP}"]
        password = "command:pass show 'my shop'"
        approve = "session"
        '''
    )
    settings = resolve_settings({"config": str(file)}, {})
    (secret,) = Secrets.of(settings.secret)
    assert (secret.name, secret.approve) == ("shop", "session")
    assert secret.sources == {"password": "command:pass show 'my shop'"}
    assert len({*settings.secret}) == 1
    flags = resolve_settings({"config": str(file), "secret": (f"LOGIN={SHOP}",)}, {})
    assert [each.name for each in Secrets.of(flags.secret)] == ["LOGIN"]


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"name": "a b"}, "name must be"),
        ({"origins": ()}, "origins must be"),
        ({"origins": 5}, "origins must be"),
        ({"origins": ("shop.example",)}, "origins must be"),
        ({"origins": ("http://shop.example",)}, "plain HTTP"),
        ({"approve": "never"}, "approve is one of"),
        ({"password": "hunter2"}, "password names no source"),
        ({"user": "env:U"}, "unknown key 'user'"),
        ({"username": None, "password": None}, "it has neither"),
    ],
)
def test_table_without_sense_is_refused(changes: dict[str, Any], what: str) -> None:
    with pytest.raises(Misuse, match=what) as caught:
        secrets_of(**changes)
    assert "hunter2" not in caught.value.text


@pytest.mark.parametrize("text", ["LOGIN", "=https://a.example", "LOGIN=nowhere", "A B=https://a"])
def test_flag_without_sense_is_refused(text: str) -> None:
    with pytest.raises(Misuse):
        Secrets.of([text])


def test_reference_stands_for_a_part_and_is_text_that_says_nothing() -> None:
    secrets = secrets_of(totp="otpauth://totp/x?secret=JBSWY3DPEHPK3PXP")
    found = secrets.meant("$secret:shop.totp")
    assert isinstance(found, SecretText)
    assert (found.part, str(found)) == ("totp", "$secret:shop.totp")
    bare = secrets.meant("$secret:shop")
    assert bare is not None
    assert bare.part == "password"
    assert secrets.meant("plain") is None


@pytest.mark.parametrize(
    "text", ["$secret:other", "$secret:shop.pin", "$secret:shop.totp", "$secret:", "$secret:a b"]
)
def test_reference_to_nothing_is_refused(text: str) -> None:
    with pytest.raises(Refused) as caught:
        secrets_of().meant(text)
    assert caught.value.code == "no_such_secret"


def test_secret_that_nobody_agreed_to_is_not_used() -> None:
    with pytest.raises(NeedsHuman):
        UsableSecrets(secrets_of()).meant("$secret:shop.password")
    usable = UsableSecrets(secrets_of(), frozenset({"shop"}))
    assert isinstance(usable.meant("$secret:shop.password"), SecretText)
    assert usable.meant("plain") == "plain"


async def test_value_that_could_not_be_hidden_is_not_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABMUX_SECRET_PIN", "123")
    found = Secrets.of([f"PIN={SHOP}"]).meant("$secret:PIN")
    assert found is not None
    with pytest.raises(Refused, match="too short"):
        await found.fetch(5)


@pytest.mark.parametrize(
    ("page", "frame", "action"),
    [
        (SHOP, SHOP, ""),
        (SHOP, SHOP, f"{SHOP}/login"),
        ("http://127.0.0.1:80", "http://127.0.0.1:80", "http://127.0.0.1:80/x"),
        ("http://localhost:5", "http://localhost:5", ""),
    ],
)
def test_safe_places_take_passwords(page: str, frame: str, action: str) -> None:
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


def test_passwords_are_taken_out_of_texts() -> None:
    assert hidden("user hunter2, not hunter", ["hunter2", "us"]) == "user •••, not hunter"
