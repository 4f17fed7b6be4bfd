"""Menus: finds what opens a menu, and makes tools of menus, open or closed."""

from __future__ import annotations

from tabmux.pagetools.collect.document_tree import DocumentTree, Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.choices import choice
from tabmux.pagetools.derive.fields import kind_of
from tabmux.pagetools.derive.landmarks import SITE_LANDMARKS
from tabmux.pagetools.derive.navigation import only_leads, takes_away
from tabmux.pagetools.language import words
from tabmux.pagetools.language.verbs_and_nouns import action_of
from tabmux.pagetools.model import DerivedTool

_MOST_MENU_ITEMS = 40
_FOLDS = frozenset({"collapse", "modal", "tab", "pill", "offcanvas"})


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
        tool.openers, tool.nodes = (opener.ref,), things
        said = action_of(opener.name)
        tool.reads = all(only_leads(each, said) for each in things)
        tool.destroys = any(takes_away(each, opener.name) for each in things)
        if name in seen:
            tool.rank = -10  # it is not clear which of them is meant
        seen.add(name)
        found.append(tool)
    return found


def find_menus(document: DocumentTree) -> list[tuple[Node, Node]]:
    """Return what opens a menu, and the menu."""
    return _menus_in(document.root)


def folded_nodes(document: DocumentTree) -> dict[int, Node]:
    """Return what is hidden until something is opened: by the element, what opens it."""
    pairs = _menus_in(document.root, folds=True) + _folded_parts(document)
    return {n.ref: opener for opener, content in pairs for n in content.walk() if n.hidden}


def _folded_parts(document: DocumentTree) -> list[tuple[Node, Node]]:
    """Return parts of forms of which only the legend shows, with what is pressed in it."""
    found = []
    for part in document.nodes.headings.all:
        box = part.parent
        if (
            part.tag != "legend"
            or part.hidden
            or box is None
            or not any(map(kind_of, box.usable()))
        ):
            continue
        shown = [n for n in box.usable() if not n.hidden]
        opener = shown[0] if shown and shown[0].within(part) else None
        opener = opener or next((n for n in part.walk() if n.role == "generic"), None)
        if opener is not None and not any(kind_of(n) for n in shown):
            found.append((opener, box))
    return found


def menus_in(place: Node) -> list[tuple[Node, Node]]:
    """Return what opens a menu in a place, and the menu, which is there too."""
    return [pair for pair in _menus_in(place) if pair[1].within(place)]


def _menus_in(place: Node, *, folds: bool = False) -> list[tuple[Node, Node]]:
    found = []
    for node in place.elements.openers.between(place.place, place.end):
        if node.hidden or not (_may_open(node) or (folds and _unfolds(node))):
            continue
        controlled = (
            node.get("aria-controls")
            or node.get("popovertarget")
            or node.get("data-bs-target").lstrip("#")
            or node.get("data-target").lstrip("#")
            or (folds and node.get("href").startswith("#") and node.get("href")[1:])
        )
        content = place.elements.by_id.get(controlled) if controlled else None
        content = content or _menu_beside(node)
        if content is None or (node.within(content) and node.tag != "summary"):
            continue
        if _is_menu(node, content):
            found.append((node, content))
    return found


def _unfolds(node: Node) -> bool:
    return toggle_of(node) in _FOLDS or node.role == "tab"


def _may_open(node: Node) -> bool:
    return (
        node.get("aria-haspopup") in ("true", "menu")
        or toggle_of(node) == "dropdown"
        or node.get("aria-expanded") == "false"
        or "popovertarget" in node.attributes
        or node.tag == "summary"
    )


def _is_menu(opener: Node, content: Node) -> bool:
    """What is only folded is opened for what is in it if that is hidden now."""
    if opener.get("aria-haspopup") or toggle_of(opener) == "dropdown" or opener.tag == "summary":
        return True
    return bool(content.hidden) or all(each.hidden for each in content.usable())


def toggle_of(node: Node) -> str:
    """Return what Bootstrap shows or hides when the node is pressed."""
    return node.get("data-bs-toggle") or node.get("data-toggle")


def opens_menu(node: Node) -> bool:
    """Whether pressing it only shows a menu."""
    toggle = toggle_of(node)
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
    found: dict[str, DerivedTool] = {}
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
        if name in found:
            found[name].rank = -5  # it is not clear which of them is meant
            continue
        parts = landmarks.landmarks_around(node)
        found[name] = DerivedTool(
            "menu",
            f"menu|{name}",
            [name],
            f"Open the menu {words.clean(node.name, 60)}",
            34 if not parts & SITE_LANDMARKS else -3,
            submit=node.ref,
            reads=True,
            nodes=[node],
        )
    return list(found.values())
