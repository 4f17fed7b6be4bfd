"""Landmarks: in which part of a page an element stands, and under which heading."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from tabmux.pagetools.collect.document_tree import Node
from tabmux.pagetools.language import words
from tabmux.pagetools.language.verbs_and_nouns import action_of

# What belongs to the site rather than to the page.
SITE_LANDMARKS = frozenset({"banner", "navigation", "contentinfo", "menubar"})
_TAG_LANDMARKS = {
    "nav": "navigation", "header": "banner", "footer": "contentinfo", "main": "main",
    "aside": "complementary", "dialog": "dialog",
}  # fmt: skip
_LANDMARKS = frozenset(
    {*_TAG_LANDMARKS.values(), "alertdialog", "search", "menu", "menubar", "tablist"}
)
_EMPTY_BRACKETS = re.compile(r"[\[(|\s]+[\])|]")
_LONGEST_ACTION = 4
# What is in these is headed by what stands there, and heads nothing else.
_OWN_HEADED = frozenset({"main", "complementary", "navigation", "contentinfo"})
_HEAD = re.compile(
    r"(?:^|[\s_#-])(?:head|header|heading|title|titlebar)(?:$|[\s_-])", re.IGNORECASE
)
_MOST_IN_HEAD = 4
_LAYOUT_SIZE, _MOST_OF_PAGE = 20, 0.9
# What boxes without a role say of themselves in ids and classes; the first that fits counts.
_MARKED_LANDMARKS = (
    ("contentinfo", re.compile(
        r"#?(?:(?:site|page|main|global|app|bottom|wp|tl)[-_]?)?foot(?:er)?"
        r"(?:[-_]?(?:wrapper|container|bar|links|widgets?|nav))?")),
    ("navigation", re.compile(
        r"#?(?:(?:site|main|top|primary|secondary|global|side|left|right|admin|user|meta|app|header|sub|bottom)"
        r"[-_]?)?(?:nav|navbar|navigation|navi|sidenav|menubar|breadcrumbs?)(?:[-_]?(?:wrapper|container|list|links|menu|items))?"
        r"|#[a-z]+[-_]navigation(?:[-_](?:tree|panel|content|wrapper))?"
        r"|#(?:(?:main|top|side|left|right|admin|quick|account|user|site)[-_]?)?menu"
        r"|(?:(?:main|top|side|site|quick|account)[-_]menu)|mainmenu|topmenu|sidemenu|breadcrumbs?")),
    ("complementary", re.compile(
        r"#?(?:(?:left|right|main|page|primary|secondary|site|admin|app|layout)[-_]?)?side[-_]?bar"
        r"(?:[-_]?(?:wrapper|container|inner|content|menu|nav|left|right|primary|first|second|area|panel|\d))?"
        r"|#?(?:left|right|side)[-_]?(?:col|column|panel|rail)|#?widget-area|#secondary")),
    ("banner", re.compile(
        r"#(?:page[-_]?)?(?:header|banner|masthead|topbar|top[-_]bar|top-menu)|site-header|app-header"
        r"|main-header|masthead|topbar|top-bar")),
    ("main", re.compile(
        r"#(?:main|content|main[-_]?content|page[-_]?content|primary|wpbody-content)"
        r"|main-content|page-content")),
)  # fmt: skip


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
        if node.tag in ("header", "footer") and _is_in_content(node):
            return ""
        return _TAG_LANDMARKS[node.tag] if node.role in ("", _TAG_LANDMARKS[node.tag]) else ""
    if node.tag in ("div", "td", "ul", "section") and node.classes:
        found = _marked_landmark(node.classes.lower())
        return "" if found != "main" and _holds_most(node) else found
    return ""


def _is_in_content(node: Node) -> bool:
    """The head and foot of the content, or of an article, are not the site's."""
    return any(
        each.tag in ("main", "article") or each.role in ("main", "article", "dialog")
        for each in node.ancestors()
    )


def _holds_most(node: Node) -> bool:
    """A box around nearly everything is the page, whatever its classes say of its layout."""
    size = node.end - node.place
    return size > _LAYOUT_SIZE and size > _MOST_OF_PAGE * len(node.elements)


@lru_cache(maxsize=4096)
def _marked_landmark(classes: str) -> str:
    """Return the landmark that ids and classes speak of."""
    said = classes.split()
    return next(
        (
            landmark
            for landmark, marks in _MARKED_LANDMARKS
            if any(marks.fullmatch(word) for word in said)
        ),
        "",
    )


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


def heading_in(node: Node, before: Node | None = None) -> str:
    """Return the first heading inside a node.

    Args:
        node: The node.
        before: What it has to stand before, for a heading heads what follows.
    """
    for each in node.headings():
        if each is not node and not each.hidden:
            heads = before is None or each.place < before.place or not before.within(node)
            return heading_words(each) if heads else ""
    return ""


def heading_above(node: Node, hops: int = 8) -> str:
    """Return the closest heading that stands before a node."""
    at = node
    for above in node.near(hops):
        if above.is_heading:
            return heading_words(above)
        for sibling in reversed(above.children[: above.children.index(at)]):
            if sibling.hidden or landmark_of(sibling) in _OWN_HEADED:
                continue
            if sibling.is_heading:
                return heading_words(sibling)
            if sibling.tag == "summary":
                return sibling.name
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
            return heading_words(each)
        if each.role in ("link", "button", "textbox") and not _is_in_heading(each):
            if each.role != "textbox" and _is_head(node):
                continue  # what can be done with what it heads
            return ""
    return ""


def _is_head(node: Node) -> bool:
    """Whether a box says that it is the head of what follows it, and of no site."""
    said = node.tag == "header" or _HEAD.search(node.classes) is not None
    return said and not landmark_of(node) and len(node.usable()) <= _MOST_IN_HEAD


def _is_in_heading(node: Node) -> bool:
    return any(each.is_heading for each in node.near(2))


def heading_words(heading: Node) -> str:
    """Return what a heading says, without what can be done there."""
    if not heading.children:
        return heading.name or text_of(heading)
    said = [
        part if isinstance(part, str) else text_of(part, without=_acts)
        for part in heading.parts
        if isinstance(part, str) or not _acts(part)
    ]
    own = " ".join(_EMPTY_BRACKETS.sub(" ", " ".join(said)).split())
    return own if words.words(own) or not heading.name else heading.name


def _acts(node: Node) -> bool:
    if node.role == "link":
        return len(words.words(node.name)) <= _LONGEST_ACTION and bool(action_of(node.name))
    return node.tag == "button" or node.role == "button"


def main_heading(node: Node) -> str:
    """Return the heading of the page's content that stands last before a node in it."""
    if landmarks_around(node) & {"complementary", "contentinfo"}:
        return ""
    above = [each for each in page_headings(node) if each.tag in ("h1", "h2")]
    first = [each for each in above if each.tag == "h1"] or above
    return heading_words(first[-1]) if first else ""


def page_headings(node: Node) -> list[Node]:
    """Return the headings of the page's content that stand before a node."""
    return [
        each
        for each in node.elements.headings.between(0, node.place)
        if not each.hidden and not landmarks_around(each) & (SITE_LANDMARKS | {"complementary"})
    ]
