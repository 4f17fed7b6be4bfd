"""Navigation: which links lead somewhere, and do nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urljoin

from tabmux.page_text import url_parts
from tabmux.pagetools.collect.document_tree import DocumentTree, Node
from tabmux.pagetools.language import words
from tabmux.pagetools.language.page_arithmetic import acts_on_page, kind_of_record, says_by
from tabmux.pagetools.language.verbs_and_nouns import (
    VAGUE_ACTIONS,
    action_of,
    does_at_once,
    is_destructive,
)

_CURRENT = re.compile(r"(?:^|[\s_-])(?:active|current|selected)(?:$|[\s_-])")
# So many links are a group of actions, each in so many words; more are navigation.
MOST_IN_GROUP, _MOST_WORDS = 8, 2
# More links than these are a menu.
_FEWEST_MENU = 2
# What is no view of anything, though it stands among views.
_CHANGING = frozenset({"edit", "delete", "remove", "rename", "move", "copy", "create", "add"})
_NO_ACTIONS = VAGUE_ACTIONS | {""}


def leads_somewhere(node: Node) -> bool:
    """Whether it is a link to an address."""
    href = node.get("href")
    return node.role == "link" and bool(href) and not href.startswith(("#", "javascript:"))


def leads_here(link: Node, here: str) -> bool:
    """Whether a link leads to the page that it stands on, perhaps to another view of it."""
    href = link.get("href")
    path = url_parts(urljoin(here, href)).path.rstrip("/")
    return href.startswith(("#", "javascript:")) or path == url_parts(here).path.rstrip("/")


def is_current(node: Node) -> bool:
    """Whether something, or the only thing in it, is marked as what is shown."""
    return any(
        each.get("aria-current") not in ("", "false")
        or each.get("aria-selected") == "true"
        or _CURRENT.search(each.classes)
        for each in (node, *(node.children if len(node.children) == 1 else ()))
    )


def page_actions(document: DocumentTree, claimed: set[int]) -> dict[int, str]:
    """Return what the links do, by the link, that act on the page itself.

    Their addresses are the page's own and more. They say a verb, or stand among a few that do
    and whose addresses say it the same way: beside `/edit`, `?mine=1` shows less of the page.
    """
    own = [n for n in document.nodes.links.all if _is_own(n, document.url, claimed)]
    acting = {n.ref: action for n in own if (action := action_of(n.name)) not in _NO_ACTIONS}
    found = dict(acting)
    for node in [n for n in own if n.ref in acting]:
        group = _group_around(node)
        members = [n for n in own if group is not None and n.within(group)]
        if 2 * sum(n.ref in acting for n in members) >= len(members):
            if group is not None and not _is_of_site(group, members, document.url):
                ways = {says_by(n.get("href"), document.url) for n in members if n.ref in acting}
                alike = [n for n in members if says_by(n.get("href"), document.url) in ways]
                found |= {n.ref: _opened(n) for n in alike if n.ref not in found}
        elif acting[node.ref].partition("_")[0] not in _CHANGING and _holds_current(group):
            del found[node.ref]  # of views, "open" is one and does nothing
    return {ref: action for ref, action in found.items() if action}


def _holds_current(group: Node | None) -> bool:
    """Whether something in a place is marked as what is shown."""
    return group is not None and any(n is not group and is_current(n) for n in group.walk())


def page_parts(document: DocumentTree, claimed: set[int]) -> dict[int, str]:
    """Return links in the content to parts of the one thing that a page is about: its history."""
    if not kind_of_record(document.url):
        return {}
    own = [n for n in document.nodes.links.all if _is_own(n, document.url, claimed)]
    below = [n for n in own if "?" not in n.get("href")]
    return {n.ref: opened for n in below[:MOST_IN_GROUP] if (opened := _opened(n))}


def _is_of_site(group: Node, own: Sequence[Node], here: str) -> bool:
    """Whether more links of a group lead elsewhere than act on the page."""
    others = [each for each in group.links() if each not in own and not leads_here(each, here)]
    return len(own) < len(others)


def _is_own(link: Node, here: str, claimed: set[int]) -> bool:
    if link.hidden or link.ref in claimed or link.has("d"):
        return False
    href = link.get("href")
    return bool(href) and href[0] != "#" and acts_on_page(href, here)


def _group_around(link: Node) -> Node | None:
    """Return the closest place with several links, if they are few."""
    around = next((each for each in link.near(4) if len(each.links()) > 1), None)
    return around if around is not None and len(around.links()) <= MOST_IN_GROUP else None


def is_navigation(link: Node) -> bool:
    """Whether most of the links that one stands among say nothing that they do."""
    group = next((each for each in link.near(4) if len(each.links()) > _FEWEST_MENU), None)
    links = group.links() if group is not None else []
    return 2 * sum(action_of(each.name) not in _NO_ACTIONS for each in links) < len(links)


def _opened(link: Node) -> str:
    said = words.words(link.name)
    return words.name_of("open", *said) if 0 < len(said) <= _MOST_WORDS else ""


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
