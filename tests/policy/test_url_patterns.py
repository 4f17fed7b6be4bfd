from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.errors import Misuse
from tabmux.policy.url_parser import parse_url
from tabmux.policy.url_patterns import glob_matches, parse_pattern


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("example.com", ["https://example.com/", "http://example.com:8080/x?y", "wss://example.com/"],
         ["https://www.example.com/", "https://example.com.evil.org/", "https://evilexample.com/"]),
        ("*.example.com", ["https://example.com/", "https://a.b.example.com/"],
         ["https://notexample.com/", "https://example.com.evil.org/"]),
        ("https://example.com", ["https://example.com/x", "wss://example.com/s"], ["http://example.com/"]),
        ("https://example.com/", ["https://example.com/anything"], ["http://example.com/"]),
        ("https://example.com/docs/*", ["https://example.com/docs/", "https://example.com/docs/a/b?c"],
         ["https://example.com/docs", "https://example.com/x", "https://example.com/docs/../x",
          "https://example.com/docs/%2e%2e/x", "https://example.com/docs/..%2fx"]),
        ("https://example.com/find?q=*", ["https://example.com/find?q=1"], ["https://example.com/find"]),
        ("localhost:3000", ["http://localhost:3000/"], ["http://localhost:3001/", "http://127.0.0.1:3000/"]),
        ("localhost:*", ["http://localhost:1/"], ["http://other/"]),
        ("http://127.0.0.1:80", ["http://0x7f.1/"], ["http://127.0.0.1:81/"]),
        ("10.*", ["http://10.1.2.3/"], ["http://10.evil.com/", "http://110.1.2.3/"]),
        ("*://*/*.png", ["http://x/a.png"], ["http://x/a.jpg"]),
        ("app-*.example.com", ["http://app-1.example.com/"], ["http://web.example.com/"]),
        ("bücher.de", ["http://xn--bcher-kva.de/"], ["http://bucher.de/"]),
        ("file:///srv/*", ["file:///srv/a"], ["file:///etc/passwd", "file:///srv/../etc/passwd"]),
        ("*", ["http://x/", "wss://y:1/z"], ["file:///x"]),
        ("data:*", ["data:text/html,x"], ["http://x/"]),
    ],
)  # fmt: skip
def test_pattern_means_what_it_says(pattern: str, matching: list[str], other: list[str]) -> None:
    made = parse_pattern(pattern)
    assert [url for url in matching if not made.matches(parse_url(url))] == []
    assert [url for url in other if made.matches(parse_url(url))] == []


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost/",
        "http://127.0.0.1/",
        "http://127.9.9.9/",
        "http://[::1]/",
        "http://0/",
        "http://x.localhost/",
    ],
)
def test_what_denies_one_name_of_this_machine_denies_all(url: str) -> None:
    assert parse_pattern("localhost").may_match(parse_url(url))
    assert parse_pattern("127.0.0.1").may_match(parse_url(url))
    assert not parse_pattern("example.com").may_match(parse_url(url))


def test_denied_paths_are_known_in_any_spelling() -> None:
    pattern = parse_pattern("example.com/admin/*")
    for path in ("/admin/x", "/%61dmin/x", "/a/../admin/x", "/a/..%2fadmin/x"):
        assert pattern.may_match(parse_url(f"http://example.com{path}"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "http://",
        "*example.com",
        "example.*",
        "*.*",
        "a b",
        "x:y:z",
        "http://[zz]/",
        "example.com:port",
    ],
)
def test_patterns_that_could_surprise_are_refused(text: str) -> None:
    with pytest.raises(Misuse):
        parse_pattern(text)


@pytest.mark.parametrize("text", ["chrome://settings", "view-source://example.com"])
def test_scheme_without_hosts_is_refused_in_a_pattern(text: str) -> None:
    with pytest.raises(Misuse, match="which has no hosts"):
        parse_pattern(text)


def test_chrome_is_told_every_name_of_this_machine_when_one_is_denied() -> None:
    told = list(parse_pattern("localhost:3000").chrome_patterns(broad=True))
    assert "*://localhost{.}?:3000/*" in told
    assert r"*://[\:\:1]:3000/*" in told
    assert "*://127.0.0.1:3000/*" in told
    assert "ws://:a.:b.:c.:d:3000/*" in told
    assert list(parse_pattern("localhost:3000").chrome_patterns(broad=False)) == [
        "*://localhost{.}?:3000/*"
    ]


def test_chrome_is_told_four_numbers_for_a_range_and_nothing_for_data() -> None:
    assert list(parse_pattern("10.1.*").chrome_patterns(broad=True)) == [
        "ws://:a.:b.:c.:d:*/*",
        "wss://:a.:b.:c.:d:*/*",
    ]
    assert next(parse_pattern("10.1.*").chrome_patterns(broad=False)).startswith("http://")
    assert list(parse_pattern("data:").chrome_patterns(broad=True)) == []


@given(st.text(alphabet="ab*.", max_size=12), st.text(alphabet="ab.", max_size=12))
def test_star_stands_for_anything(pattern: str, text: str) -> None:
    wanted = re.escape(pattern).replace(r"\*", ".*")
    assert glob_matches(pattern, text) == (re.fullmatch(wanted, text) is not None)


@given(st.text(max_size=40))
def test_any_text_is_a_pattern_or_an_error(text: str) -> None:
    try:
        made = parse_pattern(text)
    except Misuse:
        return
    made.matches(parse_url("http://example.com/"))
    assert all(isinstance(each, str) for each in made.chrome_patterns(broad=True))


@pytest.mark.parametrize(
    ("one", "other", "both", "neither"),
    [
        ("*.example.com", "https://shop.example.com", "https://shop.example.com/x", "http://shop.example.com/"),
        ("*.example.com/docs/*", "example.com", "http://example.com/docs/x", "http://example.com/x"),
        ("localhost:3000", "localhost", "http://localhost:3000/", "http://localhost:4000/"),
        ("a.test/*", "*.a.test/docs/*", "http://a.test/docs/1", "http://a.test/"),
        ("10.*", "10.1.2.3", "http://10.1.2.3/", "http://10.1.2.4/"),
        ("x.*.com", "*.a.com", "http://x.a.com/", "http://b.test/"),
    ],
)  # fmt: skip
def test_two_patterns_have_in_common_what_both_mean(
    one: str, other: str, both: str, neither: str
) -> None:
    for first, second in ((one, other), (other, one)):
        common = parse_pattern(first).common(parse_pattern(second))
        assert common is not None
        assert common.matches(parse_url(both))
        if "ws" in common.schemes:  # it says exactly what both mean
            assert not common.matches(parse_url(neither))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.test", "http://a.test"),
        ("a.test", "b.test"),
        ("*.a.test", "*.b.test"),
        ("a.test:1", "a.test:2"),
        ("a.test/docs/*", "a.test/blog/*"),
        ("10.*", "11.*"),
        ("a.test", "data:"),
    ],
)
def test_patterns_of_different_addresses_have_nothing_in_common(one: str, other: str) -> None:
    assert parse_pattern(one).common(parse_pattern(other)) is None
    assert parse_pattern(other).common(parse_pattern(one)) is None


def test_pattern_covers_what_is_surely_inside_of_it() -> None:
    assert parse_pattern("*.example.com").covers(parse_pattern("https://a.example.com/x"))
    assert not parse_pattern("https://a.test").covers(parse_pattern("a.test"))
    assert not parse_pattern("a.test/x/*").covers(parse_pattern("a.test"))
    assert not parse_pattern("a.test:1").covers(parse_pattern("a.test"))
