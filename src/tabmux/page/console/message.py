"""Console messages: one line of the console, and how logged values are written in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from tabmux.cdp.channel import Channel, Params
from tabmux.json_text import decoder
from tabmux.page.console.issues import Issue

TEXT_LIMIT = 2000
# Strings are not kept by Chrome: what is cut off here is lost.
ARGUMENT_LIMIT = 10_000
FRAMES_KEPT = 20
# What Python needs to hold a message, beside its text.
MESSAGE_WEIGHT = 700
# How much of a string inside another value is shown.
STRING_SHOWN = 300


class _Details(msgspec.Struct):
    arguments: list[Params]
    stack: list[Params]


_decode = decoder(_Details)


@dataclass(slots=True, eq=False)
class ConsoleMessage:
    """What was logged, warned about or thrown; repeats are counted, not kept.

    Its values and its stack are kept in the form they came in, which is several times smaller.
    """

    id: int
    type: str
    text: str
    source: str
    channel: Channel
    details: bytes = b""
    worker: str = ""
    issue: Issue | None = None
    count: int = 1
    weight: int = MESSAGE_WEIGHT

    @property
    def line(self) -> str:
        """Return the message as a list shows it."""
        times = f" [{self.count} times]" if self.count > 1 else ""
        return f"msgid={self.id} [{self.type}] {self.text}{times}"

    @property
    def arguments(self) -> list[Params]:
        """The values that were logged, as Chrome described them."""
        return _decode(self.details).arguments if self.details else []

    @property
    def stack(self) -> list[Params]:
        """The frames it was logged from, the innermost first."""
        return _decode(self.details).stack if self.details else []

    def keep(self, arguments: Sequence[Params], trace: Params | None) -> None:
        """Keep values and the stack; both are bounded."""
        details = _Details([_bounded(each) for each in arguments], _frames(trace))
        self.details = msgspec.json.encode(details)
        self.weight = MESSAGE_WEIGHT + len(self.text) + len(self.details)


def text_of(arguments: Sequence[Params]) -> str:
    """Write logged values in one line, as consoles do."""
    shown = _formatted(arguments)
    return " ".join(preview(each, top=True) for each in shown)[:TEXT_LIMIT]


def reason_of(details: Params) -> str:
    """Say what was thrown, and what caused it."""
    text, thrown = str(details.get("text", "Uncaught")), details.get("exception")
    if not thrown:
        return text[:TEXT_LIMIT]
    reason = thrown.get("description") or preview(thrown, top=True)
    return f"{text} {_without_stack(reason)}{_cause(thrown)}"[:TEXT_LIMIT]


def place_of(trace: Params | None) -> str:
    """Name the place that a stack begins at."""
    while trace is not None:
        for frame in trace["callFrames"]:
            return f"{frame['url']}:{frame['lineNumber']}:{frame['columnNumber']}"
        trace = trace.get("parent")
    return ""


def _cause(thrown: Params) -> str:
    properties = thrown.get("preview", {}).get("properties", ())
    for each in properties:
        if each["name"] == "cause":
            return f" (cause: {_without_stack(str(each.get('value', each['type'])))})"
    return ""


def _without_stack(reason: str) -> str:
    return reason.split("\n    at ", 1)[0]


def _bounded(argument: Params) -> Params:
    text = argument.get("value")
    if isinstance(text, str) and len(text) > ARGUMENT_LIMIT:
        left = len(text) - ARGUMENT_LIMIT
        return {**argument, "value": f"{text[:ARGUMENT_LIMIT]}… <{left} more characters>"}
    text = argument.get("description")
    if isinstance(text, str) and len(text) > ARGUMENT_LIMIT:
        return {**argument, "description": text[:ARGUMENT_LIMIT]}
    return argument


def _frames(trace: Params | None) -> list[Params]:
    """Return the frames of a trace and of what it was called from."""
    frames: list[Params] = []
    while trace is not None and len(frames) < FRAMES_KEPT:
        if frames and trace.get("description"):
            frames.append({"async": trace["description"]})
        frames += trace["callFrames"]
        trace = trace.get("parent")
    return frames[:FRAMES_KEPT]


def _formatted(arguments: Sequence[Params]) -> Sequence[Params]:
    """Put arguments into a format string such as "%s has %d", as consoles do."""
    if not arguments or arguments[0].get("type") != "string" or "%" not in arguments[0]["value"]:
        return arguments
    text, rest = arguments[0]["value"], list(arguments[1:])
    out = ""
    while "%" in text:
        head, _, text = text.partition("%")
        code, text = text[:1], text[1:]
        if code == "c" and rest:
            rest.pop(0)
            out += head
        elif code in "sdifoO" and code and rest:
            out += head + preview(rest.pop(0), top=True)
        else:
            out += f"{head}%{code if code != '%' else ''}"
    return [{"type": "string", "value": out + text}, *rest]


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
        return _object_preview(value["preview"])
    if "value" in value:
        shown = value["value"]
        return str(shown).lower() if isinstance(shown, bool) else str(shown)
    text = str(value.get("description", kind))
    return text if top and value.get("subtype") == "error" else _cut(text.split("\n")[0])


def _object_preview(shown: Params) -> str:
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
        parts = [_entry_preview(each) for each in entries]
        return f"{shown['description']} {{{', '.join(parts)}{more}}}"
    properties = shown.get("properties", ())
    if shown.get("subtype") == "array":
        return f"[{', '.join(_property_preview(each) for each in properties)}{more}]"
    inner = ", ".join(f"{each['name']}: {_property_preview(each)}" for each in properties)
    name = shown.get("description", "Object")
    return f"{'' if name == 'Object' else f'{name} '}{{{inner}{more}}}"


def _entry_preview(entry: Params) -> str:
    value = _object_preview(entry["value"]) if "value" in entry else ""
    return f"{_object_preview(entry['key'])} => {value}" if "key" in entry else value


def _property_preview(each: Params) -> str:
    if "valuePreview" in each:
        return _object_preview(each["valuePreview"])
    value = str(each.get("value", each["type"]))
    return f'"{value}"' if each["type"] == "string" else value


def _cut(text: str) -> str:
    return text if len(text) <= STRING_SHOWN else f"{text[:STRING_SHOWN]}…"
