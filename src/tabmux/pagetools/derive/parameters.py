"""Schemas of tools, in the part of JSON Schema that every client takes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tabmux.pagetools.language import words
from tabmux.pagetools.model import ToolControl

if TYPE_CHECKING:
    from tabmux.pagetools.derive.fields import Field

ENUM_LIMIT = 40
EXAMPLES = 5
DESCRIPTION = 120
_FORMATS = {"email": "email", "url": "uri", "date": "date", "time": "time"}
_PATTERNS = {
    "month": r"^\d{4}-\d{2}$",
    "week": r"^\d{4}-W\d{2}$",
    "datetime-local": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$",
    "color": r"^#[0-9a-fA-F]{6}$",
}
Schema = dict[str, Any]

INDEX: Schema = {"type": "integer", "minimum": 1, "description": "Position in the list, from 1"}


def root(properties: dict[str, Schema], required: Iterable[str]) -> Schema:
    """Return the schema of a tool."""
    wanted = [key for key in properties if key in set(required)]
    schema: Schema = {"type": "object", "properties": properties}
    if wanted:
        schema["required"] = wanted
    schema["additionalProperties"] = False
    return schema


def of_controls(controls: Iterable[ToolControl], *, index: bool = False) -> Schema:
    """Return the schema of a tool that sets these controls, of one item of a list or of none."""
    found = list(controls)
    properties: dict[str, Schema] = {"index": dict(INDEX)} if index else {}
    properties |= {each.key: each.schema for each in found}
    return root(properties, ["index", *(each.key for each in found if each.required)])


def field_schema(field: Field, key: str) -> Schema:
    """Return what a field takes."""
    schema = _typed(field)
    if field.secret:
        schema["writeOnly"] = True
    if text := _description(field, key):
        schema["description"] = text
    return schema


def _typed(field: Field) -> Schema:
    kind, node = field.kind, field.node
    if kind == "checkbox":
        return {"type": "boolean", "default": node.has("c")}
    if kind in ("select", "radio", "listbox", "checkboxes"):
        return _choice(field)
    if kind in ("number", "range"):
        return _number(field)
    if kind == "file":
        return {"type": "string"}
    return _text(field)


def _choice(field: Field) -> Schema:
    labels = [option.label for option in field.options]
    one: Schema = {"type": "string"}
    if labels and len(labels) <= ENUM_LIMIT:
        one["enum"] = labels
    elif labels:
        one["examples"] = labels[:EXAMPLES]
    if field.kind == "checkboxes" or field.node.has("m"):
        return {"type": "array", "items": one, "uniqueItems": True}
    if chosen := _chosen(field):
        one["default"] = chosen
    return one


def _chosen(field: Field) -> str:
    if field.kind == "radio":
        on = {node.ref for node in field.nodes or [field.node] if node.has("c")}
        return next((option.label for option in field.options if option.ref in on), "")
    labels = {option.label for option in field.options}
    chosen = [words.clean(text, 60) for text, _, state in field.node.options if "c" in state]
    return chosen[0] if chosen and chosen[0] in labels else ""


def _number(field: Field) -> Schema:
    node = field.node
    step = node.get("step") or "1"
    whole = re.fullmatch(r"\d+(?:\.0+)?", step) is not None
    schema: Schema = {"type": "integer" if whole else "number"}
    for attribute, keyword in (("min", "minimum"), ("max", "maximum")):
        if (limit := _figure(node.get(attribute))) is not None:
            schema[keyword] = limit
    if (value := _figure(node.value)) is not None:
        schema["default"] = value
    return schema


def _figure(text: str) -> int | float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    if value != value or value in (float("inf"), float("-inf")):
        return None
    return int(value) if value.is_integer() else value


def _text(field: Field) -> Schema:
    node, schema = field.node, Schema(type="string")
    if field.kind in _FORMATS:
        schema["format"] = _FORMATS[field.kind]
    if field.kind in _PATTERNS:
        schema["pattern"] = _PATTERNS[field.kind]
    elif pattern := _pattern(node.get("pattern")):
        schema["pattern"] = pattern
    for attribute, keyword in (("minlength", "minLength"), ("maxlength", "maxLength")):
        if node.get(attribute).isdecimal() and int(node.get(attribute)) < 100_000:
            schema[keyword] = int(node.get(attribute))
    if field.options:
        schema["examples"] = [option.label for option in field.options[:EXAMPLES]]
    if node.value and not field.secret and len(node.value) <= 40 and field.kind != "search":
        schema["default"] = words.clean(node.value, 40)
    return schema


def _pattern(written: str) -> str:
    """Return a pattern of the page's that means the same to any reader, or none."""
    if not written or len(written) > 100 or re.search(r"\\[pP]\{|\(\?<|&&|--", written):
        return ""
    try:
        re.compile(written)
    except re.error:
        return ""
    return f"^(?:{written})$"


def _description(field: Field, key: str) -> str:
    """Say what the key does not."""
    if field.kind == "file":
        return "Path of a local file"
    if key == "captcha":
        return "Asks for a human"
    if field.kind == "editable" or words.slug(field.label) in (key, ""):
        placeholder = words.clean(field.node.get("placeholder"), 60)
        return placeholder if words.slug(placeholder) not in (key, "") else ""
    return words.clean(field.label, DESCRIPTION)
