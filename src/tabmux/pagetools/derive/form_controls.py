"""Form controls: what is there to be pressed, and what sends a form."""

from __future__ import annotations

from tabmux.pagetools.collect.document_tree import Node
from tabmux.pagetools.derive.fields import kind_of
from tabmux.pagetools.language import lexicon
from tabmux.pagetools.language.verbs_and_nouns import action_of

# Buttons that count a field up or down.
_STEPS = frozenset("+-−–＋➕➖")
_BUTTON_TYPES = frozenset({"submit", "image", "button", "reset"})


def is_button(node: Node) -> bool:
    """Whether it is there to be pressed."""
    found = node.button
    if found is None:
        found = node.button = _is_pressed(node)
    return found


def _is_pressed(node: Node) -> bool:
    if node.tag == "input":
        return node.get("type").lower() in _BUTTON_TYPES
    return (node.tag == "button" and not kind_of(node)) or (
        node.role == "button" and node.tag != "summary"
    )


def is_commit_button(node: Node) -> bool:
    """Without a form, a link that looks like a button may be what ends it."""
    if node.role == "link":
        return bool(action_of(node.name)) and is_script_link(node)
    if node.role == "generic":  # the mouse is a hand over it
        return bool(action_of(node.name))
    return is_button(node) and not node.get("aria-haspopup") and node.name not in _STEPS


def is_script_link(node: Node) -> bool:
    """Whether a link leads nowhere, so that a script does what it says."""
    href = node.get("href")
    return (
        href == "#" or href.startswith("javascript:") or (not href and "onclick" in node.attributes)
    )


def ticks_all(node: Node) -> bool:
    """Whether it is the tick in the head of a table, which ticks all rows and is no field."""
    if kind_of(node) != "checkbox" or node.get("type") not in ("checkbox", ""):
        return False
    if not node.form and lexicon.ALL_OF_THEM.search(node.name.lower()):
        return True
    return any(_heads_columns(each) for each in node.near(3))


def _heads_columns(node: Node) -> bool:
    if node.tag == "th" or node.role == "columnheader":
        return node.role != "rowheader"
    return node.tag == "thead"


def verb_of(button: Node) -> str:
    return action_of(button.name or button.get("title")).partition("_")[0]


def is_disclosure_checkbox(node: Node) -> bool:
    """A checkbox without a form that only opens something is no field."""
    if node.get("type") != "checkbox" or node.form:
        return False
    if any(each.tag == "tr" for each in node.near(1)):
        return False  # it ticks the row
    beside = node.parent.children if node.parent is not None else []
    if not node.origin and any(each.role == "link" for each in beside):
        return True  # the link does what the box only shows
    said = f"{node.classes} {node.get('name')}".lower()
    return (
        bool(node.get("aria-haspopup")) or "hack" in said or "menu" in said or "toggle-nav" in said
    )


def is_submit_type(button: Node) -> bool:
    """Whether pressing it sends its form, whatever scripts do."""
    kind = button.get("type").lower()
    return kind in ("submit", "image") or (
        button.tag == "button" and kind not in ("button", "reset")
    )
