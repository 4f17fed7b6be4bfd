from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.mcp.portable_schema import portable
from tests.client_rules import broken_rules


def part(given: Any, **root: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"x": given}, **root}
    found: dict[str, Any] = portable(schema)["properties"]["x"]
    return found


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ({"type": "string", "description": "Text."}, {"type": "string", "description": "Text."}),
        ({"type": ["integer", "null"]}, {"type": "integer"}),
        ({"type": ["number", "string"]}, {"type": "string"}),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, {"type": "integer"}),
        ({"oneOf": [{"type": "integer"}, {"type": "string"}]}, {"type": "string"}),
        ({}, {"type": "string"}),
        (True, {"type": "string"}),
        ({"type": "null"}, {"type": "string"}),
        ({"type": "array"}, {"type": "array", "items": {"type": "string"}}),
        ({"type": "integer", "exclusiveMinimum": 0}, {"type": "integer", "minimum": 1}),
        ({"type": "string", "enum": []}, {"type": "string"}),
        ({"type": "string", "enum": ["", "a"]}, {"type": "string", "enum": ["a"]}),
        ({"type": "integer", "enum": [1, 2]}, {"type": "integer", "description": "One of 1, 2."}),
        ({"const": True, "type": "boolean"}, {"type": "boolean", "description": "Must be true."}),
        (
            {"type": "integer", "default": 5, "description": "How many"},
            {"type": "integer", "description": "How many. Default 5."},
        ),
        ({"type": "boolean", "default": False}, {"type": "boolean"}),
        ({"type": "string", "format": "email"}, {"type": "string", "description": "Format email."}),
        (
            {"type": "string", "pattern": "^a$", "examples": ["b", "c"]},
            {"type": "string", "description": "Pattern ^a$. Such as b, c."},
        ),
        (
            {"type": "object", "additionalProperties": True},
            {"type": "string", "description": "A JSON object."},
        ),
        (
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a", "b"]},
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        ),
    ],
)
def test_part_is_made_into_one_that_every_client_takes(given: Any, made: dict[str, Any]) -> None:
    assert part(given) == made


def test_references_are_followed_but_not_for_ever() -> None:
    definitions = {"a": {"type": "integer"}, "b": {"$ref": "#/$defs/b"}}
    assert part({"$ref": "#/$defs/a"}, **{"$defs": definitions}) == {"type": "integer"}
    assert part({"$ref": "#/$defs/b"}, **{"$defs": definitions}) == {"type": "string"}
    assert part({"$ref": "#/nowhere"}) == {"type": "string"}


def test_schema_that_holds_itself_ends() -> None:
    tree: dict[str, Any] = {"type": "object", "properties": {"child": {"$ref": "#"}}}
    text = str(portable(tree))
    assert "A JSON object." in text


KEYS = ("type", "properties", "items", "enum", "anyOf", "$ref", "default", "required", "format")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(("string", "object", "array", "#")),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=5))
def test_whatever_a_page_or_an_extension_declares_can_be_converted(schema: dict[str, Any]) -> None:
    tool = {"name": "x", "title": "X", "description": "x", "inputSchema": portable(schema)}
    assert broken_rules(tool) == []
