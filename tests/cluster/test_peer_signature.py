from __future__ import annotations

import pytest

from tabmux.cluster.handles import key_from
from tabmux.cluster.peer_signature import ForwardedRequest, PeerSignature, digest_of

KEY = key_from("secret")
REQUEST = ForwardedRequest("daemon", "10.0.0.1", digest_of(b"body"))


def signature(at: float = 1000.0, key: bytes = KEY) -> PeerSignature:
    return PeerSignature(key, lambda: at)


def test_what_a_daemon_has_signed_is_taken() -> None:
    header = signature().sign(REQUEST, "POST", "/mcp?session=shop")
    found = signature(1059.0).check(header, "POST", "/mcp?session=shop")
    assert found == REQUEST
    assert REQUEST.fits(b"body")
    assert not REQUEST.fits(b"another")


@pytest.mark.parametrize(("method", "target"), [("GET", "/mcp"), ("POST", "/mcp?x"), ("POST", "/")])
def test_signature_is_good_for_one_request_only(method: str, target: str) -> None:
    header = signature().sign(REQUEST, "POST", "/mcp")
    assert signature().check(header, method, target) is None


def test_old_signature_and_that_of_another_key_are_refused() -> None:
    header = signature().sign(REQUEST, "POST", "/mcp")
    assert signature(1061.0).check(header, "POST", "/mcp") is None
    assert signature(939.0).check(header, "POST", "/mcp") is None
    assert signature(key=key_from("other")).check(header, "POST", "/mcp") is None


def test_client_and_body_cannot_be_exchanged() -> None:
    words = signature().sign(REQUEST, "POST", "/mcp").split(" ")
    for place, changed in ((0, "other"), (1, "1001"), (2, "10.0.0.2"), (3, digest_of(b"evil"))):
        other = [*words[:place], changed, *words[place + 1 :]]
        assert signature().check(" ".join(other), "POST", "/mcp") is None


@pytest.mark.parametrize("header", ["", "a", "a b c d e", "   ", "é 1 - - x", "a x - - y"])
def test_noise_is_refused(header: str) -> None:
    assert signature().check(header, "POST", "/mcp") is None


def test_request_whose_client_is_unknown_can_be_signed() -> None:
    request = ForwardedRequest("daemon", "", digest_of(b""))
    header = signature().sign(request, "GET", "/mcp")
    assert signature().check(header, "GET", "/mcp") == request
