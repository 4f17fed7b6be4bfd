"""Where something stands in a page: under which heading, in which part."""

from __future__ import annotations

from collections.abc import Callable

from tabmux.pagetools.collect.document_tree import Node

_PARTS = {
    "nav": "navigation", "header": "banner", "footer": "contentinfo", "main": "main",
    "aside": "complementary", "dialog": "dialog",
}  # fmt: skip
_LANDMARKS = frozenset({*_PARTS.values(), "alertdialog", "search", "menu", "menubar", "tablist"})
_MARKS = {
    "#header": "banner", "#banner": "banner", "#masthead": "banner", "#topbar": "banner",
    "#navbar": "navigation",
    "navbar": "navigation", "#nav": "navigation", "#navigation": "navigation",
    "#mainnav": "navigation",
    "#menu": "navigation", "#main-nav": "navigation", "#metanav": "navigation",
    "#footer": "contentinfo",
    "site-header": "banner", "site-footer": "contentinfo", "page-footer": "contentinfo",
    "#sidebar": "complementary",
    "sidebar": "complementary", "#main": "main", "#content": "main", "#main-content": "main",
}  # fmt: skip


def part_of(node: Node) -> str:
    """Return the closest landmark around a node, or nothing."""
    found = _landmarks(node)
    return found[-1] if found else ""


def parts_of(node: Node) -> set[str]:
    """Return all landmarks around a node."""
    return set(_landmarks(node))


def landmark(node: Node) -> str:
    """Return which landmark a node is: by its role, its tag, or as old pages mark it."""
    found = node.mark
    if found is None:
        found = node.mark = _landmark(node)
    return found


def _landmark(node: Node) -> str:
    if node.role in _LANDMARKS:
        return node.role
    if node.tag in _PARTS:
        return _PARTS[node.tag] if node.role in ("", _PARTS[node.tag]) else ""
    if node.tag in ("div", "td", "ul", "section") and node.classes:
        return next((_MARKS[word] for word in node.classes.lower().split() if word in _MARKS), "")
    return ""


def _landmarks(node: Node) -> tuple[str, ...]:
    if node.landmarks is None:
        above = node.parent
        if above is None:
            node.landmarks = ()
        else:
            own = landmark(above)
            node.landmarks = (*_landmarks(above), own) if own else _landmarks(above)
    return node.landmarks


def text_of(node: Node, limit: int = 400, without: Callable[[Node], bool] | None = None) -> str:
    """Return the text of a node as it is read, without what is not wanted inside of it."""
    pieces: list[str] = []
    _read(node, pieces, limit, without)
    return " ".join(pieces)[:limit]


def _read(node: Node, pieces: list[str], room: int, without: Callable[[Node], bool] | None) -> int:
    """Add the texts of a node, and return how much room they left."""
    if room < 0 or node.hidden:
        return room
    if node.name and (not node.parts or node.tag in ("a", "button") or node.is_heading):
        pieces.append(node.name)
        return room - len(node.name)
    for part in node.parts:
        if isinstance(part, str):
            pieces.append(part)
            room -= len(part)
        elif without is None or not without(part):
            room = _read(part, pieces, room, without)
    return room


def heading_in(node: Node) -> str:
    """Return the first heading inside a node."""
    for each in node.headings():
        if each is not node and not each.hidden:
            return each.name or text_of(each)
    return ""


def heading_above(node: Node, hops: int = 8) -> str:
    """Return the closest heading that stands before a node."""
    at = node
    for _ in range(hops):
        above = at.parent
        if above is None:
            return ""
        for sibling in reversed(above.children[: above.children.index(at)]):
            if sibling.hidden:
                continue
            if sibling.is_heading:
                return sibling.name or text_of(sibling)
            if inner := _last_heading(sibling):
                return inner
        if above.role in ("dialog", "alertdialog", "main"):
            return above.name
        at = above
    return ""


def _last_heading(node: Node) -> str:
    """A heading in a box before counts if nothing that can be used follows it there."""
    for each in reversed(node.walk()):
        if each.is_heading:
            return each.name or text_of(each)
        if each.role in ("link", "button", "textbox"):
            return ""
    return ""


def title_of(node: Node) -> str:
    """Return what a container is called by itself: its name or its own heading."""
    return node.name or heading_in(node)
