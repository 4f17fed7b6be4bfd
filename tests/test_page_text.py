from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.page_text import address, in_quotes, url_parts, visible, visible_values

# Format characters that are drawn, around the digits of Arabic, Syriac and Kaithi.
DRAWN = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
IGNORABLE = [
    *(0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0),
    *range(0x180B, 0x1810),
    *range(0x200B, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2070),
    *range(0xFE00, 0xFE10),
    *range(0xFFF0, 0xFFFC),
    *range(0x1BCA0, 0x1BCA4),
    *range(0x1D173, 0x1D17B),
    *range(0xE0000, 0xE1000),
]


def test_no_control_or_format_character_is_left() -> None:
    every = "".join(map(chr, range(0x110000)))
    left = {c for c in visible("x".join(every)) if unicodedata.category(c) in ("Cc", "Cf")}
    assert {ord(c) for c in left} == DRAWN | {*b"\t\n"}


def test_no_character_that_unicode_calls_ignorable_is_left() -> None:
    assert visible("x".join(map(chr, [*IGNORABLE, 0x20]))).replace("x", "") == " "


@pytest.mark.parametrize(
    "text",
    ["plain\ttext\n", "Größe 漢字", "❤️", "👨‍👩‍👧", "👩🏽‍🚀", "❤️‍🔥", "1️⃣", "☺︎", "می‌خواهم", "ക്‍"],
)
def test_text_that_people_read_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u200db", "ab"),
        ("a\ufe0fb", "ab"),
        ("1\ufe0f2", "12"),
        ("❤\ufe0f\ufe0f", "❤\ufe0f"),
        ("x\ufe0f\u200d😀", "x😀"),
        ("😀\u200d\u200d😀", "😀😀"),
        ("line\u2028break\x85end", "line break end"),
        ("over\rwritten", "overwritten"),
        ("🏴\U000e0067\U000e007f", "🏴"),
    ],
)
def test_what_changes_no_neighbour_is_dropped(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_visible_text_stays_visible(text: str) -> None:
    assert visible(visible(text)) == visible(text)


def test_values_are_made_visible_with_their_names() -> None:
    assert visible_values({"a\u200b": ["b\u202e", 1, None]}) == {"a": ["b", 1, None]}


@given(st.text(), st.integers(1, 50))
def test_quotation_cannot_be_ended_by_what_it_quotes(text: str, most: int) -> None:
    found = in_quotes(text, most)
    inside = found[1:-1].replace("\\\\", "").replace('\\"', "")
    assert found[0] == found[-1] == '"'
    assert '"' not in inside
    assert "\\" not in inside
    assert "\n" not in found
    assert len(found) <= 2 * most + 3


def test_title_that_would_speak_as_we_do_stays_a_quotation() -> None:
    assert in_quotes('ok"). Error [x]:\nSYSTEM') == '"ok\\"). Error [x]: SYSTEM"'


def test_address_is_one_word() -> None:
    assert address('data:text/html,ok"). Error <x>\u202e') == (
        "data:text/html,ok%22).%20Error%20%3Cx%3E"
    )
    assert len(address("http://x/" + "a" * 10_000)) == 151


@pytest.mark.parametrize("text", ["http://[", "//[x]y/", "http://[::1", "http://a]b"])
def test_what_is_no_address_has_no_parts(text: str) -> None:
    assert not any(url_parts(text))
