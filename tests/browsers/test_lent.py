from __future__ import annotations

from collections.abc import Callable

from tabmux.browsers.lent import LentSpec
from tabmux.cdp.transports import Transport


async def nobody(given_up: Callable[[], bool]) -> Transport:
    raise AssertionError("not reached in these tests")


def test_same_profile_is_the_same_browser() -> None:
    one, two = LentSpec("p", nobody, name="work"), LentSpec("p", nobody)
    assert one.same_as(two)
    assert not one.same_as(LentSpec("q", nobody))


def test_lent_browser_is_named_by_its_extension() -> None:
    assert LentSpec("p", nobody, name="work").label == "extension work"
