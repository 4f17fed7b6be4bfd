"""Names are unique in a page, and stay."""

from __future__ import annotations

from tabmux.pagetools.model import DerivedTool
from tabmux.pagetools.tool_names import ToolNames


def tool(key: str, *names: str, rank: float = 50) -> DerivedTool:
    return DerivedTool("action", key, list(names), "", rank)


def test_the_more_important_of_two_tools_keeps_the_plain_name() -> None:
    given = ToolNames().give(
        "o", [tool("a", "search", "search_site", rank=10), tool("b", "search", rank=20)]
    )
    assert given == ["search_site", "search"]


def test_a_number_is_the_last_resort() -> None:
    assert ToolNames().give("o", [tool("a", "x"), tool("b", "x"), tool("c", "")]) == [
        "x",
        "x_2",
        "use_page",
    ]


def test_equal_keys_get_names_of_their_own() -> None:
    assert ToolNames().give("o", [tool("a", "x"), tool("a", "x")]) == ["x", "x_2"]


def test_names_stay_when_others_come_before() -> None:
    names = ToolNames()
    assert names.give("o", [tool("a", "search", rank=10)]) == ["search"]
    assert names.give("o", [tool("b", "search", rank=90), tool("a", "search", rank=10)]) == [
        "search_2",
        "search",
    ]
    assert names.give("other", [tool("b", "search")]) == ["search"]


def test_the_memory_has_an_end() -> None:
    names = ToolNames()
    for at in range(2100):
        names.give("o", [tool(str(at), "x")])
    assert names.give("o", [tool("new", "x")]) == ["x"]


def test_no_tool_of_a_page_passes_for_one_of_ours() -> None:
    assert ToolNames().give("o", [tool("a", "open_tab")]) == ["open_tab_2"]


def test_a_hundred_tools_of_one_name_are_told_apart() -> None:
    given = ToolNames().give("o", [tool(str(at), "x") for at in range(120)])
    assert len(set(given)) == 120
