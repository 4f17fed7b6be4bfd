"""Where something stands in a page, told from the tree that the collector reports."""

from __future__ import annotations

from typing import Any

import pytest

from tabmux.pagetools.derive import landmarks
from tests.pagetools.documents import by_ref, node, tree


@pytest.mark.parametrize(
    ("said", "landmark"),
    [
        ({"t": "nav"}, "navigation"),
        ({"t": "div", "o": "search"}, "search"),
        ({"t": "header", "o": "sectionheader"}, ""),
        ({"t": "div", "c": "#Sidebar wide"}, "complementary"),
        ({"t": "span", "c": "#sidebar"}, ""),
        ({"t": "div", "c": "card"}, ""),
    ],
)
def test_landmarks_are_known_by_role_by_tag_and_by_old_marks(
    said: dict[str, Any], landmark: str
) -> None:
    nodes = tree({"r": 1, **said, "k": [node(2, "a", o="link", n="Go")]})
    assert landmarks.landmark_of(nodes[1]) == landmark
    assert landmarks.landmark_around(nodes[2]) == landmark
    assert landmarks.landmarks_around(nodes[2]) == ({landmark} if landmark else set())


def test_the_document_itself_stands_in_nothing() -> None:
    (root,) = tree()
    assert landmarks.landmark_around(root) == ""
    assert landmarks.heading_above(root) == ""


def test_text_is_read_in_order_without_what_is_hidden() -> None:
    nodes = tree(
        node(
            1, "div", "Before", node(2, "a", "inner", o="link", n="Link"),
            node(3, "p", "never", h=1), node(4, "h2", "x", o="heading", n="Title"), "after",
        )
    )  # fmt: skip
    assert landmarks.text_of(nodes[1]) == "Before Link Title after"
    assert landmarks.text_of(nodes[1], 10) == "Before Lin"


def test_a_heading_before_counts_and_a_hidden_one_does_not() -> None:
    nodes = tree(
        node(1, "h2", o="heading", n="Orders"),
        node(2, "h2", o="heading", n="Secret", h=1),
        node(3, "ul"),
    )
    assert landmarks.heading_above(by_ref(nodes, 3)) == "Orders"


def test_a_heading_in_a_box_before_counts_unless_something_usable_follows_it() -> None:
    heading = node(2, "h3", o="heading", n="Filters")
    link = node(3, "a", o="link", n="Help")
    assert (
        landmarks.heading_above(by_ref(tree(node(1, "div", heading), node(9, "ul")), 9))
        == "Filters"
    )
    assert (
        landmarks.heading_above(by_ref(tree(node(1, "div", heading, link), node(9, "ul")), 9)) == ""
    )
    plain = node(4, "p", "text")
    assert landmarks.heading_above(by_ref(tree(node(1, "div", plain), node(9, "ul")), 9)) == ""


def test_the_search_for_a_heading_ends_at_a_dialog_and_after_some_hops() -> None:
    dialog = node(2, "div", node(3, "input"), o="dialog", n="Pay")
    assert (
        landmarks.heading_above(by_ref(tree(node(1, "h1", o="heading", n="Shop"), dialog), 3))
        == "Pay"
    )
    deep = node(2, "section", node(3, "section", node(4, "ul")))
    assert landmarks.heading_above(by_ref(tree(node(1, "h1", n="Shop"), deep), 4), hops=2) == ""


def test_heading_of_a_container_is_its_first_visible_one() -> None:
    hidden = node(2, "h2", n="Not this", h=1)
    legend = node(3, "legend", "Delivery")
    assert landmarks.heading_in(tree(node(1, "div", hidden, legend))[1]) == "Delivery"
    assert landmarks.heading_in(tree(node(1, "div", hidden))[1]) == ""


def test_boxes_around_one_thing_do_not_count_as_distance() -> None:
    inner: dict[str, Any] = node(50, "ul", node(51, "li", o="listitem"), o="list")
    for at in range(10, 20):
        inner = node(at, "div", inner, c="wrapper")
    nodes = tree(node(1, "h2", o="heading", n="Orders"), inner)
    assert landmarks.heading_above(by_ref(nodes, 50), 1) == "Orders"
    assert len(list(by_ref(nodes, 50).near(1))) == 11


def test_a_box_around_the_whole_page_is_no_sidebar() -> None:
    rows = [node(at, "p", node(at + 100, "a", o="link", n="Go")) for at in range(2, 20)]
    nodes = tree(node(1, "div", *rows, c="sidebar"))
    assert landmarks.landmark_of(nodes[1]) == ""
