from __future__ import annotations

import json

import pytest

from tabmux.daemon.ui.person_input import part
from tabmux.daemon.ui.routes import VIEW_MINUTES, link_minutes


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ("0.25", 0.25), ("-3", 0.0), ("7", 1.0), ("NaN", 0.0), ("Infinity", 1.0), ("-Infinity", 0.0),
        ("1" + "0" * 400, 1.0), ('"x"', 0.0), ("null", 0.0),
    ],
)  # fmt: skip
def test_a_place_is_inside_of_the_picture_whatever_is_sent(given: str, place: float) -> None:
    assert part(json.loads(given)) == place


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("5", 5), ("", VIEW_MINUTES), ("0", VIEW_MINUTES), ("x", VIEW_MINUTES), ("9" * 9_000, 10_080)],
)
def test_a_link_is_valid_for_a_time_whatever_is_sent(text: str, minutes: int) -> None:
    assert link_minutes(text) == minutes
