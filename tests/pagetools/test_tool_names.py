"""Names are unique and stay; lists of tools are merged and compared."""

from __future__ import annotations

from dataclasses import replace

from tabmux.pagetools.collect.document_tree import read
from tabmux.pagetools.derive.derivation import derive_tools
from tabmux.pagetools.draft import DerivedTool
from tabmux.pagetools.merge import merge
from tabmux.pagetools.model import ExecutionPlan, PageTool
from tabmux.pagetools.signature import signature
from tabmux.pagetools.tool_names import ToolNames

TOOL = PageTool(
    "save",
    "Save",
    {"type": "object", "properties": {"a": {"type": "string", "default": "x"}}},
    "k",
    "form",
    "derived",
    "f",
    "l",
    "o",
)


def draft(key: str, *names: str, rank: float = 50) -> DerivedTool:
    return DerivedTool("action", key, list(names), "", rank)


def test_the_more_important_of_two_tools_keeps_the_plain_name() -> None:
    given = ToolNames().give(
        "o", [draft("a", "search", "search_site", rank=10), draft("b", "search", rank=20)]
    )
    assert given == ["search_site", "search"]


def test_a_number_is_the_last_resort() -> None:
    assert ToolNames().give("o", [draft("a", "x"), draft("b", "x"), draft("c", "")]) == [
        "x",
        "x_2",
        "use_page",
    ]


def test_equal_keys_get_names_of_their_own() -> None:
    assert ToolNames().give("o", [draft("a", "x"), draft("a", "x")]) == ["x", "x_2"]


def test_names_stay_when_others_come_before() -> None:
    names = ToolNames()
    assert names.give("o", [draft("a", "search", rank=10)]) == ["search"]
    assert names.give("o", [draft("b", "search", rank=90), draft("a", "search", rank=10)]) == [
        "search_2",
        "search",
    ]
    assert names.give("other", [draft("b", "search")]) == ["search"]


def test_the_memory_has_an_end() -> None:
    names = ToolNames()
    for at in range(2100):
        names.give("o", [draft(str(at), "x")])
    assert names.give("o", [draft("new", "x")]) == ["x"]


def test_no_tool_of_a_page_passes_for_one_of_ours() -> None:
    assert ToolNames().give("o", [draft("a", "open_tab")]) == ["open_tab_2"]


def test_a_hundred_tools_of_one_name_are_told_apart() -> None:
    given = ToolNames().give("o", [draft(str(at), "x") for at in range(120)])
    assert len(set(given)) == 120


def test_a_declared_tool_replaces_the_derived_one_of_its_form() -> None:
    declared = replace(TOOL, name="book_table", source="webmcp", plan=ExecutionPlan(form=7))
    same, other = (
        replace(TOOL, plan=ExecutionPlan(form=7)),
        replace(TOOL, name="book_table", key="z"),
    )
    elsewhere = replace(TOOL, name="third", frame="g", plan=ExecutionPlan(form=7))
    merged = merge([declared], [same, other, other, elsewhere])
    assert [tool.name for tool in merged] == ["book_table", "book_table_2", "book_table_3", "third"]


def test_lists_are_the_same_to_a_client_if_only_values_and_words_differ() -> None:
    again = replace(
        TOOL,
        description="other",
        schema={"type": "object", "properties": {"a": {"type": "string", "default": "y"}}},
    )
    assert signature([TOOL]) == signature([again])
    assert signature([TOOL]) != signature([replace(TOOL, reads=True)])
    assert signature([TOOL]) != signature(
        [replace(TOOL, schema={"type": "object", "properties": {"a": {"type": "integer"}}})]
    )
    assert signature([TOOL, again]) == signature([again, TOOL])


def test_a_parameter_called_like_a_keyword_counts() -> None:
    with_one = replace(
        TOOL, schema={"type": "object", "properties": {"description": {"type": "string"}}}
    )
    without = replace(TOOL, schema={"type": "object", "properties": {}})
    assert signature([with_one]) != signature([without])


def test_a_page_that_shows_nothing_gets_the_general_tools() -> None:
    empty = read({"root": {"r": 0, "t": "#document"}, "origin": "https://x.example"})
    tools = derive_tools([empty], ToolNames())
    assert [tool.name for tool in tools] == ["get_page_content", "click_element", "fill_field"]
    assert tools[0].description == "[x.example] Read the text of the page"
    assert derive_tools([], ToolNames()) == []
