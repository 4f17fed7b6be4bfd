from __future__ import annotations

import pytest

from tabmux.policy.header_redaction import Redaction


@pytest.mark.parametrize(
    ("header", "shown"),
    [("Cookie", False), ("authorization", False), ("X-Session-Token", False), ("Accept", True)],
)
def test_credentials_in_headers_are_redacted(header: str, shown: bool) -> None:
    assert (Redaction().shown(header, "value") == "value") is shown


def test_further_headers_are_hidden_when_asked() -> None:
    redaction = Redaction.of(["X-Internal, x-other", "X-Third"])
    for name in ("x-internal", "X-OTHER", "x-third", "Cookie"):
        assert redaction.shown(name, "value") == "<redacted>"
    assert redaction.shown("Accept", "value") == "value"


def test_nothing_is_hidden_when_switched_off() -> None:
    assert Redaction.of(["off"]).shown("Cookie", "value") == "value"
