"""One of several is chosen by one tool, told from the tree that the collector reports."""

from __future__ import annotations

from typing import Any

from tabmux.pagetools.collect import document_tree
from tabmux.pagetools.derive.choices import choice, choice_tools
from tabmux.pagetools.model import DerivedTool
from tests.pagetools.documents import node, tree


def drafts_of(*parts: Any, claimed: set[int] | None = None) -> list[DerivedTool]:
    """Return the choices of a document that has no lists."""
    found = document_tree.read({"root": {"r": 0, "t": "#document", "k": list(parts)}})
    return choice_tools(found, [], set() if claimed is None else claimed)


def links(*names: str, first: int = 10) -> list[dict[str, Any]]:
    """Report some links, each in an entry of a list."""
    return [
        node(
            first + 2 * at, "li", node(first + 2 * at + 1, "a", o="link", n=name, a={"href": "/x"})
        )
        for at, name in enumerate(names)
    ]


def values(tool: DerivedTool) -> object:
    """Return what may be chosen."""
    return tool.controls[0].schema.get("enum")


def test_counts_and_arrows_are_no_part_of_what_is_chosen() -> None:
    nodes = tree(*(node(at, "a", n=name) for at, name in enumerate(("Price ▲", "Stock (12)"), 1)))
    assert choice("column", "Column", nodes[1:]).schema == {
        "type": "string",
        "enum": ["Price", "Stock"],
    }


def test_what_may_change_is_given_by_example_only() -> None:
    nodes = tree(node(1, "a", n="One"), node(2, "a", n="Two"))
    schema = choice("item", "Item", nodes[1:], fixed=False).schema
    assert schema == {"type": "string", "examples": ["One", "Two"]}


def test_tabs_are_those_that_can_be_chosen() -> None:
    tabs = [
        node(at, "button", o="tab", n=f"Tab {at}", s="d" if at == 4 else "") for at in (2, 3, 4)
    ]
    (made,) = drafts_of(node(1, "div", *tabs, o="tablist", n="Account"))
    assert made.names == ["select_tab", "select_account_tab"]
    assert values(made) == ["Tab 2", "Tab 3"]


def test_one_tab_alone_or_a_hidden_row_of_them_is_no_choice() -> None:
    tabs = [node(at, "button", o="tab", n=f"Tab {at}") for at in (2, 3)]
    assert drafts_of(node(1, "div", tabs[0], o="tablist")) == []
    assert drafts_of(node(1, "div", *tabs, o="tablist", h=1)) == []


def test_a_table_is_sorted_by_the_headings_that_say_they_sort() -> None:
    heads = [
        node(3, "th", n="Name", o="columnheader", a={"aria-sort": "ascending"}),
        node(4, "th", node(5, "a", o="link", n="Price"), o="columnheader", n="Price"),
        node(6, "th", n="Notes", o="columnheader"),
    ]
    (made,) = drafts_of(node(1, "table", node(2, "thead", *heads)))
    assert (made.names[0], values(made)) == ("sort_rows", ["Name", "Price"])


def test_a_set_of_links_is_called_by_what_stands_above_it() -> None:
    cases = {
        "Sort by": ("sort_items", "order"),
        "Filter": ("filter_items", "filter"),
        "Categories": ("open_category", "category"),
        "Recipes": ("open_recipe", "recipe"),
        "": ("open_link", "link"),
    }
    for title, (name, key) in cases.items():
        heading = node(1, "h3", o="heading", n=title)
        (made,) = drafts_of(heading, node(2, "ul", *links("Red", "Green", "Blue")))
        assert (made.names[0], made.controls[0].key) == (name, key)
        assert values(made) == ["Red", "Green", "Blue"]


def test_buttons_that_switch_the_view_are_one_choice() -> None:
    buttons = [node(at, "button", o="button", n=f"Layout {at}") for at in (2, 3, 4)]
    (made,) = drafts_of(node(1, "div", *buttons, c="btn-group"))
    assert made.names[0] == "select_view"


def test_a_path_of_links_and_the_links_of_a_site_are_not_offered() -> None:
    assert drafts_of(node(1, "ol", *links("Home", "Shop", "Shoes"), c="breadcrumb")) == []
    (made,) = drafts_of(node(1, "nav", node(2, "ul", *links("Home", "Shop", "About"))))
    assert made.rank < 0


def test_links_that_belong_to_another_tool_or_stand_among_fields_are_no_set() -> None:
    entries = links("Red", "Green", "Blue")
    assert drafts_of(node(2, "ul", *entries), claimed={11}) == []
    field = node(90, "input", o="textbox", a={"type": "text"})
    assert drafts_of(node(1, "div", field, node(2, "a", o="link", n="Help"))) == []
    toggles = [
        node(at, "button", o="button", n=f"More {at}", a={"aria-haspopup": "true"})
        for at in (2, 3, 4)
    ]
    assert drafts_of(node(1, "div", *toggles)) == []


def test_buttons_that_act_are_no_choice() -> None:
    acting = [
        node(at, "button", o="button", n=name)
        for at, name in enumerate(("Save", "Delete", "Print"), 2)
    ]
    assert drafts_of(node(1, "div", *acting)) == []
