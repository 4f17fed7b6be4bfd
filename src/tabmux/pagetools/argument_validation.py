"""Argument validation: checks arguments against a tool's schema, since pages do not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tabmux import json_text
from tabmux.errors import BadArguments
from tabmux.page_text import in_quotes, visible_line
from tabmux.patterns import TextPattern

_FORMATS = {
    "date": re.compile(r"\d{4,}-\d\d-\d\d"),
    "time": re.compile(r"\d\d:\d\d(:\d\d(\.\d+)?)?"),
    "email": re.compile(r"[^@\s]+@[^@\s]+"),
    "uri": re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:\S+"),
    "url": re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:\S+"),
}


def validate(tool: str, arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    """Raise what is wrong with the arguments of a tool, all at once.

    Values are not repeated in the error: some of them are secrets.
    """
    problems = list(_check(arguments, schema, ""))
    if problems:
        known = ", ".join(map(str, _parts(schema))) or "none"
        raise BadArguments(
            f"Invalid arguments for {tool}: {'; '.join(problems)}.",
            hint=f"It takes: {known}.",
        )


def decoded(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments without those that say nothing, and with objects that came as text.

    Strict clients must send every argument, and know no objects of any shape: null stands for
    what is left out, and such objects are shown to them as JSON text.
    """
    parts, required = _parts(schema), _required(schema)
    return {
        name: _decoded(value, parts.get(name))
        for name, value in arguments.items()
        if value is not None or name in required or _has_type(None, _types(parts.get(name)))
    }


def _decoded(value: Any, schema: Any) -> Any:
    if not isinstance(value, str) or not _is_free(schema):
        return value
    try:
        found = json_text.decoded(value)
    except ValueError:
        return value
    return found if isinstance(found, dict) else value


def _is_free(schema: Any) -> bool:
    """Whether a schema asks for an object of any shape."""
    return (
        isinstance(schema, Mapping)
        and schema.get("type") == "object"
        and not schema.get("properties")
    )


def _types(schema: Any) -> Any:
    return schema.get("type", ()) if isinstance(schema, Mapping) else ()


def _check(value: Any, schema: Any, place: str) -> Iterator[str]:
    if not isinstance(schema, Mapping):
        return
    where = place or "the arguments"
    kinds = schema.get("type")
    if kinds is not None and not _has_type(value, kinds):
        wanted = " or ".join(map(str, kinds)) if isinstance(kinds, list) else kinds
        yield f"{where} must be {_with_article(visible_line(str(wanted), 60))}"
        return
    yield from _check_choice(value, schema, where)
    for kind, check in _CHECKS:
        if isinstance(value, kind) and not isinstance(value, bool):
            yield from check(value, schema, place)


def _check_choice(value: Any, schema: Mapping[str, Any], where: str) -> Iterator[str]:
    allowed = schema.get("enum")
    if isinstance(allowed, list) and value not in allowed:
        shown = (visible_line(json.dumps(each, ensure_ascii=False), 60) for each in allowed[:40])
        yield f"{where} must be one of {', '.join(shown)}"
    if "const" in schema and value != schema["const"]:
        yield f"{where} must be {visible_line(json.dumps(schema['const']), 60)}"


def _check_object(value: Mapping[str, Any], schema: Mapping[str, Any], place: str) -> Iterator[str]:
    properties = _parts(schema)
    for name in _required(schema):
        if name not in value:
            yield f"{_path(place, name)} is missing"
    for name, each in value.items():
        if name in properties:
            yield from _check(each, properties[name], _path(place, name))
        elif schema.get("additionalProperties") is False:
            yield f"{_path(place, name)} is unknown"


def _check_list(value: list[Any], schema: Mapping[str, Any], place: str) -> Iterator[str]:
    yield from _check_bounds(len(value), schema, "Items", f"{place} must have", "entries")
    for number, each in enumerate(value):
        yield from _check(each, schema.get("items"), f"{place}[{number}]")


def _check_text(value: str, schema: Mapping[str, Any], place: str) -> Iterator[str]:
    yield from _check_bounds(len(value), schema, "Length", f"{place} must have", "characters")
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and not _matches_pattern(pattern, value):
        yield f"{place} must match {in_quotes(pattern, 100)}"
    form = _FORMATS.get(str(schema.get("format")))
    if form is not None and value and not form.fullmatch(value):
        yield f"{place} must be {_with_article(str(schema['format']))}"


def _check_number(value: float, schema: Mapping[str, Any], place: str) -> Iterator[str]:
    yield from _check_bounds(value, schema, "imum", f"{place} must be", "")


def _check_bounds(
    size: float, schema: Mapping[str, Any], suffix: str, start: str, unit: str
) -> Iterator[str]:
    least, most = schema.get(f"min{suffix}"), schema.get(f"max{suffix}")
    if isinstance(least, int | float) and size < least:
        yield f"{start} at least {least} {unit}".rstrip()
    if isinstance(most, int | float) and size > most:
        yield f"{start} at most {most} {unit}".rstrip()


_CHECKS: tuple[tuple[Any, Callable[..., Iterator[str]]], ...] = (
    (Mapping, _check_object),
    (list, _check_list),
    (str, _check_text),
    ((int, float), _check_number),
)
_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, Mapping),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: (
        isinstance(value, int | float) and not isinstance(value, bool) and value == int(value)
    ),
}


def _has_type(value: Any, kinds: Any) -> bool:
    names = kinds if isinstance(kinds, list) else [kinds]
    return any(_TYPES.get(str(name), lambda _: True)(value) for name in names)


def is_safe_pattern(pattern: str) -> bool:
    """Whether values can be held against a pattern; others are left to the page."""
    try:
        TextPattern(pattern)
    except BadArguments:
        return False
    return True


def _matches_pattern(pattern: str, value: str) -> bool:
    return not is_safe_pattern(pattern) or TextPattern(pattern).is_in(value)


# Pages write schemas too, and anything may stand in them.


def _parts(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    found = schema.get("properties")
    return found if isinstance(found, Mapping) else {}


def _required(schema: Mapping[str, Any]) -> list[str]:
    found = schema.get("required")
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []


def _path(place: str, name: str) -> str:
    return f"{place}.{name}" if place else str(name)


def _with_article(noun: str) -> str:
    return f"an {noun}" if noun[:1] in "aeiou" else f"a {noun}"
