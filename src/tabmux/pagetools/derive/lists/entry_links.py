"""Entry links: which of the links of an entry opens it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from tabmux.page_text import url_parts
from tabmux.pagetools.collect.document_tree import Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.form_controls import is_button
from tabmux.pagetools.derive.lists.entry_labels import verb_of, verbs_of_links
from tabmux.pagetools.derive.lists.entry_words import changes_entry, leads_to_page
from tabmux.pagetools.language.verbs_and_nouns import action_of, does_at_once

# A column whose links are hardly more than so many different ones is no name of its rows.
_REPEATING = 0.7
_FEWEST_IN_COLUMN = 3
_FEWEST_SAYING, _SAMPLE = 2, 20
_ADDRESS_PARTS = re.compile(r"[/?&;=#]+")
_COUNTERS = re.compile(r"\d+")


class EntryLinks:
    """The links of some entries that look alike, each of which opens one of them at most.

    What opens an entry says or leads to something that the others do not: links of one place in
    the entries that lead to the same again and again are their authors and kinds. Where most
    links of an entry are about the same, and the first is about something else, the one that
    says more is meant; a first one that leads to another site stays.
    """

    def __init__(self, entries: Sequence[Node]) -> None:
        self._entries = entries

    @property
    def targets(self) -> list[Node | None]:
        """What opens each of them."""
        return [self._target(entry) for entry in self._entries]

    def _target(self, entry: Node) -> Node | None:
        if entry.role == "link" or (entry.tag == "a" and entry.get("href")):
            return entry
        every = [n for n in entry.links() if not n.hidden]
        for heading in entry.headings():
            for link in every:
                if link.within(heading) or heading.within(link):
                    return link
            if (unfolding := _only_button(heading)) is not None:
                return unfolding
        links = [n for n in every if _leads(n) and not self._acts(n)]
        named = [link for link in links if link.name and not link.get("data-method")]
        if named:
            return self._telling(entry, named)
        if links:
            return links[0]
        return entry if _is_pressed(entry) else None

    def _acts(self, link: Node) -> bool:
        """Whether a link does something with its entry: it says a verb, and others say it, too."""
        if changes_entry(link) or link.name in self._repeated_verbs:
            return True
        return bool(self._common_verbs) and verb_of(link) in self._common_verbs

    @cached_property
    def _common_verbs(self) -> set[str]:
        return verbs_of_links([entry for entry in self._entries if not entry.brief][:_SAMPLE])

    @cached_property
    def _repeated_verbs(self) -> frozenset[str]:
        said = Counter(name for entry in self._entries for name in {n.name for n in entry.links()})
        return frozenset(
            name
            for name, count in said.items()
            if count >= _FEWEST_SAYING and does_at_once(action_of(name))
        )

    def _telling(self, entry: Node, named: list[Node]) -> Node:
        if len(named) == 1:
            return named[0]
        telling = [link for link in named if link.name not in self._shared_names]
        own = [link for link in telling if self._columns.get(link.ref) not in self._repeated]
        first = next(iter(own or telling or named))
        return self._subject(entry, first, own) or first

    def _subject(self, entry: Node, first: Node, own: Sequence[Node]) -> Node | None:
        """Return the link that is about what most links of its entry are about."""
        links = [n for n in entry.links() if not n.hidden and leads_to_page(n.get("href"))]
        for link in own:
            about = self._own_parts(link)
            alike = sum(bool(about & self._own_parts(each)) for each in links)
            if 2 * alike > len(links) and not about & self._own_parts(first):
                says_more = len(link.name) >= len(first.name)
                return link if says_more and _site(link) == _site(first) else None
        return None

    @cached_property
    def _shared_names(self) -> frozenset[str]:
        said = [{n.name for n in entry.links() if not n.hidden} for entry in self._entries]
        return frozenset(set.intersection(*said)) if len(said) > 1 else frozenset()

    @cached_property
    def _columns(self) -> dict[int, str]:
        """Where in its entry each link stands, the same for all entries."""
        found: dict[int, str] = {}
        for entry in self._entries:
            met: Counter[str] = Counter()
            for link in entry.links():
                place = _place(entry, link)
                met[place] += 1
                found[link.ref] = f"{place} {met[place]}"
        return found

    @cached_property
    def _repeated(self) -> frozenset[str]:
        """Where links lead to the same again and again."""
        leading: dict[str, list[str]] = {}
        for entry in self._entries:
            for link in entry.links():
                leading.setdefault(self._columns[link.ref], []).append(link.get("href"))
        return frozenset(
            column
            for column, found in leading.items()
            if len(found) >= _FEWEST_IN_COLUMN and len(set(found)) <= _REPEATING * len(found)
        )

    def _own_parts(self, link: Node) -> set[str]:
        """Return what is in the address of a link and in those of no other entry."""
        return {part for part in _parts(link) if self._entries_with[part] == 1}

    @cached_property
    def _entries_with(self) -> Counter[str]:
        """In the addresses of how many entries each part stands."""
        return Counter(
            part
            for entry in self._entries
            for part in {part for link in entry.links() for part in _parts(link)}
        )


def _leads(link: Node) -> bool:
    """Whether a link leads to a page, or to what no part of this one is called."""
    href = link.get("href")
    if href.startswith("#") and len(href) > 1:
        return href[1:] not in link.elements.by_id
    return leads_to_page(href)


def _place(entry: Node, link: Node) -> str:
    """Return where in its entry something stands: by cell in a row, else by tags and classes."""
    steps: list[str] = []
    node: Node | None = link
    while node is not None and node is not entry:
        around = node.parent
        classes = _COUNTERS.sub("", node.classes.partition(" ")[0])
        in_row = around is not None and around.tag == "tr"
        mark = str(around.children.index(node)) if around is not None and in_row else classes
        steps.append(f"{node.tag}{mark}")
        node = around
    return ">".join(steps)


def _parts(link: Node) -> set[str]:
    return {part for part in _ADDRESS_PARTS.split(link.get("href")) if part}


def _site(link: Node) -> str:
    return url_parts(link.get("href")).netloc


def _only_button(heading: Node) -> Node | None:
    """Return the button that is all of a heading: it unfolds what is below it."""
    found = [n for n in heading.usable() if is_button(n) and not n.hidden and not n.has("d")]
    said = landmarks.text_of(heading)
    return found[0] if len(found) == 1 and found[0].name and found[0].name == said else None


def _is_pressed(entry: Node) -> bool:
    """Whether an entry without links is there to be pressed."""
    if entry.role in ("option", "treeitem") or entry.attributes.get("onclick"):
        return True
    handed = entry.role in ("generic", "row", "listitem") and "nearby" not in entry.attributes
    return handed and (bool(entry.name) or entry.has("p"))
