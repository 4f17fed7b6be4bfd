"""List tools: opens an entry of a list, and does what its buttons do."""

from __future__ import annotations

from dataclasses import dataclass, field

from tabmux.pagetools.collect.document_tree import ON_HOVER, Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.fields import controls, kind_of
from tabmux.pagetools.derive.forms import Form, is_button, is_disclosure_checkbox
from tabmux.pagetools.derive.lists import Listing
from tabmux.pagetools.language import words
from tabmux.pagetools.language.verbs_and_nouns import (
    action_of,
    icon_action,
    is_consequential,
    is_destructive,
)
from tabmux.pagetools.language.words import word_set
from tabmux.pagetools.model import DerivedTool, ListItem

_SAME_AS_OPEN = word_set(
    """read_more read more view details view_details see_more open show learn_more see_details
    go_to show_details"""
)
# On an entry, a cross takes it away.
_CROSSES = frozenset("x×✕✖✗✘⨯❌🗑")


@dataclass
class ItemAction:
    """One thing that can be done with some of the entries."""

    names: list[str]
    says: str
    items: dict[int, ListItem] = field(default_factory=dict)  # by the entry
    nodes: list[Node] = field(default_factory=list)
    first: Node | None = None
    form: Form | None = None


def list_tools(listing: Listing, forms: list[Form], order: int) -> list[DerivedTool]:
    """Return the tools of a list.

    Args:
        listing: The list.
        forms: The forms inside of its entries.
        order: Its place among the lists of the page, by importance.
    """
    base = _key(listing)
    found = []
    if opening := _open_tool(listing, base, order):
        found.append(opening)
    found += _action_tools(listing, forms, base, order)
    return found


def _key(listing: Listing) -> str:
    look = listing.entries[0]
    return f"{listing.noun}|{listing.node.tag}|{look.tag}|{look.role}"


def _open_tool(listing: Listing, base: str, order: int) -> DerivedTool | None:
    pairs = [(e, t) for e, t in zip(listing.entries, listing.targets, strict=True) if t is not None]
    if len(pairs) < 0.5 * len(listing.detailed) or len(listing.entries) < 2:
        return None
    noun = listing.noun
    section = "_".join(words.words(landmarks.heading_above(listing.node))[:3])
    keys = listing.keys
    items = {e.ref: ListItem(keys[e.ref], listing.text(e), t.ref, e.ref) for e, t in pairs}
    return DerivedTool(
        "list",
        f"list|{base}",
        [f"open_{noun}", words.name_of("open", section, noun)],
        f"Open one {noun.replace('_', ' ')} of the list",
        78 - 12 * order,
        items=_items(listing, items),
        indexed=True,
        reads=True,
        repeatable=True,
        nodes=[node for entry, target in pairs for node in _covered_nodes(entry, target)],
    )


def _items(listing: Listing, items: dict[int, ListItem]) -> list[ListItem]:
    """Return an item for every entry, in their order; those of others can only be counted."""
    return [items.get(entry.ref) or _unusable_item(listing, entry) for entry in listing.entries]


def _unusable_item(listing: Listing, entry: Node) -> ListItem:
    key, ref = listing.keys[entry.ref], entry.ref
    if entry.brief:
        return ListItem(key, "", ref, ref, brief=True)
    return ListItem(key, listing.text(entry), ref, ref, usable=False)


def _covered_nodes(entry: Node, target: Node) -> list[Node]:
    """The other links of an entry lead to the same place, or aside."""
    return [entry, target, *entry.links()]


def _action_tools(listing: Listing, forms: list[Form], base: str, order: int) -> list[DerivedTool]:
    actions: dict[str, ItemAction] = {}
    by_entry = _forms_by_entry(listing, forms)
    for entry, target in zip(listing.entries, listing.targets, strict=True):
        for key, node, form in _entry_actions(entry, target, by_entry.get(entry.ref, [])):
            action = actions.get(key)
            if action is None:
                made = ItemAction(*_action_names(listing, node, form), form=form, first=node)
                action = actions[key] = made
            if entry.ref in action.items:
                continue
            own = tuple(controls(form.fields)) if form else ()
            action.items[entry.ref] = ListItem(
                listing.keys[entry.ref], listing.text(entry), node.ref, entry.ref, own
            )
            action.nodes += form.nodes if form else [node]
    common = [action for action in actions.values() if _is_common(action, listing)]
    return [_action_tool(listing, action, base, order) for action in common]


def _is_common(action: ItemAction, listing: Listing) -> bool:
    """Whether enough of the entries have it."""
    number, known = len(action.items), len(listing.detailed)
    return number >= min(2, known) and number >= 0.4 * known


def _forms_by_entry(listing: Listing, forms: list[Form]) -> dict[int, list[Form]]:
    entries = {entry.ref for entry in listing.entries}
    found: dict[int, list[Form]] = {}
    for form in forms:
        around = next(
            (n.ref for n in (form.node, *form.node.ancestors()) if n.ref in entries), None
        )
        if around is not None:
            found.setdefault(around, []).append(form)
    return found


def _entry_actions(
    entry: Node, target: Node | None, inside: list[Form]
) -> list[tuple[str, Node, Form | None]]:
    found: list[tuple[str, Node, Form | None]] = []
    for form in inside:
        submit = form.submit
        if submit is not None:
            found.append((f"form|{_action_label(submit)}", submit, form))
    claimed = {n.ref for form in inside for n in form.nodes}
    for node in entry.usable():
        if (
            node is target
            or node.ref in claimed
            or node.has("d")
            or node.hidden not in (0, ON_HOVER)
        ):
            continue
        kind = kind_of(node)
        if kind == "checkbox" and not is_disclosure_checkbox(node):
            found.append(("checkbox", node, None))
        elif is_button(node) and not _opens_menu(node) and (said := _action_label(node)):
            found.append((f"button|{said}", node, None))
        elif node.role == "link" and node is not entry and _is_action_link(node, target):
            found.append((f"link|{action_of(node.name)}", node, None))
    return found


def _opens_menu(node: Node) -> bool:
    toggle = node.get("data-bs-toggle") or node.get("data-toggle")
    return (
        bool(node.get("aria-haspopup"))
        or toggle in ("dropdown", "collapse")
        or "dropdown" in node.classes
    )


def _is_action_link(link: Node, target: Node | None) -> bool:
    action = action_of(link.name) or ""
    if not action or action in _SAME_AS_OPEN or len(words.words(link.name)) > 3:
        return False
    return target is None or link.get("href") != target.get("href")


def _action_label(node: Node) -> str:
    return (
        action_of(node.name)
        or action_of(node.get("title"))
        or icon_action(node.icon, node.classes, node.name)
        or ("delete" if node.name.lower() in _CROSSES else _short_slug(node.name))
    )


def _short_slug(name: str) -> str:
    found = words.words(name)
    return "_".join(found) if 0 < len(found) <= 3 and not any(w.isdigit() for w in found) else ""


def _action_names(listing: Listing, node: Node, form: Form | None) -> tuple[list[str], str]:
    noun = listing.noun
    if kind_of(node) == "checkbox" and form is None:
        said = f"{node.name} {node.get('name')} {node.classes}".lower()
        verb = (
            "select"
            if "select" in said or (listing.is_table and "toggle" not in said)
            else "toggle"
        )
        return [f"{verb}_{noun}"], f"{verb.capitalize()} one {noun.replace('_', ' ')} of the list"
    said = _action_label(node)
    text = words.clean(node.name, 60) or said.replace("_", " ")
    full = (
        said
        if "_" in said and not said.startswith(("open_", "log_"))
        else words.name_of(said, noun)
    )
    return [full, words.name_of(said, noun)], f"{text} (one {noun.replace('_', ' ')} of the list)"


def _action_tool(listing: Listing, action: ItemAction, base: str, order: int) -> DerivedTool:
    first = action.first
    assert first is not None
    name = action.names[0]
    own = list(controls(action.form.fields)) if action.form else []
    said = (first.name, first.icon, name, first.get("data-method"))
    return DerivedTool(
        "item_action",
        f"item|{base}|{name}",
        action.names,
        action.says,
        76 - 12 * order,
        controls=own,
        items=_items(listing, action.items),
        indexed=True,
        reads=first.role == "link" and not is_destructive(*said),
        destroys=is_destructive(*said),
        consequential=is_consequential(name.replace("_", " ")),
        nodes=action.nodes,
    )
