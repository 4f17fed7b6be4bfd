"""Entry words: what one entry of a list says, what opens it, and what it is known by."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence, Set

from tabmux.pagetools.collect.document_tree import Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.fields import kind_of
from tabmux.pagetools.derive.forms import is_button
from tabmux.pagetools.language import words
from tabmux.pagetools.language.verbs_and_nouns import action_of, icon_action
from tabmux.pagetools.language.words import word_set

_CHANGING_VERBS = word_set(
    """edit delete remove reply download rename copy duplicate archive share like flag report cancel
    approve reject move print change update clone unsubscribe"""
)
# Ids that a framework counts up whenever it draws.
_GENERATED = re.compile(r":|(?:ember|ext-gen|gwt-uid-|yui_|isc_|goog_|uid-?)\d")
# What stood between what is not told.
_SEPARATORS = re.compile(r"\s*[|·•](?:\s*[|·•])+\s*")


def target_of(entry: Node, shared: Set[str] = frozenset()) -> Node | None:
    """Return what opens an entry.

    Args:
        entry: The entry.
        shared: What links say in all entries: others are what the entry is about.
    """
    if entry.role == "link" or (entry.tag == "a" and entry.get("href")):
        return entry
    every = [n for n in entry.links() if not n.hidden]
    links = [n for n in every if _is_navigation(n.get("href"))]
    for heading in entry.headings():
        for link in every:
            if link.within(heading) or heading.within(link):
                return link
        if (unfolding := _only_button(heading)) is not None:
            return unfolding
    links = [link for link in links if not changes_entry(link)]
    named = [link for link in links if link.name and not link.get("data-method")]
    if named:
        return next((link for link in named if link.name not in shared), named[0])
    if links:
        return links[0]
    if (
        entry.role in ("option", "treeitem")
        or entry.attributes.get("onclick")
        or _has_pointer_cursor(entry)
    ):
        return entry
    return None


def shared_names(entries: Sequence[Node]) -> frozenset[str]:
    """Return what links say in each of some entries."""
    said = [{link.name for link in entry.links() if not link.hidden} for entry in entries]
    return frozenset(set.intersection(*said)) if len(said) > 1 else frozenset()


def _only_button(heading: Node) -> Node | None:
    """Return the button that is all of a heading: it unfolds what is below it."""
    found = [n for n in heading.usable() if is_button(n) and not n.hidden and not n.has("d")]
    said = landmarks.text_of(heading)
    return found[0] if len(found) == 1 and found[0].name and found[0].name == said else None


def changes_entry(link: Node) -> bool:
    """Whether a link says that it does something with the entry, which is not to open it."""
    said = link.name or link.get("title")
    action = action_of(said) if len(words.words(said)) <= 3 else ""
    action = action or (icon_action(link.icon, link.classes) if not words.words(said) else "")
    return action.partition("_")[0] in _CHANGING_VERBS


def _has_pointer_cursor(entry: Node) -> bool:
    """Reported with a role of nothing, it is there because the mouse becomes a hand over it."""
    return (
        entry.role in ("generic", "row", "listitem")
        and "nearby" not in entry.attributes
        and bool(entry.name)
    )


def _is_navigation(href: str) -> bool:
    return bool(href) and not href.startswith(("#", "javascript:", "mailto:", "tel:"))


def entry_key(entry: Node, target: Node | None) -> str:
    """Return what tells an entry from the others, however the page is drawn."""
    if entry.key:
        return entry.key
    if target is not None and _is_navigation(target.get("href")):
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
