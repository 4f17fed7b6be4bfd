from __future__ import annotations

import json
from typing import Any

import pytest

from tabmux.record.redaction import ArgumentRedaction, without, without_credentials


def redacted(given: dict[str, Any], **options: Any) -> tuple[dict[str, Any], list[str]]:
    redaction = ArgumentRedaction(**options)
    return redaction.arguments(given), redaction.hidden


def test_what_was_typed_into_a_hidden_field_is_named_after_it() -> None:
    given = {"elements": [{"uid": "a1_1", "value": "me"}, {"uid": "a1_2", "value": "s3cret"}]}
    found, hidden = redacted(given, typed={"s3cret"}, names={"elements.1": "New password"})
    assert found["elements"][0]["value"] == "me"
    assert found["elements"][1]["value"] == "<hidden new_password>"
    assert hidden == ["new_password"]


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ({"otp": 123456}, {}),
        ({"arguments": {"pin": [1, 2.5]}}, {}),
        ({"arguments": '{"cvc": 123}'}, {}),
        ({"elements": [{"uid": "a1_1", "value": 123456}]}, {"hides_typed": True}),
        ({"input": {"amount": 12.5, "card": 4111111111111111}}, {"hides_all": True}),
        ({"arguments": {"card": 4111111111111111}}, {"typed": {"4111111111111111"}}),
        ({"args": [4111111111111111.0]}, {"typed": {"4111111111111111"}}),
        ({"args": [987654]}, {"taken_out": lambda text: text.replace("987654", "•••")}),
    ],
)
def test_numbers_are_hidden_as_texts_are(given: dict[str, Any], options: dict[str, Any]) -> None:
    found, hidden = redacted(given, **options)
    assert not any(figure in json.dumps(found).replace("a1_1", "") for figure in "123456789")
    assert hidden


def test_numbers_that_say_nothing_stay() -> None:
    given = {"pageId": 3, "x": 12.5, "deep": {"dblClick": True, "none": None, "n": 0}}
    assert redacted(given, typed={"4711", "True"}) == (given, [])
    assert redacted({"pageId": 3, "value": 3}, typed={"3"})[0]["pageId"] == 3


def test_json_text_is_read_and_what_cannot_be_read_is_hidden() -> None:
    found, _ = redacted({"headers": '{"Authorization": "Bearer x", "Accept": "text/html"}'})
    assert found["headers"] == '{"Authorization": "<hidden authorization>", "Accept": "text/html"}'
    found, hidden = redacted({"arguments": '{"password": '})
    assert found["arguments"] == "<hidden arguments>"
    assert hidden == ["arguments"]


def test_the_name_of_a_secret_stays() -> None:
    found, hidden = redacted({"value": "$secret:bank.password", "secret": "bank"})
    assert found == {"value": "$secret:bank.password", "secret": "bank"}
    assert hidden == []


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.example/?page=2", "https://a.example/?page=2"),
        ("https://a.example/?access_token=x&page=2", "https://a.example/?access_token=<hidden access_token>&page=2"),
        ("https://me:pw@a.example/", "https://<hidden credentials>@a.example/"),
        ("https://a.example/#id_token=x", "https://a.example/#id_token=<hidden id_token>"),
        ("https://a.example/?q=s3cret", "https://a.example/?q=<hidden q>"),
        ("http://[broken", "http://[broken"),
    ],
)  # fmt: skip
def test_addresses_keep_what_is_no_credential(url: str, shown: str) -> None:
    assert ArgumentRedaction(typed={"s3cret"}).url(url) == shown


def test_credentials_are_taken_out_of_texts() -> None:
    text = 'link "x" url="/reset?reset_token=abc&b=1" see https://u:p@h.example/ a@b.example'
    assert without_credentials(text) == (
        'link "x" url="/reset?reset_token=<hidden reset_token>&b=1" '
        "see https://<hidden credentials>@h.example/ a@b.example"
    )


def test_what_was_typed_is_taken_out_of_texts_in_the_spelling_of_addresses_too() -> None:
    assert without("a p w0rd! b p%20w0rd%21", ["p w0rd!"]) == "a <hidden value> b <hidden value>"


def test_a_long_text_is_cut() -> None:
    found, _ = redacted({"function": "x" * 30_000})
    assert len(found["function"]) == 20_001


def test_nothing_is_left_of_what_was_typed_where_a_text_is_cut() -> None:
    for before in (19_990, 39_990):
        found, _ = redacted(
            {"function": "x" * before + "s3cret-password"}, typed={"s3cret-password"}
        )
        assert "s3c" not in found["function"]


def test_all_arguments_together_are_cut() -> None:
    found, _ = redacted({"args": ["x" * 1000] * 5000, "more": {"a": "x" * 1000}})
    assert len(json.dumps(found)) < 300_000
    found, _ = redacted({"args": {f"k{n}": n for n in range(100_000)}, "list": [0] * 1_000_000})
    assert len(json.dumps(found)) < 1_000_000
