from __future__ import annotations

import pytest

from tabmux.tools.debugging.paging import paged


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        (0, "Showing 1-3 of 7 (Page 1 of 3).\nNext page: 1"),
        (1, "Showing 4-6 of 7 (Page 2 of 3).\nNext page: 2\nPrevious page: 0"),
        (2, "Showing 7-7 of 7 (Page 3 of 3).\nPrevious page: 1"),
        (9, "There is no page 9; showing the first.\nShowing 1-3 of 7 (Page 1 of 3)."),
    ],
)
def test_page_is_shown_with_the_way_to_the_others(index: int, expected: str) -> None:
    assert expected in paged("## Things", list("abcdefg"), 3, index, empty="none").text


def test_nothing_is_said_to_be_nothing() -> None:
    assert paged("## Things", [], None, 0, empty="none").text == "## Things\nnone"
