"""Makes page tools of what a page declares itself; every word of it is the page's."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from tabmux.page.frames import Frame
from tabmux.page.webmcp import Declared
from tabmux.pagetools.model import Control, PageTool, Plan, Source
from tabmux.pagetools.words import clean, name_of, slug

MOST_PROPERTIES = 40
MOST_VALUES = 40
LONGEST_VALUE = 60
LONGEST_SCHEMA = 12_000
DEEPEST = 4
RANK = 1000.0

_TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})
_FORMATS = frozenset({"date", "time", "date-time", "email", "uri", "url"})
_NUMBERS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems")
_DANGEROUS = re.compile(
    r"(?<![a-z])(delete|remove|cancel|deactivate|unsubscribe|drop|purge|erase|discard|revoke|"
    r"reset|empty|archive|ban|buy|pay|purchase|transfer|publish|book|order|checkout|send)(?![a-z])"
)


def declared_tool(
    tool: Declared, frame: Frame, origin: str, source: Source = "webmcp", form: int | None = None
) -> PageTool:
    """Return a tool that is fit for every client, with the way back to the page's own words.

    Args:
        tool: What the page said.
        frame: The frame that said it.
        origin: The origin of the frame.
        source: How it was said.
        form: The collector's number of the form that declares it, if one does.
    """
    keys = dict(_keys(_properties(tool.schema)))
    schema = _root(tool.schema, keys)
    # What a page claims of itself never makes the sending of a form look harmless.
    reads = bool(tool.hints.get("readOnly")) and tool.form is None
    name = name_of(slug(tool.name)) or "page_tool"
    return PageTool(
        name=name,
        description=f"[{urlsplit(origin).netloc or origin}] {clean(tool.description, 200)}",
        schema=schema,
        key=f"{source}:{'' if frame.parent is None else urlsplit(frame.url).path}:{tool.name}",
        kind="declared",
        source=source,
        frame=frame.id,
        loader=frame.loader,
        origin=origin,
        plan=Plan(controls=tuple(_control(key, real) for real, key in keys.items()), form=form),
        reads=reads,
        destroys=not reads and (bool(tool.hints.get("consequential")) or _is_dangerous(name)),
        consequential=bool(tool.hints.get("consequential")),
        rank=RANK,
    )


def real_arguments(tool: PageTool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments under the names that the page gave them."""
    names = {control.key: control.name for control in tool.plan.controls}
    return {names.get(key, key): value for key, value in arguments.items()}


def _is_dangerous(name: str) -> bool:
    return _DANGEROUS.search(name.replace("_", " ")) is not None


def _control(key: str, real: str) -> Control:
    return Control(key, 0, "declared", clean(real, 60), name=real)


def _properties(schema: Any) -> Mapping[str, Any]:
    if not isinstance(schema, Mapping) or schema.get("type", "object") != "object":
        return {}
    found = schema.get("properties")
    return found if isinstance(found, Mapping) else {}


def _keys(properties: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each property with a key that every client accepts."""
    taken: set[str] = set()
    for number, real in enumerate(list(properties)[:MOST_PROPERTIES], 1):
        key = re.sub(r"[^A-Za-z0-9_]+", "_", str(real)).strip("_")[:40] or f"field_{number}"
        while key in taken:
            key = f"{key[:36]}_{number}"
        taken.add(key)
        yield str(real), key


def _root(schema: Any, keys: Mapping[str, str]) -> dict[str, Any]:
    properties = _properties(schema)
    made: dict[str, Any] = {
        "type": "object",
        "properties": {key: _part(properties[real], 1) for real, key in keys.items()},
    }
    required = schema.get("required") if isinstance(schema, Mapping) else None
    needed = [keys[name] for name in _texts(required) if name in keys]
    if needed:
        made["required"] = needed
    if keys:
        made["additionalProperties"] = False
    if len(json.dumps(made)) > LONGEST_SCHEMA:
        return {"type": "object", "properties": {key: {} for key in keys.values()}}
    return made


def _part(given: Any, depth: int) -> dict[str, Any]:
    """Keep what is known to be harmless; anything else the page may check itself."""
    if not isinstance(given, Mapping) or depth > DEEPEST:
        return {}
    part: dict[str, Any] = {}
    if given.get("type") in _TYPES:
        part["type"] = given["type"]
    if text := clean(str(given.get("description") or given.get("title") or ""), 120):
        part["description"] = text
    part |= {
        key: given[key]
        for key in _NUMBERS
        if isinstance(given.get(key), int | float) and not isinstance(given[key], bool)
    }
    if given.get("format") in _FORMATS:
        part["format"] = given["format"]
    if values := _values(given.get("enum")):
        part["enum"] = values
    if _is_plain(given.get("default")):
        part["default"] = given["default"]
    return part | _nested(given, depth)


def _nested(given: Mapping[str, Any], depth: int) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    if given.get("type") == "array" and isinstance(given.get("items"), Mapping):
        nested["items"] = _part(given["items"], depth + 1)
    if given.get("type") == "object" and isinstance(given.get("properties"), Mapping):
        inner = {
            key: _part(each, depth + 1)
            for key, each in list(given["properties"].items())[:MOST_PROPERTIES]
            if isinstance(key, str) and _is_plain(key)
        }
        nested["properties"] = inner
        if needed := [name for name in _texts(given.get("required")) if name in inner]:
            nested["required"] = needed
    return nested


def _values(given: Any) -> list[Any]:
    """Return the values to choose from; none at all when some cannot be shown as they are."""
    if not isinstance(given, list) or len(given) > MOST_VALUES:
        return []
    values = [value for value in given if value != ""]
    return values if all(_is_plain(value) for value in values) else []


def _is_plain(value: Any) -> bool:
    if isinstance(value, str):
        return clean(value, LONGEST_VALUE) == value and value != ""
    return isinstance(value, bool | int | float)


def _texts(given: Any) -> list[str]:
    return [each for each in given if isinstance(each, str)] if isinstance(given, list) else []
