from __future__ import annotations

import pytest

from tabmux.analysis.css.matched_styles import TextFlow

CASES = [
    ("margin-block-start", "horizontal-tb", "ltr", "margin-top"),
    ("margin-inline-start", "horizontal-tb", "ltr", "margin-left"),
    ("margin-inline-start", "horizontal-tb", "rtl", "margin-right"),
    ("margin-block-start", "vertical-rl", "ltr", "margin-right"),
    ("margin-block-end", "vertical-lr", "ltr", "margin-right"),
    ("padding-inline-end", "vertical-rl", "ltr", "padding-bottom"),
    ("padding-inline-end", "sideways-lr", "ltr", "padding-top"),
    ("border-inline-start-width", "horizontal-tb", "ltr", "border-left-width"),
    ("inset-block-end", "horizontal-tb", "ltr", "bottom"),
    ("inline-size", "horizontal-tb", "ltr", "width"),
    ("min-block-size", "vertical-rl", "ltr", "min-width"),
    ("overflow-block", "horizontal-tb", "ltr", "overflow-y"),
    ("scroll-margin-block-start", "horizontal-tb", "ltr", "scroll-margin-top"),
    ("margin-top", "vertical-rl", "rtl", "margin-top"),
    ("--inline", "horizontal-tb", "ltr", "--inline"),
    ("color", "horizontal-tb", "ltr", "color"),
]


@pytest.mark.parametrize(("name", "mode", "direction", "physical"), CASES)
def test_logical_property_is_the_side_it_means(
    name: str, mode: str, direction: str, physical: str
) -> None:
    assert TextFlow(mode, direction).physical(name) == physical
