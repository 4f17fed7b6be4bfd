from __future__ import annotations

import base64
import json

from hypothesis import given
from hypothesis import strategies as st

from tabmux.analysis.insights.source_map import SourceMap, inline, parse

MAP = json.dumps({"sources": ["a.js"], "mappings": "AAAA"})


def test_characters_are_charged_to_the_source_they_came_from() -> None:
    # Line 1: a.js from column 0, b.js from column 4; line 2: nothing, then a.js from column 2.
    found = SourceMap(["a.js", "b.js"], "AAAA,ICAA;A,EDAA")

    assert found.sizes("aaaabb\n__aaa") == {"a.js": 7, "b.js": 2}


def test_long_and_negative_numbers_are_decoded() -> None:
    assert SourceMap(["a.js"], "gCAAA").sizes("_" * 32 + "aaaa") == {"a.js": 4}


def test_source_beyond_the_list_or_the_line_counts_for_nothing() -> None:
    assert SourceMap(["a.js"], "ACAA").sizes("xxxx") == {}
    assert SourceMap([None], "AAAA,oBAAA").sizes("xxxx") == {"": 4}


def test_inline_map_is_read_in_both_spellings() -> None:
    packed = base64.b64encode(MAP.encode()).decode()

    for data in (
        f"application/json;base64,{packed}",
        "application/json," + MAP.replace(" ", "%20"),
    ):
        found = inline(f"code()\n//# sourceMappingURL=data:{data}\n")
        assert found is not None
        assert found.sources == ["a.js"]


def test_what_is_no_map_is_none() -> None:
    assert inline("code()") is None
    assert inline("//# sourceMappingURL=data:application/json") is None
    assert inline("//# sourceMappingURL=data:application/json;base64,") is None
    assert inline("//# sourceMappingURL=data:application/json;base64,x") is None
    assert parse("[]") is None


@given(st.text(alphabet="ABCgh09+/,;!", max_size=60), st.text(alphabet="ab\n", max_size=60))
def test_any_mapping_accounts_for_no_more_than_the_script(mappings: str, text: str) -> None:
    sizes = SourceMap(["a.js"], mappings).sizes(text)

    assert all(size >= 0 for size in sizes.values())
