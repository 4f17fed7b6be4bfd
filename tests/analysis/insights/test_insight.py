from __future__ import annotations

import pytest

from tabmux.analysis.insights.insight import Savings, duration, element, milliseconds, size
from tabmux.content import count


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0, "0 ms"), (0.83, "0.8 ms"), (9.94, "9.9 ms"), (9.96, "10 ms"), (1620.6, "1621 ms")],
)
def test_durations_are_rounded_to_what_matters(ms: float, text: str) -> None:
    assert milliseconds(ms) == text


@pytest.mark.parametrize(
    ("bytes_", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (999.6, "1 kB"),
        (1000, "1 kB"),
        (71_652, "71.7 kB"),
        (999_960, "1 MB"),
        (1_275_978, "1.3 MB"),
    ],
)
def test_sizes_are_decimal(bytes_: float, text: str) -> None:
    assert size(bytes_) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (59, "59 s"), (60, "1 min"), (5400, "1.5 h"), (259_200, "3 d")],
)
def test_lifetimes_are_given_in_the_largest_fitting_unit(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_things_are_counted_and_named() -> None:
    assert (count(1, "shift"), count(2, "shift"), count(2, "match", "matches")) == (
        "1 shift",
        "2 shifts",
        "2 matches",
    )
    assert (element("IMG", 3), element("IMG", 0)) == ("IMG [node 3]", "IMG")


def test_savings_name_what_they_save() -> None:
    assert str(Savings(12, 3400)) == "12 ms, 3.4 kB"
    assert str(Savings()) == ""
