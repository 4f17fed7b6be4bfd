import math

import numpy as np
import pytest

from tabmux.analysis.heap.query_options import SizeRange, TableView
from tabmux.errors import BadArguments


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("1024", 1024, math.inf),
        ("1MB", 1_000_000, math.inf),
        ("1MB-2MB", 1_000_000, 2_000_000),
        ("-1MB", 0, 1_000_000),
        ("1 KiB - 2k", 1024, 2000),
        ("1.5GB-", 1_500_000_000, math.inf),
        ("7 bytes-8b", 7, 8),
        ("0-1TiB", 0, 1024**4),
    ],
)
def test_range_is_read(text: str, least: int, most: float) -> None:
    assert SizeRange.parse(text) == SizeRange(least, most)


@pytest.mark.parametrize("text", ["", "-", " - ", "abc", "1XB", "5i", "2MB-1MB", "1-2-3", "-1-"])
def test_what_is_no_range_is_refused_with_a_hint(text: str) -> None:
    with pytest.raises(BadArguments) as caught:
        SizeRange.parse(text)
    assert caught.value.hint


def test_page_is_a_part_of_the_whole() -> None:
    assert TableView(page=1, size=2).pick("abcde") == "cd"
    assert TableView(page=2, size=2).numbers(np.arange(5)) == [4]
    assert TableView().pick([]) == []


def test_caption_says_how_to_go_on() -> None:
    assert TableView(page=0, size=2).caption(5) == "rows 1-2 of 5; pageIdx 1 goes on"
    assert TableView(page=2, size=2).caption(5) == "rows 5-5 of 5"
    assert TableView().caption(0) == "no rows"


def test_page_behind_the_end_is_refused_with_the_last() -> None:
    with pytest.raises(BadArguments) as caught:
        TableView(page=3, size=2).pick("abcde")
    assert "page 2" in caught.value.hint
    with pytest.raises(BadArguments):
        TableView(page=1).pick("")


@pytest.mark.parametrize("wrong", [{"page": -1}, {"size": 0}, {"name_length": 0}])
def test_impossible_view_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(BadArguments):
        TableView(**wrong)


def test_name_fits_into_a_line() -> None:
    assert TableView(name_length=5).name("a\nb\rc\td") == "a\\nb\\rc…"
