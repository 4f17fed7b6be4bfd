"""Addresses say which page they lead to."""

from __future__ import annotations

import pytest

from tabmux.pagetools.language.page_arithmetic import differing_size, page_number


@pytest.mark.parametrize(
    ("href", "counted"),
    [
        ("?page=3", ("page", 3)),
        ("/forum?f=2&start=40", ("start", 40)),
        ("/blog/page/7/", ("path", 7)),
        ("/list-p2/", ("path", 2)),
        ("#page-4", ("path", 4)),
        ("/items?id=77", None),
        ("/about", None),
    ],
)
def test_pages_and_offsets_are_counted(href: str, counted: tuple[str, int] | None) -> None:
    assert page_number(href) == counted


def test_sizes_are_no_pages() -> None:
    assert differing_size(["?per_page=10", "?per_page=50"])
    assert not differing_size(["?page=1&per_page=10", "?page=2&per_page=10"])
