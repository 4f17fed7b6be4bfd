"""Which controls become parameters, told from the tree that the collector reports."""

from __future__ import annotations

from typing import Any

import pytest

from tabmux.pagetools.derive.fields import controls, fields, is_honeypot
from tests.pagetools.documents import node, tree


def text_field(**said: Any) -> dict[str, Any]:
    """Report a text field."""
    attributes = {"type": "text", **said.pop("a", {})}
    return node(9, "input", o="textbox", a=attributes, **said)


@pytest.mark.parametrize(
    "field",
    [
        text_field(a={"name": "honeycomb"}),
        text_field(c="form_tastyhoney", a={"name": "f[12]"}),
        text_field(a={"name": "website", "nearby": "Should be empty:"}),
        text_field(a={"name": "field_hp"}),
        text_field(n="Leave this field blank", f="native", a={"name": "second"}),
    ],
)
def test_a_field_that_is_there_to_catch_programs_is_no_parameter(field: dict[str, Any]) -> None:
    found = tree(node(1, "form", field))[2]
    assert is_honeypot(found)
    assert fields([found]) == []


@pytest.mark.parametrize("box", ["hidden", "none", "visually-hidden"])
def test_a_field_without_a_label_in_a_box_that_hides_is_no_parameter(box: str) -> None:
    assert is_honeypot(tree(node(1, "div", text_field(a={"name": "x"}), c=box))[2])


def test_a_field_that_is_named_or_whose_box_shows_on_wide_screens_is_one() -> None:
    honey = tree(node(1, "form", text_field(n="Jars of honey", f="native", a={"name": "honey"})))[2]
    assert not is_honeypot(honey)
    wide = tree(node(1, "div", text_field(a={"name": "q"}), c="hidden md:block"))[2]
    assert not is_honeypot(wide)
    box = tree(node(1, "div", node(2, "input", a={"type": "checkbox"}), c="hidden"))[2]
    assert not is_honeypot(box)


def test_radios_of_one_group_without_names_are_one_field() -> None:
    radios = [node(at, "div", o="radio", n=name) for at, name in ((2, "Small"), (3, "Large"))]
    nodes = tree(node(1, "div", *radios, o="radiogroup", n="Size"))
    (made,) = fields(nodes[2:])
    assert (made.label, [option.label for option in made.options]) == ("Size", ["Small", "Large"])


def test_fields_of_one_label_get_keys_of_their_own() -> None:
    same = [node(at, "input", n="Name", f="native", a={"type": "text"}) for at in (1, 2, 3)]
    assert [each.key for each in controls(fields(tree(*same)[1:]))] == ["name", "name_2", "name_3"]


def test_a_placeholder_names_a_field_whose_surroundings_do_not() -> None:
    nearby = "Everything that you would like us to know before you arrive at the app"
    field = text_field(a={"nearby": nearby, "placeholder": "Wishes"})
    assert [each.label for each in fields(tree(field)[1:])] == ["Wishes"]
