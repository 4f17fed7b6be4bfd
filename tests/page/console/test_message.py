from __future__ import annotations

from typing import Any

import pytest

from tabmux.page.console.message import preview

ARRAY = {
    "type": "object",
    "subtype": "array",
    "preview": {
        "type": "object",
        "subtype": "array",
        "description": "Array(2)",
        "overflow": True,
        "properties": [
            {"name": "0", "type": "number", "value": "1"},
            {"name": "1", "type": "string", "value": "two"},
        ],
    },
}
NESTED = {
    "type": "object",
    "preview": {
        "type": "object",
        "description": "Point",
        "properties": [
            {
                "name": "at",
                "type": "object",
                "valuePreview": {"type": "object", "description": "Object", "properties": []},
            },
            {"name": "x", "type": "number", "value": "1"},
        ],
    },
}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"type": "string", "value": "bare"}, "bare"),
        ({"type": "number", "value": 1.5}, "1.5"),
        ({"type": "number", "unserializableValue": "NaN"}, "NaN"),
        ({"type": "boolean", "value": True}, "true"),
        ({"type": "undefined"}, "undefined"),
        ({"type": "object", "subtype": "null", "value": None}, "null"),
        ({"type": "function", "description": "function f() {\n}"}, "function f() {"),
        ({"type": "symbol", "description": "Symbol(x)"}, "Symbol(x)"),
        (
            {"type": "object", "subtype": "error", "description": "Error: x\n    at y"},
            "Error: x\n    at y",
        ),
        (ARRAY, '[1, "two", …]'),
        (NESTED, "Point {at: {}, x: 1}"),
    ],
)
def test_values_read_as_a_console_shows_them(value: dict[str, Any], text: str) -> None:
    assert preview(value, top=True) == text


def test_strings_inside_others_are_quoted_and_cut() -> None:
    assert preview({"type": "string", "value": "x" * 400}) == f'"{"x" * 300}…"'


def entries(*pairs: dict[str, Any], name: str = "Map(1)") -> dict[str, Any]:
    return {
        "type": "object",
        "preview": {
            "type": "object",
            "description": name,
            "entries": list(pairs),
            "properties": [],
        },
    }


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (
            entries(
                {
                    "key": {"type": "string", "description": "k"},
                    "value": {"type": "number", "description": "1"},
                }
            ),
            'Map(1) {"k" => 1}',
        ),
        (entries({"value": {"type": "number", "description": "2"}}, name="Set(1)"), "Set(1) {2}"),
        (
            {"type": "object", "preview": {"subtype": "error", "description": "Error: x"}},
            "Error: x",
        ),
        ({"type": "object", "preview": {"description": "Object", "properties": []}}, "{}"),
        ({"type": "object", "preview": {"description": "Window", "properties": []}}, "Window"),
    ],
)
def test_collections_and_bare_objects_are_summed_up(value: dict[str, Any], text: str) -> None:
    assert preview(value) == text
