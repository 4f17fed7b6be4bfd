"""A JavaScript value in a few words."""

from __future__ import annotations

from tabmux.cdp.channel import Params

LONGEST = 300


def preview(value: Params, *, top: bool = False) -> str:
    """Write a remote value as a console would; strings stand bare at the top level."""
    kind = value.get("type", "")
    if kind == "string":
        text = str(value.get("value", value.get("description", "")))
        return text if top else f'"{_cut(text)}"'
    if "unserializableValue" in value:
        return str(value["unserializableValue"])
    if kind == "undefined":
        return "undefined"
    if kind == "object" and value.get("subtype") == "null":
        return "null"
    if kind == "object" and "preview" in value:
        return _object(value["preview"])
    if "value" in value:
        shown = value["value"]
        return str(shown).lower() if isinstance(shown, bool) else str(shown)
    text = str(value.get("description", kind))
    return text if top and value.get("subtype") == "error" else _cut(text.split("\n")[0])


def _object(shown: Params) -> str:
    if shown.get("type") == "string":
        return f'"{shown.get("description", "")}"'
    if shown.get("subtype") == "error" or (
        not shown.get("properties") and not shown.get("entries") and shown.get("description")
    ):
        if shown.get("description") == "Object":
            return "{}"
        return str(shown["description"])
    more = ", …" if shown.get("overflow") else ""
    if entries := shown.get("entries"):
        parts = [_entry(each) for each in entries]
        return f"{shown['description']} {{{', '.join(parts)}{more}}}"
    properties = shown.get("properties", ())
    if shown.get("subtype") == "array":
        return f"[{', '.join(_property(each) for each in properties)}{more}]"
    inner = ", ".join(f"{each['name']}: {_property(each)}" for each in properties)
    name = shown.get("description", "Object")
    return f"{'' if name == 'Object' else f'{name} '}{{{inner}{more}}}"


def _entry(entry: Params) -> str:
    value = _object(entry["value"]) if "value" in entry else ""
    return f"{_object(entry['key'])} => {value}" if "key" in entry else value


def _property(each: Params) -> str:
    if "valuePreview" in each:
        return _object(each["valuePreview"])
    value = str(each.get("value", each["type"]))
    return f'"{value}"' if each["type"] == "string" else value


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
