"""Entry parts: links that most entries have again, to a part of each or to change its state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from urllib.parse import parse_qsl

from tabmux.page_text import url_parts
from tabmux.pagetools.collect.document_tree import Node
from tabmux.pagetools.derive.lists.list_entries import MAJORITY
from tabmux.pagetools.derive.lists.lists import Listing
from tabmux.pagetools.derive.navigation import leads_somewhere
from tabmux.pagetools.language import words
from tabmux.pagetools.language.page_arithmetic import address_kind
from tabmux.pagetools.language.verbs_and_nouns import VERBS

_LONG, _MOST_STATES = 8, 3
# So many parts of each entry have a tool, in so many words.
_MOST_PARTS, _MOST_PART_WORDS = 3, 3


def parts_of_entries(listing: Listing) -> frozenset[str]:
    """Return what links say in most entries that lead to a part of each."""
    told = [name for name in listing.shared_names if _is_short(name)]
    leading: dict[str, set[str]] = {name: set() for name in told}
    for entry in listing.detailed:
        for link in entry.links():
            if link.name in leading and leads_somewhere(link):
                leading[link.name].add(link.get("href"))
    fewest = MAJORITY * len(listing.detailed)
    found = [name for name in told if len(leading[name]) >= max(2, fewest)]
    return frozenset([*sorted(found)[:_MOST_PARTS], *_states(listing)])


def _states(listing: Listing) -> list[str]:
    """Return the kinds of addresses of links that say the state of each entry: "yes" or "no"."""
    openers = {each.ref for each in listing.targets if each is not None}
    said: dict[str, set[str]] = {}
    count: Counter[str] = Counter()
    for entry in listing.detailed:
        links = [n for n in entry.links() if n.ref not in openers and not n.hidden and n.name]
        kinds = {address_kind(n.get("href")): n for n in links if "?" in n.get("href")}
        for kind, link in kinds.items():
            said.setdefault(kind, set()).add(link.name)
            count[kind] += 1
    few = [kind for kind, names in said.items() if 1 < len(names) <= _MOST_STATES]
    short = [kind for kind in few if all(len(name) < _LONG for name in said[kind])]
    return [
        kind
        for kind in short
        if count[kind] > max(len(said[kind]), MAJORITY * len(listing.detailed))
    ]


def _is_short(name: str) -> bool:
    found = len(words.words(name))
    return 0 < found <= _MOST_PART_WORDS or (not found and name.isalpha() and len(name) < _LONG)


def part_words(link: Node, shared: Set[str]) -> str:
    """Return what a link says in all entries in Latin letters, or else what its address says."""
    if (said := words.slug(link.name)) and link.name in shared:
        return said
    path, query = url_parts(link.get("href")).path, url_parts(link.get("href")).query
    last = words.words(path.rstrip("/").rpartition("/")[2].partition(".")[0])
    doing = next((value for _, value in parse_qsl(query) if value in VERBS), "")
    return doing or "_".join(last[:2])


def leads_aside(link: Node, target: Node | None) -> bool:
    return not link.hidden and (target is None or link.get("href") != target.get("href"))
