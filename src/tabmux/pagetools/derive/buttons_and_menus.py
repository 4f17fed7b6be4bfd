"""Buttons and menus: tools of buttons, of links that act, and of menus, open or closed."""

from __future__ import annotations

import re

from tabmux.pagetools.collect.document_tree import DocumentTree, Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.choices import choice
from tabmux.pagetools.derive.forms import is_button
from tabmux.pagetools.derive.landmarks import SITE_LANDMARKS
from tabmux.pagetools.language import lexicon, words
from tabmux.pagetools.language.verbs_and_nouns import (
    VAGUE_ACTIONS,
    action_of,
    icon_action,
    is_consequential,
    is_destructive,
)
from tabmux.pagetools.language.words import word_set
from tabmux.pagetools.model import DerivedTool

_BUTTON_CLASSES = re.compile(r"(?:^|[\s_-])(?:btn|button)", re.IGNORECASE)
_IGNORED_CLASSES = re.compile(
    r"cookie|consent|social|share-|skip|carousel|slider|swiper|splide", re.IGNORECASE
)
# In the head of a site, these lead elsewhere.
_NAVIGATION_VERBS = frozenset(
    {"view", "open", "show", "see", "browse", "go", "get", "read", "learn"}
)
_ACCOUNT_ACTIONS = word_set(
    """log_out logout sign_out log_in login sign_in sign_up register create_account
    log_in_or_register login_or_register join"""
)
# Whoever sees the whole page need not fold its parts.
_DISCLOSURES = re.compile(
    r"^(?:toggle|open|close|show|hide|expand|collapse)_(?:\w+_)?(?:navigation|nav|navbar|menu|dropdown|sidebar|submenu)$"
)
# These say little without what they are about.
_NEEDS_OBJECT = word_set(
    """new add edit create show view open manage see try start get use make set change select"""
)
_PRESSABLE_ROLES = frozenset({"menuitem", "menuitemcheckbox", "menuitemradio", "switch"})
# What a plain link that starts with one of these leads to is worth a tool of its own.
_LINK_VERBS = word_set(
    """write create add new edit delete remove download export import compose upload reply follow
    star fork watch subscribe post submit book buy start invite report print publish request
    reserve share rename duplicate archive attach"""
)
_MOST_MENU_ITEMS = 40
_OPENER_ATTRIBUTES = frozenset({"aria-haspopup", "data-bs-toggle", "data-toggle"})


def action_tools(document: DocumentTree, claimed: set[int]) -> list[DerivedTool]:
    """Return what the buttons of a document do that belong to nothing else."""
    found_menus = _find_menus(document)
    inside = {n.ref: opener for opener, content in found_menus for n in content.walk()}
    openers = {opener.ref for opener, _ in found_menus}
    found: dict[str, DerivedTool] = {}
    counts: dict[str, int] = {}
    for node in document.nodes:
        if node.ref in claimed or node.ref in openers or node.has("d"):
            continue
        opener = inside.get(node.ref)
        if (node.hidden and opener is None) or not _is_action(node, opener is not None):
            continue
        name, sure = _action_name(node)
        if not name:
            continue
        counts[name] = counts.get(name, 0) + 1
        if name not in found or (found[name].openers and opener is None):
            found[name] = _derived_tool(document, node, opener, name, sure=sure)
    for name, tool in found.items():
        if counts[name] > 2 and "_" not in name:
            tool.rank = -5  # it is not clear which of them is meant
    return [
        *found.values(),
        *_menu_tools(found_menus, claimed),
        *_closed_menu_tools(document, found_menus, claimed),
    ]


def _is_action(node: Node, in_menu: bool) -> bool:
    button = is_button(node) or node.role in _PRESSABLE_ROLES
    if not button and node.role not in ("link", "generic"):
        return False
    action = action_of(node.name)
    if _opens_menu(node) or _DISCLOSURES.search(action):
        return False
    if node.role == "link":
        return in_menu or "_" in action or bool(_BUTTON_CLASSES.search(node.classes))
    return button or (bool(action) and len(node.name) < 40)


def _derived_tool(
    document: DocumentTree, node: Node, opener: Node | None, action: str, *, sure: bool
) -> DerivedTool:
    rank = _rank(document, node, action, opener) if sure else -5
    said = (node.name, action, node.get("data-method"), node.get("formaction"))
    leads = (
        node.role == "link"
        and not node.get("href").startswith(("#", "javascript:"))
        and bool(node.get("href"))
    )
    destroys = (
        is_destructive(*said)
        and action not in ("cancel", "close", "close_dialog")
        and not (leads and not node.get("data-method"))
    )
    section = "_".join(words.words(landmarks.heading_above(node, 4))[:3])
    return DerivedTool(
        "menu" if opener else "action",
        f"action|{action}|{words.slug(node.name)[:30]}",
        [action, words.name_of(action, section)],
        words.clean(node.name, 60) or action.replace("_", " ").capitalize(),
        rank,
        submit=node.ref,
        openers=(opener.ref,) if opener else (),
        reads=(leads and not node.get("data-method"))
        or action in ("cancel", "close", "close_dialog"),
        destroys=destroys,
        consequential=is_consequential(node.name),
        nodes=[node],
    )


def _action_name(node: Node) -> tuple[str, bool]:
    """Return what a button does, and whether it says so itself."""
    if lexicon.CLOSE.match(node.name.lower()) or node.name in ("×", "✕", "✖"):
        name = action_of(node.name)
        if name in ("", "close", "dismiss") or node.name in ("×", "✕", "✖"):
            return "close_dialog" if landmarks.landmark_around(node) in (
                "dialog",
                "alertdialog",
            ) else "close", True
        return name, True
    toggle = _toggle(node)
    if (
        (toggle == "modal" or node.get("aria-haspopup") == "dialog")
        and node.name
        and not action_of(node.name)
    ):
        return words.name_of("open", "_".join(words.words(node.name)[:4])), True
    if said := action_of(node.name):
        if said in _NEEDS_OBJECT:
            about = "_".join(words.words(landmarks.heading_above(node, 2))[:2])
            return words.name_of(said, words.singular(about)), bool(about)
        return said, said not in VAGUE_ACTIONS
    if not node.name or len(words.words(node.name)) == 0:
        meant = icon_action(
            node.icon, node.classes, node.get("data-testid"), node.get("data-action")
        )
        return meant, bool(meant)
    slug = "_".join(words.words(node.name)[:4])
    if node.role == "switch" or node.get("aria-pressed"):
        return words.name_of("toggle", slug), True
    return (words.name_of("click", slug), False) if is_button(node) else ("", False)


def _rank(document: DocumentTree, node: Node, action: str, opener: Node | None) -> float:
    parts = landmarks.landmarks_around(node)
    marks = " ".join(each.classes for each in [node, *list(node.ancestors())[:4]])
    if _IGNORED_CLASSES.search(marks):
        return -5
    if parts & {"contentinfo"} or action in VAGUE_ACTIONS:
        return -5
    if document.modal:
        return 70
    link = node.role == "link" or bool(node.get("href"))
    if (
        action in _ACCOUNT_ACTIONS
        or action.startswith(("log_in_", "login_", "sign_in_", "sign_up_"))
        or (parts & SITE_LANDMARKS and link)
    ):
        return -2
    if parts & SITE_LANDMARKS and action.split("_")[0] in _NAVIGATION_VERBS:
        return -2
    rank = 54 if not link else 44
    if action in ("close", "cancel", "go_back", "back", "copy"):
        rank = 8
    if link and not _BUTTON_CLASSES.search(node.classes):
        rank = 30 if action.split("_")[0] in _LINK_VERBS else -3
    if "primary" in node.classes or "success" in node.classes:
        rank += 8
    rank -= 20 if parts & SITE_LANDMARKS else 0
    return rank - (6 if opener else 0)


def _menu_tools(known: list[tuple[Node, Node]], claimed: set[int]) -> list[DerivedTool]:
    """Return menus of things rather than actions, one tool for each."""
    found: list[DerivedTool] = []
    seen: set[str] = set()
    for opener, content in known:
        items = [
            n
            for n in content.walk()
            if n.tag in ("a", "button") and n is not opener and n.name and not n.has("d")
        ]
        things = [n for n in items if not action_of(n.name) and n.ref not in claimed]
        if (
            len(things) < 2
            or len(things) > _MOST_MENU_ITEMS
            or opener.ref in claimed
            or opener.tag == "summary"
        ):
            continue
        slug = "_".join(words.words(opener.name)[:3]) or "menu"
        name = words.name_of("choose", slug)
        site = landmarks.landmarks_around(opener) & SITE_LANDMARKS
        tool = DerivedTool(
            "menu",
            f"menu|{name}",
            [name],
            f"Choose from the menu {words.clean(opener.name, 60)}",
            -10 if site else 28,
        )
        tool.controls = [choice("item", opener.name, things)]
        tool.openers, tool.reads, tool.nodes = (opener.ref,), True, things
        if name in seen:
            tool.rank = -10  # it is not clear which of them is meant
        seen.add(name)
        found.append(tool)
    return found


def _find_menus(document: DocumentTree) -> list[tuple[Node, Node]]:
    """Return what opens a menu, and the menu."""
    by_id: dict[str, Node] = {}
    found = []
    for node in document.nodes:
        if node.hidden or (
            _OPENER_ATTRIBUTES.isdisjoint(node.attributes) and node.tag != "summary"
        ):
            continue
        toggle = _toggle(node)
        if not (
            node.get("aria-haspopup") in ("true", "menu")
            or toggle == "dropdown"
            or node.tag == "summary"
        ):
            continue
        controlled = node.get("aria-controls")
        if controlled and not by_id:
            by_id = _nodes_by_id(document)
        content = by_id.get(controlled) or _menu_beside(node)
        if content is not None and not node.within(content):
            found.append((node, content))
    return found


def _toggle(node: Node) -> str:
    """Return what Bootstrap shows or hides when the node is pressed."""
    return node.get("data-bs-toggle") or node.get("data-toggle")


def _nodes_by_id(document: DocumentTree) -> dict[str, Node]:
    """Return the nodes by their ids."""
    found = {n.get("id"): n for n in document.nodes if n.get("id")}
    marked = (n for n in document.nodes if n.classes.startswith("#"))
    return found | {n.classes.split(maxsplit=1)[0][1:]: n for n in marked}


def _opens_menu(node: Node) -> bool:
    """Whether pressing it only shows a menu."""
    toggle = _toggle(node)
    return node.get("aria-haspopup") in ("true", "menu", "listbox") or toggle in (
        "dropdown",
        "collapse",
        "tooltip-menu",
        "offcanvas",
    )


def _menu_beside(node: Node) -> Node | None:
    if node.parent is None:
        return None
    after = node.parent.children[node.parent.children.index(node) + 1 :]
    for each in after[:2]:
        if each.role == "menu" or "menu" in each.classes or "dropdown" in each.classes:
            return each
    if node.tag == "summary" and after:
        return node.parent
    return None


def _closed_menu_tools(
    document: DocumentTree, known: list[tuple[Node, Node]], claimed: set[int]
) -> list[DerivedTool]:
    """Menus whose items are not in the document yet can only be opened."""
    openers = {opener.ref for opener, _ in known}
    found = []
    for node in document.nodes:
        if "aria-haspopup" not in node.attributes:
            continue
        if node.hidden or node.ref in openers or node.ref in claimed or node.has("d"):
            continue
        if (
            node.get("aria-haspopup") not in ("true", "menu")
            or not node.name
            or node.role == "combobox"
        ):
            continue
        slug = "_".join(w for w in words.words(node.name)[:3] if w not in ("open", "menu"))
        name = words.name_of("open", slug, "menu")
        parts = landmarks.landmarks_around(node)
        found.append(
            DerivedTool(
                "menu",
                f"menu|{name}",
                [name],
                f"Open the menu {words.clean(node.name, 60)}",
                34 if not parts & SITE_LANDMARKS else -3,
                submit=node.ref,
                reads=True,
                nodes=[node],
            )
        )
    return found
