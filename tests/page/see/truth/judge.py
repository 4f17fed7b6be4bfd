"""Compares what the walker says of a page with what Chrome's accessibility tree says."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tabmux.cdp.channel import Channel

# Chrome's own words for roles that have an ARIA name, or mean nothing to a reader.
_ROLES = {
    "image": "img",
    "Iframe": "iframe",
    "DisclosureTriangleGrouped": "DisclosureTriangle",
    "MathMLMath": "math",
    "LayoutTable": "generic",
    "LayoutTableRow": "generic",
    "LayoutTableCell": "generic",
}
_TEXT_ROLES = {"StaticText", "InlineTextBox", "ListMarker", "LineBreak"}
_STATES = (
    "checked", "pressed", "selected", "expanded", "disabled", "required", "readonly", "focused",
    "modal", "busy", "multiselectable", "invalid", "level", "valuemin", "valuemax", "haspopup",
    "keyshortcuts", "roledescription", "live",
)  # fmt: skip
_INTERACTIVE = {
    "button", "checkbox", "combobox", "link", "listbox", "menuitem", "menuitemcheckbox",
    "menuitemradio", "option", "radio", "searchbox", "slider", "spinbutton", "switch", "tab",
    "textbox", "treeitem", "ColorWell", "Date", "DateTime", "InputTime", "DisclosureTriangle",
    "iframe", "Video", "Audio",
}  # fmt: skip

# Tells of every node what the walker says, and null for what lives inside a native control.
_EXAMINE = """function (labels, ...nodes) {
  const printed = new Set(labels.map(tabmux.elementOf));
  return nodes.map((node) => {
    if (!(node instanceof Node)) return {};
    const root = tabmux.dom.getRootNode.call(node);
    if (root instanceof ShadowRoot && tabmux.shadowOf(root.host) !== root) return null;
    if (!(node instanceof Element)) return {};
    return {
      ...tabmux.describe(node), tag: tabmux.dom.tag.call(node),
      visible: tabmux.isVisible(node), printed: printed.has(node),
    };
  });
}"""


@dataclass(frozen=True)
class Difference:
    """One thing that the walker and Chrome see differently."""

    page: str
    what: str
    role: str
    tag: str
    name: str
    ours: Any
    chrome: Any

    def __str__(self) -> str:
        subject = f"{self.page}: {self.role} {self.name!r} <{self.tag}>"
        return f"{subject} {self.what}: ours {self.ours!r}, Chrome {self.chrome!r}"


@dataclass(frozen=True)
class Comparison:
    """How many elements of a page both show, in how many they differ, and how."""

    elements: int
    differing: int
    differences: list[Difference]


@dataclass(frozen=True)
class World:
    """A tab, and in it the isolated world that holds the walker."""

    channel: Channel
    context: int

    async def evaluate(self, expression: str) -> Any:
        """Return the value of an expression."""
        asked = {
            "expression": expression,
            "contextId": self.context,
            "returnByValue": True,
            "awaitPromise": True,
        }
        return _value(await self.channel.call("Runtime.evaluate", asked))

    async def call(
        self, function: str, *values: Any, objects: Iterable[str] = (), by_value: bool = True
    ) -> Any:
        """Call a function with values, then with remote objects."""
        arguments = [{"value": v} for v in values] + [{"objectId": o} for o in objects]
        asked = {
            "functionDeclaration": function,
            "executionContextId": self.context,
            "arguments": arguments,
            "returnByValue": by_value,
        }
        return _value(await self.channel.call("Runtime.callFunctionOn", asked))

    async def resolve(self, backend_node: int) -> str:
        """Return a node as an object of this world."""
        asked = {"backendNodeId": backend_node, "executionContextId": self.context}
        return str((await self.channel.call("DOM.resolveNode", asked))["object"]["objectId"])


def _value(answer: dict[str, Any]) -> Any:
    assert "exceptionDetails" not in answer, answer["exceptionDetails"]
    return answer["result"].get("value", answer["result"].get("objectId"))


async def judge(page: str, world: World, text: str) -> Comparison:
    """Compare a snapshot of the page, just taken with the prefix a1_, with Chrome's tree."""
    labels = [int(label) for label in re.findall(r"^ *uid=a1_(\d+)", text, re.MULTILINE)]
    tree = (await world.channel.call("Accessibility.getFullAXTree"))["nodes"]
    nodes = [n for n in _in_order(tree) if not n.get("ignored")]
    resolved = [world.resolve(n["backendDOMNodeId"]) for n in nodes if _is_real(n)]
    objects = await asyncio.gather(*resolved)
    examined = iter(await world.call(_EXAMINE, labels, objects=objects))
    pairs = [(n, next(examined) if _is_real(n) else {}) for n in nodes]
    differences, elements, differing = [], 0, 0
    for node, ours in pairs:
        if not ours or node["role"]["value"] == "RootWebArea":
            continue
        found = list(_compared(page, ours, node))
        elements += 1
        differing += bool(found)
        differences += found
    allowed = {n.get("backendDOMNodeId") for n in nodes}
    differences += await _surplus(page, world, labels[1:], allowed)
    differences += _texts(page, text, [n for n, ours in pairs if ours is not None])
    return Comparison(elements, differing, differences)


def _in_order(tree: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    by_id = {n["nodeId"]: n for n in tree}
    stack = [tree[0]]
    while stack:
        node = stack.pop()
        yield node
        below = [by_id[i] for i in node.get("childIds", ()) if i in by_id]
        stack += reversed([n for n in below if n["role"]["value"] != "InlineTextBox"])


def _is_real(node: dict[str, Any]) -> bool:
    """Whether a node of the document stands behind it; generated text has none."""
    return "backendDOMNodeId" in node


def _compared(page: str, ours: dict[str, Any], node: dict[str, Any]) -> Iterator[Difference]:
    if node["role"]["value"] in _TEXT_ROLES:
        return
    for what, mine, chrome in _facts(ours, node):
        if not _agree(what, mine, chrome):
            yield Difference(page, what, ours["role"], ours["tag"], ours["name"], mine, chrome)


def _facts(ours: dict[str, Any], node: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    states = {p["name"].lower(): p["value"].get("value") for p in node.get("properties", ())}
    word = node["role"]["value"]
    role = (
        "generic" if word.startswith("MathML") and word != "MathMLMath" else _ROLES.get(word, word)
    )
    yield "role", ours["role"], role
    if word != "LayoutTableCell":
        yield "name", ours["name"], _line(node.get("name", {}).get("value"))
    description = _line(node.get("description", {}).get("value"))
    yield "description", ours.get("description", ""), description
    yield "value", ours.get("value"), node.get("value", {}).get("value")
    yield "visible", ours["visible"], True
    if role in _INTERACTIVE or (states.get("focusable") and ours["tag"] != "body"):
        yield "printed", ours["printed"], True
    for state in _STATES:
        yield state, ours.get(state), states.get(state)


def _agree(what: str, ours: Any, chrome: Any) -> bool:
    if what in ("valuemin", "valuemax"):
        # The protocol has no way to say "no limit": it says 0.
        return bool((_plain(ours) or 0) == (_plain(chrome) or 0))
    if what == "value":
        return bool(_plain(ours) == _plain(chrome))
    if what == "expanded":
        return bool(ours == chrome)
    return bool(_truth(ours) == _truth(chrome))


def _truth(state: Any) -> Any:
    return None if state in (False, "false", None, "", 0) else True if state == "true" else state


def _plain(value: Any) -> Any:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return _line(value)
    return None if math.isnan(number) else round(number, 5)


def _line(text: Any) -> str:
    return re.sub(r"\s+", " ", str(text or "")).strip()


async def _surplus(
    page: str, world: World, labels: list[int], allowed: set[int | None]
) -> list[Difference]:
    """What the snapshot shows and Chrome ignores."""
    elements = await asyncio.gather(
        *(world.call("tabmux.elementOf", label, by_value=False) for label in labels)
    )
    nodes = [world.channel.call("DOM.describeNode", {"objectId": each}) for each in elements]
    found = []
    for element, asked in zip(elements, nodes, strict=True):
        node = (await asked)["node"]
        if node["backendNodeId"] not in allowed:
            role = await world.call("tabmux.roleOf", objects=[element])
            found.append(Difference(page, "shown", role, node["localName"], "", True, False))
    return found


_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_TEXT_LINE = re.compile(r'\s*(?:(?:listitem|row|cell|\w*header) )?"((?:[^"\\]|\\.)*)"(?: header)?$')


def _texts(page: str, text: str, nodes: list[dict[str, Any]]) -> list[Difference]:
    """What only one of the two reads out."""
    spoken = [n["name"]["value"] for n in nodes if n["role"]["value"] == "StaticText"]
    heard = [squeezed for each in spoken if (squeezed := _squeezed(each))]
    said = _squeezed("".join(_STRING.findall(text)))
    lines = (_TEXT_LINE.match(line) for line in text.splitlines())
    read = [squeezed for line in lines if line and (squeezed := _squeezed(line[1]))]
    missing = [(None, each) for each in heard if each not in said]
    surplus = [(each, None) for each in read if each not in "".join(heard)]
    return [Difference(page, "text", "", "", "", *pair) for pair in missing + surplus]


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)
