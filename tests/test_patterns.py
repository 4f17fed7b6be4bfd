from __future__ import annotations

import time

import pytest

from tabmux.errors import BadArguments
from tabmux.patterns import TextPattern

ENDLESS = ["(a+)+$", "(a|a)*!$", "(?:.*a){20}$", r"^(\w+\s?)*$", "a.{0,200}b.{0,200}!"]


@pytest.mark.parametrize("expression", ENDLESS)
@pytest.mark.parametrize("text", ["a" * 3_000_000 + "?", "ab" * 1_000_000], ids=["a", "ab"])
def test_no_expression_takes_long_in_any_text(expression: str, text: str) -> None:
    pattern = TextPattern(expression)
    start = time.thread_time()
    pattern.is_in(text)
    assert time.thread_time() - start < 0.3


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("^a.c$", "abc"),
        (r"\d+ (eggs|ham)", "12 eggs"),
        (r"[\w-]+\.png$", "http://x/a-b.png"),
        (r"\u00e4\u{1f600}\Z", "ä😀"),
        (r"\\u0061", r"\u0061"),
        ("(?i)ä", "Ä"),
        ("", ""),
    ],
)
def test_ordinary_expressions_match(expression: str, text: str) -> None:
    assert TextPattern(expression).is_in(text)
    assert not TextPattern(f"(?:{expression})never").is_in(text)


def test_case_can_be_ignored_and_plain_text_has_no_syntax() -> None:
    assert TextPattern("STRASSE (", ignore_case=True, plain=True).is_in("Strasse (1)")
    assert TextPattern("äpfel", ignore_case=True).is_in("ÄPFEL")
    assert not TextPattern("a.c", plain=True).is_in("abc")


def test_halves_of_letters_do_no_harm() -> None:
    assert TextPattern("b").is_in("a\ud83db")
    with pytest.raises(BadArguments):
        TextPattern("\ud83d+")


@pytest.mark.parametrize("expression", ["a(?=b)", "a(?!b)", "(?<=a)b", "(?<!a)b", r"(a)\1"])
def test_what_is_not_supported_is_named(expression: str) -> None:
    with pytest.raises(BadArguments, match=r"lookaround or a back-reference.*not supported"):
        TextPattern(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "(",
        "[",
        "*",
        "a." * 10_000,
        "a{99999999999999}",
        "a{1,99999}",
        r"\pL{900}",
        "((a{99}){99}){99}",
    ],
)
def test_what_is_no_expression_or_too_large_is_a_short_error(expression: str) -> None:
    with pytest.raises(BadArguments) as caught:
        TextPattern(expression)
    assert len(caught.value.text) < 300
