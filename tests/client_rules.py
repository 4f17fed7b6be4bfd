"""Rules of clients: what they demand of a tool before they hand it to a model.

Seen in openai-agents 0.24 (`ensure_strict_json_schema`), google-genai 3.1 (`mcp_to_gemini_tool`)
and in what Gemini's API answers to Gemini CLI. No client is needed to hold tools to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")
PROPERTY = re.compile(r"[A-Za-z0-9_.-]{1,64}")
# OpenAI's strict mode takes these from a tool, once the client has closed every object.
# Gemini's API has no others: no additionalProperties (google-genai fails on `false`), no $ref,
# no oneOf, no const, no exclusiveMinimum, and no format of a string but enum and date-time.
KEYWORDS = {
    "type", "properties", "required", "items", "enum", "description",
    "minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength",
}  # fmt: skip
TYPES = {"string", "number", "integer", "boolean", "array", "object"}


def broken_rules(tool: dict[str, Any]) -> list[str]:
    """Return what some client would stumble over in a tool of `tools/list`."""
    schema = tool["inputSchema"]
    found = [f"{tool['name']}: {problem}" for problem in _broken(schema, "arguments", top=True)]
    if not NAME.fullmatch(tool["name"]):
        found.append(f"{tool['name']}: Gemini refuses the name")
    if not tool["title"] or not tool["description"]:
        found.append(f"{tool['name']}: no title or no description")
    return found


def _broken(part: Any, place: str, *, top: bool = False) -> Iterator[str]:
    if not isinstance(part, dict):
        yield f"{place}: no schema"
        return
    if more := part.keys() - KEYWORDS:
        yield f"{place}: {', '.join(sorted(more))}"
    kind = part.get("type")
    if not isinstance(kind, str) or kind not in TYPES:
        yield f"{place}: a type that Gemini does not know: {kind}"
    if kind == "array":
        yield from _broken(part.get("items"), f"{place}[]")
    elif "items" in part:
        yield f"{place}: items of what is no list"
    if kind == "object":
        yield from _broken_object(part, place, top=top)
    values = part.get("enum", ["x"])
    if not values or (kind != "string" and "enum" in part):
        yield f"{place}: Gemini takes choices of text alone, and not none"
    if not all(isinstance(value, str) and value for value in values):
        yield f"{place}: Gemini refuses a choice that is empty or no text"


def _broken_object(part: dict[str, Any], place: str, *, top: bool) -> Iterator[str]:
    properties = part.get("properties")
    if not isinstance(properties, dict) or not (properties or top):
        yield f"{place}: strict mode would make an object of any shape an empty one"
        return
    if not set(part.get("required", ())) <= set(properties):
        yield f"{place}: requires what it does not have"
    for name, about in properties.items():
        if not PROPERTY.fullmatch(name):
            yield f"{place}.{name}: a name that APIs refuse"
        yield from _broken(about, f"{place}.{name}")
