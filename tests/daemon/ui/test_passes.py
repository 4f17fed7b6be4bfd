from __future__ import annotations

import time

import pytest

from tabmux.daemon.ui.passes import Passes

HOST = "127.0.0.1:4000"


def test_a_link_becomes_a_cookie_for_one_host() -> None:
    known = Passes()
    cookie = known.admit(known.link("steer"), HOST)
    assert cookie is not None
    found = known.read(cookie, HOST)
    assert found is not None
    assert found.steers
    assert known.read(cookie, "127.0.0.1:4001") is None
    assert known.read(cookie, "") is None


def test_a_link_that_steers_works_once() -> None:
    known = Passes()
    link = known.link("steer")
    assert known.admit(link, HOST)
    assert known.admit(link, HOST) is None


def test_a_link_that_views_works_until_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    known = Passes()
    link = known.link("view", 60)
    first, second = known.admit(link, HOST), known.admit(link, HOST)
    assert first is not None
    assert second is not None
    one, two = known.read(first, HOST), known.read(second, HOST)
    assert one is not None
    assert two is not None
    assert one.person != two.person
    assert not one.steers

    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 61)
    assert known.admit(link, HOST) is None
    assert known.read(first, HOST) is None


def test_nothing_else_is_a_pass() -> None:
    known, other = Passes(), Passes()
    link = known.link("view", 60)
    cookie = known.admit(link, HOST)
    assert cookie is not None
    body, _, signature = cookie.partition(".")
    for text in ("", ".", link, f"{body}.", f"{body}A.{signature}", f"{body}.{signature}A"):
        assert known.read(text, HOST) is None
    assert other.admit(link, HOST) is None
    assert other.read(cookie, HOST) is None
    assert known.admit(cookie, HOST) is None
    assert known.read("é" * 1000, HOST) is None
