from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.analysis.source_map import DIGITS, OriginalPosition, SourceMap, parse_source_map

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
    places = mapped(mappings).places([(0, 3), (0, 4), (0, 9), (0, 10), (0, 99), (1, 5), (2, 1)])
    assert places == {
        (0, 4): OriginalPosition("a.ts", 10, 2),
        (0, 9): OriginalPosition("a.ts", 10, 2),
        (0, 10): OriginalPosition("b.ts", 2, 5, "f"),
        (0, 99): OriginalPosition("b.ts", 2, 5, "f"),
        (2, 1): OriginalPosition("a.ts", 32, 5),
    }


def test_code_that_came_from_nowhere_has_no_place() -> None:
    mappings = f"{encoded(0, 0, 0, 0)},{encoded(5)},{encoded(5, 0, 1, 0)}"
    places = mapped(mappings).places([(0, 2), (0, 7), (0, 10)])
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
    assert found.places([(0, 0)], url)[0, 0].source == shown


def test_sections_are_maps_of_their_own() -> None:
    part = {"version": 3, "sources": ["c.ts"], "names": [], "mappings": encoded(0, 0, 7, 1)}
    sections = [
        {"offset": {"line": 1, "column": 4}, "map": part},
        {"offset": {"line": 9, "column": 0}, "map": {**part, "sources": ["d.ts"]}},
    ]
    found = parse_source_map(json.dumps({"version": 3, "sections": sections}).encode())
    assert found is not None
    places = found.places([(0, 0), (1, 3), (1, 6), (9, 2)])
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
    places = SourceMap(sources=["a"], mappings=mappings).places(positions)
    assert set(places) <= set(positions)
