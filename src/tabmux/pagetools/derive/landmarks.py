"""Landmarks: in which part of a page an element stands, and under which heading."""

from __future__ import annotations

from collections.abc import Callable

from tabmux.pagetools.collect.document_tree import Node

# What belongs to the site rather than to the page.
SITE_LANDMARKS = frozenset({"banner", "navigation", "contentinfo", "menubar"})
_TAG_LANDMARKS = {
    "nav": "navigation", "header": "banner", "footer": "contentinfo", "main": "main",
    "aside": "complementary", "dialog": "dialog",
}  # fmt: skip
_LANDMARKS = frozenset(
    {*_TAG_LANDMARKS.values(), "alertdialog", "search", "menu", "menubar", "tablist"}
)
_CLASS_LANDMARKS = {
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


def landmark_around(node: Node) -> str:
    """Return the closest landmark around a node, or nothing."""
    found = _ancestor_landmarks(node)
    return found[-1] if found else ""


def landmarks_around(node: Node) -> set[str]:
    """Return all landmarks around a node."""
    return set(_ancestor_landmarks(node))


def landmark_of(node: Node) -> str:
    """Return which landmark a node is: by its role, its tag, or as old pages mark it."""
    found = node.own_landmark
    if found is None:
        found = node.own_landmark = _find_landmark(node)
    return found


def _find_landmark(node: Node) -> str:
    if node.role in _LANDMARKS:
        return node.role
    if node.tag in _TAG_LANDMARKS:
        return _TAG_LANDMARKS[node.tag] if node.role in ("", _TAG_LANDMARKS[node.tag]) else ""
    if node.tag in ("div", "td", "ul", "section") and node.classes:
        return next(
            (
                _CLASS_LANDMARKS[word]
                for word in node.classes.lower().split()
                if word in _CLASS_LANDMARKS
            ),
            "",
        )
    return ""


def _ancestor_landmarks(node: Node) -> tuple[str, ...]:
    if node.landmarks is None:
        above = node.parent
        if above is None:
            node.landmarks = ()
        else:
            own = landmark_of(above)
            node.landmarks = (
                (*_ancestor_landmarks(above), own) if own else _ancestor_landmarks(above)
            )
    return node.landmarks


def text_of(node: Node, limit: int = 400, without: Callable[[Node], bool] | None = None) -> str:
    """Return the text of a node as it is read, without what is not wanted inside of it."""
    pieces: list[str] = []
    _add_text(node, pieces, limit, without)
    return " ".join(pieces)[:limit]


def _add_text(
    node: Node, pieces: list[str], room: int, without: Callable[[Node], bool] | None
) -> int:
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
            room = _add_text(part, pieces, room, without)
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
