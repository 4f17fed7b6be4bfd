"""Names of tools are unique, and only the page decides about them."""

from __future__ import annotations

from tabmux.pagetools.model import DerivedTool, ToolKind
from tabmux.pagetools.tool_names import unique_names


def tool(key: str, *names: str, rank: float = 0.0, kind: ToolKind = "action") -> DerivedTool:
    return DerivedTool(kind, key, list(names), "", rank)


def test_the_more_important_tool_has_the_name_that_both_want() -> None:
    given = unique_names([tool("a", "search", "search_site"), tool("b", "search", rank=5)])
    assert given == ["search_site", "search"]


def test_a_form_has_the_name_before_a_link_however_important_that_is() -> None:
    link = tool("a", "open_page", rank=90, kind="choice")
    form = tool("b", "open_page", "open_page_by_name", rank=1, kind="form")
    assert unique_names([link, form]) == ["", "open_page"]


def test_tools_that_want_the_same_are_numbered_and_links_are_not() -> None:
    assert unique_names([tool("a", "x"), tool("b", "x"), tool("c", "")]) == ["x", "x_2", "use_page"]
    links = [tool(key, "open_category", kind="choice") for key in "ab"]
    assert unique_names(links) == ["open_category", ""]


def test_neither_order_nor_what_was_named_before_decides() -> None:
    tools = [tool("a", "x", "y"), tool("b", "x", "z"), tool("c", "x", "w", rank=3)]
    names = dict(zip("abc", unique_names(tools), strict=True))
    assert dict(zip("cba", unique_names(tools[::-1]), strict=True)) == names
    unique_names([tool("other", "x", rank=9)])
    assert dict(zip("abc", unique_names(tools), strict=True)) == names


def test_no_tool_of_a_page_passes_for_ours_or_for_what_every_page_has() -> None:
    assert unique_names([tool("a", "open_tab")]) == ["open_tab_2"]
    assert unique_names([tool("a", "click_element", "press_it")]) == ["press_it"]
    assert unique_names([tool("click", "click_element", kind="click")]) == ["click_element"]


def test_beyond_a_hundred_of_one_name_the_key_tells_them_apart() -> None:
    given = unique_names([tool(str(at), "x") for at in range(120)])
    assert len(set(given)) == 120
    assert all(len(name) <= 40 for name in given)
