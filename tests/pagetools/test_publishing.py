"""Lists of tools are merged, and compared as a client would."""

from __future__ import annotations

from dataclasses import replace

from tabmux.pagetools.model import ExecutionPlan, PageTool
from tabmux.pagetools.publishing import (
    MOST_FILLERS,
    MOST_PUBLISHED,
    merge_tools,
    published,
    signature,
)

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


def test_rows_of_tabs_do_not_crowd_out_what_is_offered_once() -> None:
    tabs = [replace(TOOL, name=f"tab_{n:02}", kind="tabs", rank=60.0) for n in range(20)]
    forms = [replace(TOOL, name=f"form_{n}", rank=50.0) for n in range(3)]
    shown = [tool.name for tool in published([*tabs, *forms])]
    assert len(shown) == MOST_PUBLISHED
    assert {"form_0", "form_1", "form_2", "tab_00", "tab_01"} <= set(shown)
    assert [tool.name for tool in published([*tabs[:3], *forms])] == sorted(
        tool.name for tool in [*tabs[:3], *forms]
    )


def test_free_places_are_filled_with_what_acts_around_the_content() -> None:
    form = replace(TOOL, name="form", rank=60.0)
    near = [replace(TOOL, name=f"act_{n}", kind="action", rank=-2.0) for n in range(20)]
    others = [
        replace(TOOL, name="open_link", kind="choice", rank=-2.0),
        replace(TOOL, name="edit_part", kind="action", rank=-3.5),
    ]
    shown = [tool.name for tool in published([form, *others, *near])]
    assert shown == sorted(
        ["form", *(f"act_{n}" for n in sorted(range(20), key=str)[:MOST_FILLERS])]
    )
    many = [replace(TOOL, name=f"form_{n}", rank=50.0) for n in range(MOST_PUBLISHED)]
    assert published([*many, *near]) == sorted(many, key=lambda tool: tool.name)
