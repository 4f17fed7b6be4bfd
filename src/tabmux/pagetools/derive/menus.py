"""Menus: finds menus, open or closed, and makes tools of them."""

from __future__ import annotations

from tabmux.pagetools.collect.document_tree import DocumentTree, Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.choices import choice
from tabmux.pagetools.derive.landmarks import SITE_LANDMARKS
from tabmux.pagetools.language import verbs, words
from tabmux.pagetools.model import DerivedTool

MOST_MENU_ITEMS = 40
_OPENER_ATTRIBUTES = frozenset({"aria-haspopup", "data-bs-toggle", "data-toggle"})


def menu_tools(known: list[tuple[Node, Node]], claimed: set[int]) -> list[DerivedTool]:
    """Return menus of things rather than actions, one tool for each."""
    found: list[DerivedTool] = []
    seen: set[str] = set()
    for opener, content in known:
        items = [
            n
            for n in content.walk()
            if n.tag in ("a", "button") and n is not opener and n.name and not n.has("d")
        ]
        things = [n for n in items if not verbs.action_of(n.name) and n.ref not in claimed]
        if (
            len(things) < 2
            or len(things) > MOST_MENU_ITEMS
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


def find_menus(document: DocumentTree) -> list[tuple[Node, Node]]:
    """Return what opens a menu, and the menu."""
    by_id: dict[str, Node] = {}
    found = []
    for node in document.nodes:
        if node.hidden or (
            _OPENER_ATTRIBUTES.isdisjoint(node.attributes) and node.tag != "summary"
        ):
            continue
        toggle = node.get("data-bs-toggle") or node.get("data-toggle")
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


def _nodes_by_id(document: DocumentTree) -> dict[str, Node]:
    """Return the nodes by their ids."""
    found = {n.get("id"): n for n in document.nodes if n.get("id")}
    marked = (n for n in document.nodes if n.classes.startswith("#"))
    return found | {n.classes.split(maxsplit=1)[0][1:]: n for n in marked}


def opens_menu(node: Node) -> bool:
    """Whether pressing it only shows a menu."""
    toggle = node.get("data-bs-toggle") or node.get("data-toggle")
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


def closed_menu_tools(
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
