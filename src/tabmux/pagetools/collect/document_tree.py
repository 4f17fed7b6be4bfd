"""Document tree: what the collector saw of one document, to be walked both ways."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

import msgspec

from tabmux.json_text import decoder

# An element, by its number in the table that the collector keeps in its frame.
Ref = int
HIDDEN, ON_HOVER = 1, 2


_USABLE_TAGS = frozenset({"input", "select", "textarea", "button"})
_USABLE_ROLES = frozenset(
    {"button", "checkbox", "combobox", "link", "listbox", "radio", "searchbox", "slider",
     "spinbutton", "switch", "textbox"}
)  # fmt: skip
_OPENER_ATTRIBUTES = frozenset(
    {"aria-haspopup", "aria-expanded", "data-bs-toggle", "data-toggle", "popovertarget"}
)
# What is reported whatever its classes are, as in `element_report.js`.
_MEANT_TAGS = frozenset(
    {"form", "fieldset", "legend", "nav", "header", "footer", "main", "aside", "section",
     "article", "ul", "ol", "table", "thead", "tbody", "tr", "th", "dialog", "details",
     "label", "h1", "h2", "h3", "h4", "h5", "h6", "caption", "dl", "a", "button"}
)  # fmt: skip
_MEANT_ROLES = frozenset(
    {"form", "search", "navigation", "banner", "contentinfo", "complementary", "main",
     "region", "dialog", "alertdialog", "heading", "list", "listitem", "table", "grid",
     "treegrid", "row", "rowgroup", "tablist", "tabpanel", "menu", "menubar", "toolbar",
     "tree", "group", "radiogroup", "feed", "article", "caption", "columnheader",
     "DescriptionList", "link", "button"}
)  # fmt: skip
_HEADING_ROLES = frozenset({"heading", "caption"})
_HEADING_TAGS = frozenset({"legend", "caption", "h1", "h2", "h3", "h4", "h5", "h6"})


_NONE: Mapping[str, str] = MappingProxyType({})


class Node(msgspec.Struct, eq=False):
    """An element, without those around it that say nothing; decoded as the collector wrote it.

    Attributes:
        name: Its accessible name; for other elements, empty.
        origin: Where the name was found: reference, label, native, content, title, placeholder,
            nearby or nothing.
        classes: Its class names and id, as written.
        parts: Its texts and children, in order.
        hidden: 0 if it can be seen, `HIDDEN`, or `ON_HOVER` if it can under the mouse.
        key: What tells it from the other entries of a long list.
        brief: Whether that is all that is reported of it, for it looks like many before it.
    """

    ref: Ref = msgspec.field(name="r")
    tag: str = msgspec.field(name="t")
    role: str = msgspec.field(name="o", default="")
    name: str = msgspec.field(name="n", default="")
    origin: str = msgspec.field(name="f", default="")
    classes: str = msgspec.field(name="c", default="")
    icon: str = msgspec.field(name="i", default="")
    value: str = msgspec.field(name="v", default="")
    states: str = msgspec.field(name="s", default="")
    form: Ref = msgspec.field(name="w", default=0)
    hidden: int = msgspec.field(name="h", default=0)
    attributes: Mapping[str, str] = msgspec.field(name="a", default_factory=lambda: _NONE)
    options: tuple[tuple[str, str, str], ...] = msgspec.field(name="p", default=())
    key: str = msgspec.field(name="y", default="")
    brief: bool | int = msgspec.field(name="b", default=False)
    parts: Sequence[Node | str] = msgspec.field(name="k", default=())
    children: Sequence[Node] = ()
    parent: Node | None = None
    # All elements of the document, in order; those in this one stand from `place` to `end`.
    elements: Elements = msgspec.field(default_factory=lambda: _NO_ELEMENTS)
    place: int = 0
    end: int = 0
    # The landmarks around it, closest last, once somebody has asked for them.
    landmarks: tuple[str, ...] | None = None
    # Which landmark and which kind of field it is, and whether it is a button, likewise.
    own_landmark: str | None = None
    kind: str | None = None
    button: bool | None = None

    def get(self, attribute: str) -> str:
        """Return an attribute, or nothing."""
        return self.attributes.get(attribute, "")

    def has(self, state: str) -> bool:
        """Whether it is in a state.

        r(equired), d(isabled), o(nly read), c(hecked), m(ultiple), w(hite space of its value left
        out), p(ressed: nothing says so but the mouse, which is a hand over it).
        """
        return state in self.states

    def walk(self) -> list[Node]:
        """Return the element and everything in it, in document order."""
        return self.elements[self.place : self.end]

    @property
    def is_heading(self) -> bool:
        """Whether it says what follows it."""
        return self.role in _HEADING_ROLES or self.tag in _HEADING_TAGS

    def links(self) -> list[Node]:
        """Return the links among the element and what is in it."""
        return self.elements.links.between(self.place, self.end)

    def usable(self) -> list[Node]:
        """Return links, and what may be a button or a field, here and in it."""
        return self.elements.usable.between(self.place, self.end)

    def headings(self) -> list[Node]:
        """Return the headings among the element and what is in it."""
        return self.elements.headings.between(self.place, self.end)

    def ancestors(self) -> Iterator[Node]:
        """Yield the elements around this one, closest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def near(self, levels: int) -> Iterator[Node]:
        """Yield the elements around this one that are close to it, closest first.

        Boxes around a single thing are yielded and not counted: whether they are reported
        depends on their having a class.
        """
        node = self.parent
        while node is not None and levels > 0:
            yield node
            levels -= not node.is_wrapper
            node = node.parent

    @property
    def is_wrapper(self) -> bool:
        """Whether it only stands around one other element, and is nothing by itself."""
        return (
            len(self.children) == 1
            and self.tag not in _MEANT_TAGS
            and self.role not in _MEANT_ROLES
            and self.tag != "#document"
        )

    def within(self, other: Node) -> bool:
        """Whether it is this element, or inside of it."""
        return other.place <= self.place < other.end


class NodeIndex:
    """Some elements of a document, in order, of which one place has a stretch."""

    def __init__(self, nodes: list[Node]) -> None:
        self.all = nodes
        self._places = [node.place for node in nodes]

    def between(self, start: int, end: int) -> list[Node]:
        """Return those whose place is in a range."""
        first = bisect_left(self._places, start)
        return self.all[first : bisect_left(self._places, end, first)]


class Elements(list[Node]):
    """All elements of a document, in order."""

    @cached_property
    def links(self) -> NodeIndex:
        """Those that are links."""
        return NodeIndex([node for node in self if node.role == "link"])

    @cached_property
    def usable(self) -> NodeIndex:
        """Those that are links, or may be buttons or fields."""
        return NodeIndex(
            [
                node
                for node in self
                if node.tag in _USABLE_TAGS
                or node.role in _USABLE_ROLES
                or "contenteditable" in node.attributes
            ]
        )

    @cached_property
    def openers(self) -> NodeIndex:
        """Those that may open something."""
        return NodeIndex(
            [
                node
                for node in self
                if node.tag == "summary"
                or node.role == "tab"
                or not _OPENER_ATTRIBUTES.isdisjoint(node.attributes)
            ]
        )

    @cached_property
    def by_id(self) -> dict[str, Node]:
        """The elements by their ids."""
        found = {node.get("id"): node for node in self if "id" in node.attributes}
        marked = (node for node in self if node.classes.startswith("#"))
        return found | {node.classes.split(maxsplit=1)[0][1:]: node for node in marked}

    @cached_property
    def headings(self) -> NodeIndex:
        """Those that are headings."""
        return NodeIndex([node for node in self if node.is_heading])


_NO_ELEMENTS: Elements = Elements()


@dataclass(eq=False)
class DocumentTree:
    """One document: whose frame it is in, and the tree of what can be used there.

    Attributes:
        path: Which frame it is, in words that survive a reload; empty for the main one.
        busy: Whether something there says that it is still being loaded.
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
    nodes: Elements = field(default_factory=Elements)
    busy: bool = False


def read(
    answer: str | Mapping[str, Any], *, frame: str = "", loader: str = "", path: str = ""
) -> DocumentTree:
    """Make a tree of what the collector returned."""
    seen = _decode(answer) if isinstance(answer, str) else msgspec.convert(answer, _CollectorAnswer)
    return DocumentTree(
        frame,
        loader,
        seen.origin,
        seen.url,
        seen.root,
        path,
        seen.title,
        seen.language,
        seen.modal,
        seen.templates,
        seen.opensearch,
        _link_nodes(seen.root),
        seen.busy,
    )


class _CollectorAnswer(msgspec.Struct):
    """A document, as the collector writes it."""

    root: Node
    origin: str = ""
    url: str = ""
    title: str = ""
    language: str = ""
    modal: bool = False
    templates: tuple[str, ...] = ()
    opensearch: str = ""
    busy: bool = False


_decode = decoder(_CollectorAnswer)


def _link_nodes(root: Node) -> Elements:
    """Return the elements in order, each of which then knows what is around it."""
    nodes = Elements()
    stack = [root]
    while stack:
        node = stack.pop()
        node.place = len(nodes)
        node.elements = nodes
        nodes.append(node)
        if not node.parts:
            continue
        children = [part for part in node.parts if part.__class__ is Node]
        node.children = children
        for child in children:
            child.parent = node
        stack += reversed(children)
    for node in reversed(nodes):
        node.end = node.children[-1].end if node.children else node.place + 1
    return nodes
