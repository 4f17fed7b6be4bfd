"""Entry words: what one entry of a list says, and what it is known by."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Set

from tabmux.pagetools.collect.document_tree import Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.fields import kind_of
from tabmux.pagetools.derive.form_controls import is_button
from tabmux.pagetools.language import words
from tabmux.pagetools.language.verbs_and_nouns import action_of, icon_action
from tabmux.pagetools.language.words import word_set

CHANGING_VERBS = word_set(
    """edit delete remove reply download rename copy duplicate archive share like flag report cancel
    approve reject move print change update clone unsubscribe quote cite hide block assign pin lock
    restore resend revoke star watch follow unfollow mark"""
)
# Ids that a framework counts up whenever it draws.
_GENERATED = re.compile(r":|(?:ember|ext-gen|gwt-uid-|yui_|isc_|goog_|uid-?)\d")
# What stood between what is not told.
_SEPARATORS = re.compile(r"\s*[|·•](?:\s*[|·•])+\s*")


def changes_entry(link: Node) -> bool:
    """Whether a link says that it does something with the entry, which is not to open it."""
    said = link.name or link.get("title")
    action = action_of(said) if len(words.words(said)) <= 3 else ""
    action = action or (icon_action(link.icon, link.classes) if not words.words(said) else "")
    return action.partition("_")[0] in CHANGING_VERBS


def leads_to_page(href: str) -> bool:
    """Whether an address is that of a page, and no part of this one or a script."""
    return bool(href) and not href.startswith(("#", "javascript:", "mailto:", "tel:"))


def entry_key(entry: Node, target: Node | None) -> str:
    """Return what tells an entry from the others, however the page is drawn."""
    if entry.key:
        return entry.key
    if target is not None and leads_to_page(target.get("href")):
        return target.get("href")
    if entry.get("id") and not _GENERATED.match(entry.get("id")):
        return f"#{entry.get('id')}"
    return hashlib.sha256(entry_text(entry).encode()).hexdigest()[:12]


def entry_text(entry: Node, limit: int = 400, shared: Set[str] = frozenset()) -> str:
    """Return what an entry says; not what its controls say, which may come and go.

    Args:
        entry: The entry.
        limit: How long it may be.
        shared: What links say in all entries, which tells none of them from the others.
    """
    named = any(link.name and not link.hidden for link in entry.links())
    control = _is_control_or_label if named else _is_control
    told = landmarks.text_of(entry, limit, lambda n: control(n) or n.name in shared)
    return (
        _SEPARATORS.sub(" ", told).strip(" |·")
        or landmarks.text_of(entry, limit, is_button)
        or landmarks.text_of(entry, limit)
    )


def own_words(entry: Node) -> str:
    """Return the beginning of what an entry says beside its controls, or nothing."""
    return landmarks.text_of(entry, 40, _is_control)


def _is_control(node: Node) -> bool:
    """Whether it is there to do something with its entry: its words are not the entry's."""
    if is_button(node) or kind_of(node):
        return True
    return node.role == "link" and changes_entry(node)


def _is_control_or_label(node: Node) -> bool:
    """A label of a tick says again what the entry's link says, or is all that names it."""
    return node.tag == "label" or _is_control(node)
