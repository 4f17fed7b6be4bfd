"""Facts: what a line of a snapshot says of an element, beside what Chrome's tree says."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from bench.truth.lines import Line

Node = dict[str, Any]
# Chrome's own words for roles that have an ARIA name, or mean nothing to a reader.
_ROLES = {
    "image": "img",
    "Iframe": "iframe",
    "IframePresentational": "iframe",
    "DisclosureTriangleGrouped": "DisclosureTriangle",
    "MathMLMath": "math",
}
_WORDS = (
    "checked", "pressed", "selected", "disabled", "required", "readonly", "multiselectable",
    "invalid",
)  # fmt: skip
# The protocol leaves these out for some roles, and an agent wants to know.
_TOLD = {"required", "readonly", "selected", "invalid"}
INTERACTIVE = frozenset({
    "button", "checkbox", "combobox", "link", "listbox", "menuitem", "menuitemcheckbox",
    "menuitemradio", "radio", "searchbox", "slider", "spinbutton", "switch", "tab", "textbox",
    "treeitem", "ColorWell", "Date", "DateTime", "InputTime", "DisclosureTriangle",
})  # fmt: skip
# What is in them stands below them, or beside their role: either way it is told once.
_FOLDED = {"row", "cell", "gridcell", "columnheader", "rowheader", "listitem"}
_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff\u200b-\u200f\u2060\ufeff]")


def role_of(node: Node) -> str:
    """The role of an accessibility node, in the words of snapshots."""
    word = str(node["role"]["value"])
    return _ROLES.get(word, word)


def differences(line: Line, node: Node) -> Iterator[tuple[str, str, str]]:
    """What the line and the node say differently: the fact, ours, Chrome's."""
    chrome = role_of(node)
    # What can be written into is told to be a text field, whatever else it is.
    is_editor = line.role == "textbox" and chrome == "generic" and _is_editable(node)
    if line.role != chrome and not is_editor:
        yield "role", line.role, chrome
    name = _name(node)
    if line.role not in _FOLDED and not _same_text(_flat(line.name), name):
        yield "name", line.name, name
    yield from _states(line, node)
    value = node.get("value", {}).get("value")
    if not is_editor and not _same_value(line, value, name):
        yield "value", line.details.get("value", ""), str(value)


def _name(node: Node) -> str:
    """Chrome's name; where that is nothing but glyphs of an icon font, what describes it."""
    raw = str(node.get("name", {}).get("value") or "")
    return _flat(raw) or (_flat(node.get("description", {}).get("value")) if raw.strip() else "")


def _is_editable(node: Node) -> bool:
    return any(each["name"] == "editable" for each in node.get("properties", ()))


def _states(line: Line, node: Node) -> Iterator[tuple[str, str, str]]:
    chrome = {p["name"].lower(): p["value"].get("value") for p in node.get("properties", ())}
    for word in _WORDS:
        ours, theirs = _stated(line, word), _truth(chrome.get(word))
        if ours != theirs and not (theirs == "" and word in _TOLD):
            yield word, ours, theirs
    # A native list is shown without being called collapsed.
    if "expanded" in chrome and not (line.role == "combobox" and chrome.get("haspopup") == "menu"):
        ours = "true" if "expanded" in line.details else "false"
        if ours != str(chrome["expanded"]).lower():
            yield "expanded", ours, str(chrome["expanded"])
    if line.role == "heading" and line.details.get("level") != str(chrome.get("level")):
        yield "level", line.details.get("level", ""), str(chrome.get("level"))


def _stated(line: Line, word: str) -> str:
    return (line.details[word] or "true") if word in line.details else ""


def _truth(state: Any) -> str:
    return "" if state in (False, None, "", 0, "false") else str(state).lower().replace("1", "true")


def _same_value(line: Line, value: Any, name: str) -> bool:
    if line.role in ("heading", "link", "img", "option"):
        return True
    ours, theirs = _flat(line.details.get("value")), _flat(value)
    if not ours and theirs in ("", name, "0"):
        return True
    if "•" in theirs:  # passwords, which neither tells
        return True
    return _number(ours) == _number(theirs) or _same_text(ours, theirs)


def _number(text: str) -> float | str:
    try:
        number = float(text)
    except ValueError:
        return text
    return text if math.isnan(number) else round(number, 4)


def _same_text(ours: str, theirs: str) -> bool:
    """Equal, or cut where it says so."""
    if ours.endswith("…") and len(ours) > 60:
        return theirs.startswith(ours[:-1].rstrip())
    start, cut, end = ours.partition(" … ")
    if cut and len(ours) > 60:
        return theirs.startswith(start) and theirs.endswith(end)
    return ours == theirs


def _flat(text: Any) -> str:
    """One line, without glyphs of icon fonts, which say nothing to a reader."""
    plain = _PRIVATE.sub("", "" if text is None else str(text))
    return re.sub(r"\s+", " ", plain).strip()
