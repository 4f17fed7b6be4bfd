"""Lists of tools are merged, and compared as a client would."""

from __future__ import annotations

from dataclasses import replace

from tabmux.pagetools.model import ExecutionPlan, PageTool
from tabmux.pagetools.publishing import merge_tools, signature

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


def test_a_declared_tool_replaces_the_derived_one_of_its_form() -> None:
    declared = replace(TOOL, name="book_table", source="webmcp", plan=ExecutionPlan(form=7))
    same, other = (
        replace(TOOL, plan=ExecutionPlan(form=7)),
        replace(TOOL, name="book_table", key="z"),
    )
    elsewhere = replace(TOOL, name="third", frame="g", plan=ExecutionPlan(form=7))
    merged = merge_tools([declared], [same, other, other, elsewhere])
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
