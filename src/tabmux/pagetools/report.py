"""What the collector saw of one document, as a tree that can be walked both ways."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tabmux.pagetools.model import Ref

HIDDEN, ON_HOVER = 1, 2


@dataclass(slots=True, eq=False)
class Node:
    """An element, without those around it that say nothing.

    Attributes:
        name: Its accessible name; for other elements, empty.
        origin: Where the name was found: reference, label, native, content, title, placeholder,
            nearby or nothing.
        classes: Its class names and id, as written.
        parts: Its texts and children, in order.
        hidden: 0 if it can be seen, `HIDDEN`, or `ON_HOVER` if it can under the mouse.
    """

    ref: Ref
    tag: str
    role: str = ""
    name: str = ""
    origin: str = ""
    classes: str = ""
    icon: str = ""
    value: str = ""
    states: str = ""
    form: Ref = 0
    hidden: int = 0
    attributes: dict[str, str] = field(default_factory=dict)
    options: tuple[tuple[str, str, str], ...] = ()
    parts: list[Node | str] = field(default_factory=list, repr=False)
    children: list[Node] = field(default_factory=list, repr=False)
    parent: Node | None = field(default=None, repr=False)
    # All elements of the document, in order; those in this one stand from `place` to `end`.
    home: list[Node] = field(default_factory=list, repr=False)
    place: int = 0
    end: int = 0
    # The landmarks around it, closest last, once somebody has asked for them.
    landmarks: tuple[str, ...] | None = field(default=None, repr=False)
    # Which landmark and which kind of field it is, and whether it is a button, likewise.
    mark: str | None = field(default=None, repr=False)
    kind: str | None = field(default=None, repr=False)
    button: bool | None = field(default=None, repr=False)

    def get(self, attribute: str) -> str:
        """Return an attribute, or nothing."""
        return self.attributes.get(attribute, "")

    def has(self, state: str) -> bool:
        """Whether it is in a state: r(equired), d(isabled), o(nly read), c(hecked), m(ultiple)."""
        return state in self.states

    @property
    def visible(self) -> bool:
        """Whether it can be seen now."""
        return not self.hidden

    def walk(self) -> list[Node]:
        """Return the element and everything in it, in document order."""
        return self.home[self.place : self.end]

    def around(self) -> Iterator[Node]:
        """Yield the elements around this one, closest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def within(self, other: Node) -> bool:
        """Whether it is this element, or inside of it."""
        return other.place <= self.place < other.end


@dataclass(eq=False)
class Report:
    """One document: whose frame it is in, and the tree of what can be used there.

    Attributes:
        path: Which frame it is, in words that survive a reload; empty for the main one.
        modal: Whether only the content of an open modal dialog was collected.
        templates: URL templates for searches that the page describes, with `{q}`.
    """

    frame: str
    loader: str
    origin: str
    url: str
    root: Node
    path: str = ""
    title: str = ""
    language: str = ""
    modal: bool = False
    templates: tuple[str, ...] = ()
    opensearch: str = ""
    nodes: list[Node] = field(default_factory=list)


def read(
    answer: str | Mapping[str, Any], *, frame: str = "", loader: str = "", path: str = ""
) -> Report:
    """Make a report of what the collector returned."""
    data: Mapping[str, Any] = json.loads(answer) if isinstance(answer, str) else answer
    nodes: list[Node] = []
    root = _node(data["root"], nodes)
    return Report(
        frame,
        loader,
        data.get("origin", ""),
        data.get("url", ""),
        root,
        path,
        data.get("title", ""),
        data.get("language", ""),
        bool(data.get("modal")),
        tuple(data.get("templates", ())),
        data.get("opensearch", ""),
        nodes,
    )


def _node(data: Mapping[str, Any], nodes: list[Node]) -> Node:
    """Build the tree without recursion: documents may be deep."""
    root = _bare(data, None, nodes)
    stack: list[tuple[Mapping[str, Any], Node]] = [(data, root)]
    while stack:
        raw, node = stack.pop()
        node.place = len(nodes)
        nodes.append(node)
        if "k" not in raw:
            continue
        inner: list[tuple[Mapping[str, Any], Node]] = []
        for part in raw["k"]:
            if part.__class__ is str:
                node.parts.append(part)
                continue
            child = _bare(part, node, nodes)
            node.parts.append(child)
            node.children.append(child)
            inner.append((part, child))
        inner.reverse()
        stack += inner
    for node in reversed(nodes):
        node.end = node.children[-1].end if node.children else node.place + 1
    return root


def _bare(raw: Mapping[str, Any], parent: Node | None, home: list[Node]) -> Node:
    get = raw.get
    options = get("p")
    return Node(
        raw["r"],
        raw["t"],
        get("o", ""),
        get("n", ""),
        get("f", ""),
        get("c", ""),
        get("i", ""),
        get("v", ""),
        get("s", ""),
        get("w", 0),
        get("h", 0),
        get("a") or {},
        tuple(map(tuple, options)) if options else (),
        [],
        [],
        parent,
        home,
    )
