"""Portable schema: a tool's JSON schema with nothing in it that some client refuses.

Tools come from tabmux, from pages and from extensions. Clients convert their schemas for the API
of a model: OpenAI's strict mode takes no free-form objects, Gemini no `additionalProperties`,
references, unions, and few formats. What cannot be a keyword is said in the description.
Calls are checked against the tool's own schema, never against this one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

Schema = dict[str, Any]

DEEPEST = 8
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_TYPES = ("string", "number", "integer", "boolean", "array", "object")
_KEPT = ("minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength")
_SAID = {
    "default": "Default {}.",
    "const": "Must be {}.",
    "pattern": "Pattern {}.",
    "format": "Format {}.",
}
_NOTHING = (None, "", False)


def portable(schema: Mapping[str, Any]) -> Schema:
    """Return the schema of a tool's arguments as every client takes it."""
    return _object(schema, schema, 0)


def _object(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Schema:
    given = schema.get("properties")
    found = given.items() if isinstance(given, Mapping) else ()
    # A name that APIs refuse would cost the client all tools.
    properties = {
        name: _part(about, root, depth + 1) for name, about in found if _NAME.fullmatch(str(name))
    }
    made: Schema = {"type": "object", "properties": properties}
    required = schema.get("required")
    wanted = required if isinstance(required, list) else []
    if needed := [name for name in properties if name in wanted]:
        made["required"] = needed
    return made


def _part(given: Any, root: Mapping[str, Any], depth: int) -> Schema:
    """Return one part of a schema; what has no type that is known is a string."""
    about = _resolved(given, root)
    made = _shape(about, root, depth)
    if made["type"] == "object" and not made["properties"]:
        return {"type": "string", "description": _joined(about, ["A JSON object."])}
    made |= {key: about[key] for key in _KEPT if _is_number(about.get(key))}
    if made["type"] == "integer" and isinstance(least := about.get("exclusiveMinimum"), int):
        made["minimum"] = least + 1
    values = about.get("enum")
    choices = [each for each in values if each != ""] if isinstance(values, list) else []
    if choices and made["type"] == "string" and all(isinstance(each, str) for each in choices):
        made["enum"], choices = choices, []
    if text := _joined(about, _said(about, choices)):
        made["description"] = text
    return made


def _shape(about: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Schema:
    """Return the type, and what is inside of it down to where it gets too deep."""
    kind = _type(about)
    if kind == "object":
        return _object(about if depth < DEEPEST else {}, root, depth)
    if kind == "array":
        items = about.get("items") if depth < DEEPEST else {}
        return {"type": kind, "items": _part(items, root, depth + 1)}
    return {"type": kind}


def _said(about: Mapping[str, Any], choices: list[Any]) -> Iterator[str]:
    """Put into words what no keyword may say."""
    if choices:
        yield f"One of {', '.join(map(_shown, choices))}."
    for key, words in _SAID.items():
        value = about.get(key)
        if value not in _NOTHING and not isinstance(value, list | Mapping):
            yield words.format(_shown(value))
    examples = about.get("examples")
    if isinstance(examples, list) and examples:
        yield f"Such as {', '.join(map(_shown, examples))}."


def _joined(about: Mapping[str, Any], more: Iterator[str] | list[str]) -> str:
    text = str(about.get("description") or "").strip()
    added = " ".join(more)
    if text and added and text[-1].isalnum():
        text += "."
    return f"{text} {added}".strip()


def _resolved(given: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow references and choose one branch of a union: a string can say anything."""
    for _ in range(DEEPEST):
        if not isinstance(given, Mapping):
            return {}
        if isinstance(reference := given.get("$ref"), str):
            given = {**_target(reference, root), **_without(given, "$ref")}
            continue
        union = next((key for key in ("anyOf", "oneOf", "allOf") if given.get(key)), None)
        if union is None:
            return given
        found = given[union] if isinstance(given[union], list) else []
        branches = [each for each in found if isinstance(each, Mapping)]
        real = [each for each in branches if each.get("type") != "null"]
        chosen = next((each for each in real if each.get("type") == "string"), None)
        given = {**(chosen or next(iter(real), {})), **_without(given, union)}
    return {}


def _target(reference: str, root: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Any = root
    for step in reference.removeprefix("#").split("/")[1:]:
        found = found.get(step) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _without(given: Mapping[str, Any], key: str) -> Schema:
    return {name: value for name, value in given.items() if name != key}


def _type(about: Mapping[str, Any]) -> str:
    given = about.get("type")
    kinds = [each for each in given if each in _TYPES] if isinstance(given, list) else [given]
    if "string" in kinds or not kinds or kinds[0] not in _TYPES:
        return "object" if about.get("properties") and "string" not in kinds else "string"
    return str(kinds[0])


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
