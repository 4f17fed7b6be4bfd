from __future__ import annotations

import pytest

from tabmux.analysis.trace.call_frames import CallFrame, short_url


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://shop.test/js/app.js?v=1#x", "app.js"),
        ("https://shop.test/", "shop.test/"),
        ("https://shop.test", "shop.test"),
        ("file:///tmp/page.html", "page.html"),
        ("about:blank", "about:blank"),
        ("https://shop.test/js/" + "x" * 100, "x" * 60 + "…"),
        ("data:text/javascript," + "x" * 100, "data:text/javascript," + "x" * 39 + "…"),
    ],
)
def test_url_is_shortened_to_what_tells_it_apart(url: str, expected: str) -> None:
    assert short_url(url) == expected


def test_place_reads_like_a_stack_line() -> None:
    assert str(CallFrame("go", "https://shop.test/app.js", 8, 3)) == "go app.js:8:3"
    assert str(CallFrame("", "https://shop.test/app.js", 8)) == "(anonymous) app.js:8"
    assert str(CallFrame("(program)")) == "(program)"
