from __future__ import annotations

import time
from typing import Any

import pytest

from tabmux.errors import BadArguments
from tabmux.pagetools.argument_validation import validate
from tests.clock import AT_ONCE

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 2, "maxLength": 5, "pattern": "^(?:[a-z]+)$"},
        "count": {"type": "integer", "minimum": 1, "maximum": 9},
        "price": {"type": "number"},
        "size": {"type": "string", "enum": ["S", "M"]},
        "when": {"type": "string", "format": "date"},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        "deep": {"type": "object", "properties": {"x": {"type": "boolean"}}, "required": ["x"]},
        "confirm": {"const": True},
    },
    "required": ["name"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": "abc"},
        {"name": "abc", "count": 9, "price": 1.5, "size": "M", "when": "2026-01-02"},
        {"name": "abc", "count": 3.0, "tags": ["a", "b"], "deep": {"x": False}, "confirm": True},
    ],
)
def test_fitting_arguments_pass(arguments: dict[str, Any]) -> None:
    validate("tool", arguments, SCHEMA)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "name is missing"),
        ({"name": 5}, "name must be a string"),
        ({"name": "a"}, "name must have at least 2 characters"),
        ({"name": "abcdef"}, "name must have at most 5 characters"),
        ({"name": "ABC"}, "name must match"),
        ({"name": "abc", "count": 0}, "count must be at least 1"),
        ({"name": "abc", "count": 1.5}, "count must be an integer"),
        ({"name": "abc", "count": True}, "count must be an integer"),
        ({"name": "abc", "size": "XL"}, 'size must be one of "S", "M"'),
        ({"name": "abc", "when": "tomorrow"}, "when must be a date"),
        ({"name": "abc", "tags": ["a", 1]}, r"tags\[1\] must be a string"),
        ({"name": "abc", "tags": ["a", "b", "c"]}, "tags must have at most 2 entries"),
        ({"name": "abc", "deep": {}}, "deep.x is missing"),
        ({"name": "abc", "confirm": False}, "confirm must be true"),
        ({"name": "abc", "other": 1}, "other is unknown"),
    ],
)
def test_problem_is_named(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadArguments, match=problem):
        validate("tool", arguments, SCHEMA)


def test_error_does_not_repeat_values() -> None:
    schema = {"type": "object", "properties": {"password": {"type": "string", "maxLength": 3}}}
    with pytest.raises(BadArguments) as caught:
        validate("tool", {"password": "hunter2"}, schema)
    assert "hunter2" not in caught.value.message + caught.value.hint


def test_pattern_that_would_take_others_for_ever_is_decided_at_once() -> None:
    schema = {"type": "object", "properties": {"x": {"type": "string", "pattern": "^(a+)+$"}}}
    began = time.monotonic()
    validate("tool", {"x": "a" * 60}, schema)
    with pytest.raises(BadArguments, match="must match"):
        validate("tool", {"x": "a" * 60 + "!"}, schema)
    assert time.monotonic() - began < AT_ONCE


@pytest.mark.parametrize("pattern", ["^(?=a)b", "[", "a{99999999999999}", "(" * 5000])
def test_pattern_that_cannot_be_checked_is_left_to_the_page(pattern: str) -> None:
    schema = {"type": "object", "properties": {"x": {"type": "string", "pattern": pattern}}}
    validate("tool", {"x": "anything"}, schema)


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object"},
        {"properties": {"a": 5}},
        {"properties": ["a"], "required": 5},
        {"properties": 7, "required": [{}]},
        {"properties": {"a": {"pattern": 5, "enum": 5, "minimum": "x"}}},
    ],
)
def test_schema_without_sense_refuses_nothing(schema: dict[str, Any]) -> None:
    validate("tool", {"a": 1}, schema)
