"""Declared schema: cleans a schema that a page wrote, so that every client accepts it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from tabmux.pagetools.argument_validation import is_safe_pattern
from tabmux.pagetools.language.words import clean
from tabmux.pagetools.model import CONFIRM

MOST_PROPERTIES = 40
MOST_VALUES = 40
# However deep and wide a schema is, no more of it than this is looked at.
MOST_PARTS = 400
LONGEST_VALUE = 60
LONGEST_PATTERN = 100
LONGEST_SCHEMA = 12_000
DEEPEST = 4

_TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")
_FORMATS = ("date", "time", "date-time", "email", "uri", "url")
_NUMBERS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems")


class DeclaredSchema:
    """The schema of one tool, as its page gave it.

    Attributes:
        keys: By each of the page's own keys, one that every client accepts.
    """

    def __init__(self, given: Any) -> None:
        self._given, self._parts = given, 0
        self._properties = _properties(self._resolve_ref(given))
        self.keys = dict(_client_keys(self._properties))

    def cleaned(self) -> dict[str, Any]:
        """Return it with our keys, and without what some client stumbles over."""
        parts = {
            key: self._clean_part(self._properties[real], 1) for real, key in self.keys.items()
        }
        made: dict[str, Any] = {"type": "object", "properties": parts}
        required = _strings(self._resolve_ref(self._given).get("required"))
        if needed := [self.keys[name] for name in required if name in self.keys]:
            made["required"] = needed
        if self.keys:
            made["additionalProperties"] = False
        if len(json.dumps(made)) > LONGEST_SCHEMA:
            return {"type": "object", "properties": {key: {} for key in self.keys.values()}}
        return made

    def _resolve_ref(self, given: Any) -> Mapping[str, Any]:
        """Return a part, or the one in the same schema that it only points to."""
        if not isinstance(given, Mapping):
            return {}
        pointer = given.get("$ref")
        if not isinstance(pointer, str) or not pointer.startswith("#/") or "type" in given:
            return given
        found = self._given
        for step in pointer[2:].split("/")[: 2 * DEEPEST]:
            found = found.get(step) if isinstance(found, Mapping) else None
        return found if isinstance(found, Mapping) else given

    def _clean_part(self, given: Any, depth: int) -> dict[str, Any]:
        """Keep what is known to be harmless; anything else the page may check itself."""
        given = self._resolve_ref(given)
        self._parts += 1
        if depth > DEEPEST or self._parts > MOST_PARTS:
            return {}
        return _clean_keywords(given) | self._clean_nested(given, depth)

    def _clean_nested(self, given: Mapping[str, Any], depth: int) -> dict[str, Any]:
        nested: dict[str, Any] = {}
        if given.get("type") == "array" and isinstance(given.get("items"), Mapping):
            nested["items"] = self._clean_part(given["items"], depth + 1)
        if given.get("type") == "object" and isinstance(given.get("properties"), Mapping):
            inner = {
                key: self._clean_part(each, depth + 1)
                for key, each in list(given["properties"].items())[:MOST_PROPERTIES]
                if isinstance(key, str) and _is_shown(key)
            }
            nested["properties"] = inner
            if needed := [name for name in _strings(given.get("required")) if name in inner]:
                nested["required"] = needed
        return nested


def _properties(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    if schema.get("type", "object") != "object":
        return {}
    found = schema.get("properties")
    return found if isinstance(found, Mapping) else {}


def _client_keys(properties: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each property with a key that every client accepts."""
    taken = {CONFIRM}
    for number, real in enumerate(list(properties)[:MOST_PROPERTIES], 1):
        base = re.sub(r"[^A-Za-z0-9_]+", "_", str(real)[:200]).strip("_")[:40]
        key = base = base or f"field_{number}"
        again = 1
        while key in taken:
            again += 1
            key = f"{base[:36]}_{again}"
        taken.add(key)
        yield str(real), key


def _clean_keywords(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a part says of a value, but for what is inside of it."""
    part: dict[str, Any] = {}
    if kind := _type(given.get("type")):
        part["type"] = kind
    words = str(given.get("description") or given.get("title") or "")
    if text := clean(words[:1000], 120):
        part["description"] = text
    part |= {key: given[key] for key in _NUMBERS if _is_number(given.get(key))}
    if (form := given.get("format")) in _FORMATS:
        part["format"] = form
    pattern = given.get("pattern")
    if isinstance(pattern, str) and len(pattern) <= LONGEST_PATTERN and is_safe_pattern(pattern):
        part["pattern"] = pattern
    if values := _enum_values(given.get("enum")):
        part["enum"] = values
    if _is_shown(given.get("default")):
        part["default"] = given["default"]
    return part


def _type(given: Any) -> str | list[str] | None:
    if isinstance(given, list):
        return [kind for kind in _TYPES if kind in given] or None
    return given if given in _TYPES else None


def _enum_values(given: Any) -> list[Any]:
    """Return the values to choose from; none at all when some cannot be shown as they are."""
    if not isinstance(given, list) or len(given) > MOST_VALUES:
        return []
    values = [value for value in given if value != ""]
    return values if all(_is_shown(value) for value in values) else []


def _is_shown(value: Any) -> bool:
    """Whether a value can be shown as it is."""
    if isinstance(value, str):
        return 0 < len(value) <= LONGEST_VALUE and clean(value, LONGEST_VALUE) == value
    return isinstance(value, bool) or _is_number(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _strings(given: Any) -> list[str]:
    return [each for each in given if isinstance(each, str)] if isinstance(given, list) else []
