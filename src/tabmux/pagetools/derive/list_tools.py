"""List tools: opens an entry of a list, and does what its buttons do."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace

from tabmux.pagetools.collect.document_tree import ON_HOVER, Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.choices import BUTTON_CLASSES
from tabmux.pagetools.derive.fields import Field, controls, fields, is_honeypot, kind_of
from tabmux.pagetools.derive.form_controls import is_button, is_disclosure_checkbox
from tabmux.pagetools.derive.forms import Form
from tabmux.pagetools.derive.lists.entry_parts import leads_aside, part_words, parts_of_entries
from tabmux.pagetools.derive.lists.lists import Listing
from tabmux.pagetools.derive.menus import menus_in
from tabmux.pagetools.derive.navigation import only_leads
from tabmux.pagetools.derive.parameters import parameter_name
from tabmux.pagetools.language import lexicon, words
from tabmux.pagetools.language.page_arithmetic import address_kind
from tabmux.pagetools.language.verbs_and_nouns import (
    VERBS,
    action_of,
    english_action,
    icon_action,
    is_consequential,
    is_destructive,
)
from tabmux.pagetools.language.words import word_set
from tabmux.pagetools.model import DerivedTool, ListItem

_SAME_AS_OPEN = word_set(
    """read_more read more view details view_details see_more open show learn_more see_details
    go_to show_details next previous"""
)
# On an entry, a cross takes it away.
_MENU_ROLES = frozenset({"menuitem", "menuitemcheckbox", "menuitemradio"})
_CROSSES = frozenset("x×✕✖✗✘⨯❌🗑")
# Fields that an entry has outside of any form.
_SET_KINDS = frozenset({"select", "number", "range", "date"})
# What few entries have, and what lists beside the content have, is there by name only.
UNCOMMON_RANK, ASIDE_RANK = -3.5, -4.0
_MOST_ACTION_WORDS = 3


@dataclass
class ItemAction:
    """One thing that can be done with some of the entries."""

    names: list[str]
    says: str
    items: dict[int, ListItem] = field(default_factory=dict)  # by the entry
    nodes: list[Node] = field(default_factory=list)
    # Where in the entry it stands, by the entry.
    places: dict[int, str] = field(default_factory=dict)
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
    # What nothing can be done with in the same way is no list: what is in it is the page's.
    return found if any(tool.rank != UNCOMMON_RANK for tool in found) else []


def _key(listing: Listing) -> str:
    look = listing.entries[0]
    return f"{listing.noun}|{listing.node.tag}|{look.tag}|{look.role}"


def _open_tool(listing: Listing, base: str, order: int) -> DerivedTool | None:
    pairs = [(e, t) for e, t in zip(listing.entries, listing.targets, strict=True) if t is not None]
    if len(pairs) < 0.5 * len(listing.detailed):
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
        _rank(listing, 78, order),
        items=_items(listing, items),
        indexed=True,
        reads=True,
        repeatable=True,
        nodes=[node for entry, target in pairs for node in _covered_nodes(entry, target)],
    )


def _rank(listing: Listing, rank: float, order: int) -> float:
    """What stands beside the content is not shown, however long it is."""
    unnamed = order > 0 and listing.noun in ("item", "row")
    return ASIDE_RANK if listing.is_aside or unnamed else rank - 12 * order


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
    parts = parts_of_entries(listing)
    by_entry = _forms_by_entry(listing, forms)
    openers = {
        n.ref: opener
        for entry in listing.detailed
        for opener, content in menus_in(entry)
        for n in content.walk()
    }
    for entry, target in zip(listing.entries, listing.targets, strict=True):
        inside = by_entry.get(entry.ref, [])
        for key, node, form in _entry_actions(entry, target, inside, openers, parts):
            action = actions.get(key)
            if action is None:
                made = ItemAction(*_action_names(listing, node, form), form=form, first=node)
                action = actions[key] = made
            if entry.ref in action.items:
                continue
            sets = kind_of(node) in _SET_KINDS
            own = tuple(controls(form.fields if form else [_field_of(node)] if sets else []))
            action.items[entry.ref] = ListItem(
                listing.keys[entry.ref],
                listing.text(entry),
                node.ref,
                entry.ref,
                own,
                presses=not sets,
                openers=(openers[node.ref].ref,) if node.ref in openers else (),
            )
            action.places[entry.ref] = _place_in(entry, node)
            action.nodes += [entry, *(form.nodes if form else [node])]
            action.nodes += [openers[node.ref]] if node.ref in openers else []
    joined = _with_replaced(list(actions.values()), listing)
    return [_action_tool(listing, action, base, order) for action in joined]


def _place_in(entry: Node, node: Node) -> str:
    """Return where in its entry something stands, by tags and places."""
    steps = []
    while node is not entry and node.parent is not None:
        steps.append(f"{node.tag}{node.parent.children.index(node)}")
        node = node.parent
    return ">".join(steps)


def _with_replaced(actions: list[ItemAction], listing: Listing) -> list[ItemAction]:
    """Take what stands in the place of what the other entries have for the same.

    A button that asks "Are you sure?" after it was pressed is still the one that deletes.
    """
    common = [action for action in actions if _is_common(action, listing)]
    for rare in [action for action in actions if action not in common]:
        for entry, place in rare.places.items():
            for home in common:
                if entry not in home.items and place in home.places.values():
                    home.items[entry] = rare.items.pop(entry)
                    home.nodes += rare.nodes
                    break
    return [action for action in actions if action.items]


def _is_common(action: ItemAction, listing: Listing) -> bool:
    """Whether enough of the entries have it."""
    number, known = len(action.items), len(listing.detailed)
    fewest = 1 if listing.is_table else 2
    return number >= min(fewest, known) and number >= 0.4 * known


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
    entry: Node,
    target: Node | None,
    inside: list[Form],
    openers: Mapping[int, Node],
    parts: Set[str],
) -> list[tuple[str, Node, Form | None]]:
    found: list[tuple[str, Node, Form | None]] = []
    for form in inside:
        submit = form.submit
        if submit is not None and (said := _action_label(submit) or _address_verb(form)):
            found.append((f"form|{said}", submit, form))
    claimed = {n.ref for form in inside for n in form.nodes}
    around = {each.ref for each in entry.ancestors() if each.tag == "form"}
    listed = (n for n in entry.walk() if n.role in _MENU_ROLES and n.ref in openers)
    for node in (*entry.usable(), *listed):
        if (
            node is target
            or node.ref in claimed
            or node.has("d")
            or (node.hidden not in (0, ON_HOVER) and node.ref not in openers)
        ):
            continue
        kind = kind_of(node)
        if kind in _SET_KINDS and node.form not in around and not is_honeypot(node):
            found.append((f"field|{parameter_name(_field_of(node))}", node, None))
        elif kind == "checkbox" and not is_disclosure_checkbox(node):
            found.append(("checkbox", node, None))
        elif _is_pressed(node) and not _opens_menu(node) and (said := _action_label(node)):
            found.append((f"button|{said}", node, None))
        elif node.role == "link" and node is not entry and _is_action_link(node, target):
            found.append((f"link|{_link_action(node)}", node, None))
        elif node.role == "link" and leads_aside(node, target):
            part = node.name if node.name in parts else address_kind(node.get("href"))
            found += [(f"part|{part}", node, None)] if part in parts else []
    hands = [n for n in entry.walk() if n.role == "generic" and n not in (entry, target)]
    return found + [(f"button|{said}", n, None) for n in hands if (said := _hand_action(n, entry))]


def _address_verb(form: Form) -> str:
    """Return what the address of a form says that is done, where its button says nothing."""
    said = words.words(form.action.rstrip("/").rpartition("/")[2])
    return said[0] if said and said[0] in VERBS else ""


def _is_pressed(node: Node) -> bool:
    return is_button(node) or node.role in _MENU_ROLES


def _hand_action(node: Node, entry: Node) -> str:
    """Return what is done by something over which the mouse is a hand, and which is no button.

    In a link, or in a button, it is a part of that.
    """
    if node.hidden or node.usable() or any(node.within(each) for each in entry.usable()):
        return ""
    if words.words(node.name):
        return action_of(node.name)
    return action_of(node.get("title")) or icon_action(node.icon, node.classes)


def _own_fields(action: ItemAction) -> list[Field]:
    if action.form is not None:
        return action.form.fields
    node = action.first
    return [_field_of(node)] if node is not None and kind_of(node) in _SET_KINDS else []


def _field_of(node: Node) -> Field:
    return fields([node])[0]


def _opens_menu(node: Node) -> bool:
    toggle = node.get("data-bs-toggle") or node.get("data-toggle")
    return (
        bool(node.get("aria-haspopup"))
        or toggle in ("dropdown", "collapse")
        or "dropdown" in node.classes
    )


def _is_action_link(link: Node, target: Node | None) -> bool:
    action = _link_action(link)
    if not action or action in _SAME_AS_OPEN:
        return False
    sends = link.get("data-method").lower() not in ("", "get")
    return sends or target is None or link.get("href") != target.get("href")


def _link_action(link: Node) -> str:
    """Return what a link of an entry does: by its words, or its picture where it has none."""
    said = words.words(link.name)
    if len(said) <= _MOST_ACTION_WORDS and (action := action_of(link.name)):
        return action
    if said:
        return ""
    return action_of(link.get("title")) or icon_action(link.icon, link.classes)


def _action_label(node: Node) -> str:
    action = action_of(node.name)
    foreign = action.partition("_")[0] in ("add", "") and not english_action(node.name)
    if foreign and is_button(node) and _is_basket(node):
        return "add_to_cart"
    return (
        action
        or action_of(node.get("title"))
        or icon_action(node.name)
        or _said_otherwise(node)
        or icon_action(node.icon, node.classes)
    )


def _is_basket(button: Node) -> bool:
    return lexicon.BASKET.search(button.name.lower())


def _said_otherwise(button: Node) -> str:
    """Return what a button does that says no verb: a cross, or its few words."""
    said = button.name.lower()
    if said in _CROSSES:
        return "delete"
    return _short_slug(button.name)


def _short_slug(name: str) -> str:
    found = words.words(name)
    return "_".join(found) if 0 < len(found) <= 3 and not any(w.isdigit() for w in found) else ""


def _action_names(listing: Listing, node: Node, form: Form | None) -> tuple[list[str], str]:
    noun = listing.noun
    if kind_of(node) in _SET_KINDS:
        name = words.name_of("set", noun, parameter_name(_field_of(node)))
        return [name], f"Set a field of one {noun.replace('_', ' ')} of the list"
    if kind_of(node) == "checkbox" and form is None:
        said = f"{node.name} {node.get('name')} {node.classes}".lower()
        verb = (
            "select"
            if "select" in said or (listing.is_table and "toggle" not in said)
            else "toggle"
        )
        names = [f"{verb}_{noun}", words.name_of(verb, noun, "entry")]
        return names, f"{verb.capitalize()} one {noun.replace('_', ' ')} of the list"
    said = _action_label(node) or (_address_verb(form) if form is not None else "")
    if node.role == "link" and not _link_action(node):
        part = part_words(node, listing.shared_names)
        parts = (part, noun) if BUTTON_CLASSES.search(node.classes) else ("open", part, "of", noun)
        about = words.name_of(*parts)
        return [about], f"{words.clean(node.name, 60)} (one {noun.replace('_', ' ')} of the list)"
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
    own = list(controls(_own_fields(action)))
    if kind_of(first) in _SET_KINDS:
        own = [replace(own[0], required=True)]
    destroys = is_destructive(first.name, first.icon, name, first.get("data-method"))
    return DerivedTool(
        "item_action",
        f"item|{base}|{name}",
        action.names,
        action.says,
        _rank(listing, 76, order) if _is_common(action, listing) else UNCOMMON_RANK,
        controls=own,
        items=_items(listing, action.items),
        indexed=True,
        reads=only_leads(first, name) and not destroys,
        destroys=destroys,
        consequential=is_consequential(name.replace("_", " ")),
        nodes=action.nodes,
    )
