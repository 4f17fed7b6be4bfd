from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.analysis.source_map import (
    DIGITS,
    OriginalPosition,
    SourceMap,
    inline_source_map,
    parse_source_map,
)

MAP = json.dumps({"sources": ["a.js"], "mappings": "AAAA"})
LETTERS = {value: letter for letter, value in DIGITS.items()}


def encoded(*numbers: int) -> str:
    """Write one segment."""
    text = ""
    for number in numbers:
        rest = (abs(number) << 1) | (number < 0)
        while True:
            digit, rest = rest & 31, rest >> 5
            text += LETTERS[digit | (32 if rest else 0)]
            if not rest:
                break
    return text


def mapped(mappings: str, **more: Any) -> SourceMap:
    found = parse_source_map(
        json.dumps({"version": 3, "sources": ["a.ts", "b.ts"], "names": ["f"], **more,
                    "mappings": mappings}).encode()
    )  # fmt: skip
    assert found is not None
    return found


def test_place_is_that_of_the_last_segment_before_it() -> None:
    mappings = f"{encoded(4, 0, 10, 2)},{encoded(6, 1, -8, 3, 0)};;{encoded(0, -1, 30, 0)}"
    places = mapped(mappings).original_positions(
        [(0, 3), (0, 4), (0, 9), (0, 10), (0, 99), (1, 5), (2, 1)]
    )
    assert places == {
        (0, 4): OriginalPosition("a.ts", 10, 2),
        (0, 9): OriginalPosition("a.ts", 10, 2),
        (0, 10): OriginalPosition("b.ts", 2, 5, "f"),
        (0, 99): OriginalPosition("b.ts", 2, 5, "f"),
        (2, 1): OriginalPosition("a.ts", 32, 5),
    }


def test_code_that_came_from_nowhere_has_no_place() -> None:
    mappings = f"{encoded(0, 0, 0, 0)},{encoded(5)},{encoded(5, 0, 1, 0)}"
    places = mapped(mappings).original_positions([(0, 2), (0, 7), (0, 10)])
    assert set(places) == {(0, 2), (0, 10)}


@pytest.mark.parametrize(
    ("source", "root", "url", "shown"),
    [
        ("a.ts", None, "", "a.ts"),
        ("a.ts", None, "https://x.test/js/app.js.map", "https://x.test/js/a.ts"),
        ("../a.ts", None, "https://x.test/js/app.js.map", "https://x.test/a.ts"),
        ("a.ts", "/src/", "https://x.test/js/app.js.map", "https://x.test/src/a.ts"),
        ("webpack://app/./a.ts", None, "https://x.test/app.js.map", "webpack://app/./a.ts"),
        ("a.ts", "webpack://app", "https://x.test/app.js.map", "webpack://app/a.ts"),
        (None, None, "", "?"),
    ],
)
def test_sources_are_relative_to_the_map(
    source: str | None, root: str | None, url: str, shown: str
) -> None:
    found = mapped(encoded(0, 0, 0, 0), sources=[source], sourceRoot=root)
    assert found.original_positions([(0, 0)], url)[0, 0].source == shown


def test_sections_are_maps_of_their_own() -> None:
    part = {"version": 3, "sources": ["c.ts"], "names": [], "mappings": encoded(0, 0, 7, 1)}
    sections = [
        {"offset": {"line": 1, "column": 4}, "map": part},
        {"offset": {"line": 9, "column": 0}, "map": {**part, "sources": ["d.ts"]}},
    ]
    found = parse_source_map(json.dumps({"version": 3, "sections": sections}).encode())
    assert found is not None
    places = found.original_positions([(0, 0), (1, 3), (1, 6), (9, 2)])
    assert places == {
        (1, 6): OriginalPosition("c.ts", 7, 1),
        (9, 2): OriginalPosition("d.ts", 7, 1),
    }


@pytest.mark.parametrize("text", [b"", b"<html>", b"[]", b'{"mappings": 5}', b"\xff\xfe"])
def test_what_is_no_map_is_none(text: bytes) -> None:
    assert parse_source_map(text) is None


def test_guard_against_inclusion_is_skipped() -> None:
    assert parse_source_map(b')]}\'\n{"version":3}') is not None


@given(st.text(), st.lists(st.tuples(st.integers(0, 9), st.integers(0, 99)), max_size=5))
def test_any_mappings_can_be_searched(mappings: str, positions: list[tuple[int, int]]) -> None:
    places = SourceMap(sources=["a"], mappings=mappings).original_positions(positions)
    assert set(places) <= set(positions)


def test_characters_are_charged_to_the_source_they_came_from() -> None:
    # Line 1: a.js from column 0, b.js from column 4; line 2: nothing, then a.js from column 2.
    found = SourceMap(sources=["a.js", "b.js"], mappings="AAAA,ICAA;A,EDAA")

    assert found.sizes("aaaabb\n__aaa") == {"a.js": 7, "b.js": 2}


def test_long_and_negative_numbers_are_decoded() -> None:
    assert SourceMap(sources=["a.js"], mappings="gCAAA").sizes("_" * 32 + "aaaa") == {"a.js": 4}


def test_source_beyond_the_list_or_the_line_counts_for_nothing() -> None:
    assert SourceMap(sources=["a.js"], mappings="ACAA").sizes("xxxx") == {}
    assert SourceMap(sources=[None], mappings="AAAA,oBAAA").sizes("xxxx") == {"": 4}


def test_inline_map_is_read_in_both_spellings() -> None:
    packed = base64.b64encode(MAP.encode()).decode()

    for data in (
        f"application/json;base64,{packed}",
        "application/json," + MAP.replace(" ", "%20"),
    ):
        found = inline_source_map(f"code()\n//# sourceMappingURL=data:{data}\n")
        assert found is not None
        assert found.sources == ["a.js"]


def test_script_without_a_map_has_no_inline_map() -> None:
    assert inline_source_map("code()") is None
    assert inline_source_map("//# sourceMappingURL=data:application/json") is None
    assert inline_source_map("//# sourceMappingURL=data:application/json;base64,") is None
    assert inline_source_map("//# sourceMappingURL=data:application/json;base64,x") is None
    assert parse_source_map("[]") is None


@given(st.text(alphabet="ABCgh09+/,;!", max_size=60), st.text(alphabet="ab\n", max_size=60))
def test_any_mapping_accounts_for_no_more_than_the_script(mappings: str, text: str) -> None:
    sizes = SourceMap(sources=["a.js"], mappings=mappings).sizes(text)

    assert all(size >= 0 for size in sizes.values())
