"""Navigation: which links lead somewhere, and do nothing else."""

from __future__ import annotations

from tabmux.pagetools.collect.document_tree import Node
from tabmux.pagetools.language.verbs_and_nouns import action_of, does_at_once, is_destructive


def leads_somewhere(node: Node) -> bool:
    """Whether it is a link to an address."""
    href = node.get("href")
    return node.role == "link" and bool(href) and not href.startswith(("#", "javascript:"))


def asks_first(node: Node) -> bool:
    """Whether a script asks, when it is pressed, if that is meant."""
    return bool(node.get("data-confirm"))


def only_leads(node: Node, *said: str) -> bool:
    """Whether pressing it shows another page and changes nothing.

    Args:
        node: What is pressed.
        said: What it does, where it does not say so itself.
    """
    method = node.get("data-method").lower()
    if not leads_somewhere(node) or asks_first(node) or method not in ("", "get"):
        return False
    return not any(does_at_once(action) for action in (action_of(node.name), *said))


def takes_away(node: Node, *said: str) -> bool:
    """Whether pressing it takes something away; a link to a page that asks first does not."""
    if leads_somewhere(node) and not asks_first(node) and not node.get("data-method"):
        return False
    return is_destructive(node.name, node.get("data-method"), *said)
