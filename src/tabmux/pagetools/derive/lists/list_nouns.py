"""List nouns: what the entries of a list are called."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tabmux.page_text import url_parts
from tabmux.pagetools.collect.document_tree import DocumentTree, Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.language import words
from tabmux.pagetools.language.page_arithmetic import names_one_thing
from tabmux.pagetools.language.verbs_and_nouns import (
    most_frequent_noun,
    noun_from_heading,
    noun_from_path,
    noun_from_words,
)

if TYPE_CHECKING:
    from tabmux.pagetools.derive.lists.lists import Listing

_SHORTEST_NOUN = 2
_MOST_SAID = 1
_NUMBERED = re.compile(r"\d")
# What classes call a list of anything.
_LAYOUT_NOUNS = frozenset({"listing", "entry", "record", "result", "group"})
# What pages are called, and hardly ever what they list.
_PLACES = words.word_set(
    """dashboard board account calendar profile cart workspace blog forum wiki site website
    shop store home overview"""
)


def list_noun(made: Listing, document: DocumentTree) -> str:
    """Return what one entry of a list is called, in English where the page says it so."""
    node, entry = made.node, made.entries[0]
    if made.columns and "card" in words.words(_own_classes(entry)):
        return "card"
    itemtype = entry.get("itemtype").rpartition("/")[2]
    if itemtype:
        return words.slug(itemtype)
    table = next((n for n in (node, *node.ancestors()) if n.tag == "table"), None)
    named = node.name or (table.name if table else "")
    caption = next(
        (n.name or landmarks.text_of(n) for n in (table or node).children if n.tag == "caption"), ""
    )
    own = _heading_before(node, entry)
    heading = own or landmarks.heading_above(table or node)
    title = document.title.split(" - ")[0].split(" | ")[0]
    for noun in (
        noun_from_heading(named),
        noun_from_heading(caption),
        _agreed_noun(made),
        _agreed_heading(heading, document.url),
        _noun_of_classes(node, entry),
        noun_from_heading(heading),
        most_frequent_noun(
            noun_from_path(t.get("href").rpartition("/")[0]) for t in made.targets[:8] if t
        ),
        # A page that shows one thing is called after it, and not after what it lists beside.
        "" if names_one_thing(document.url) else noun_from_path(document.url),
        "" if names_one_thing(document.url) or _NUMBERED.search(title) else noun_from_words(title),
    ):
        if noun and (noun not in _PLACES or words.plural(noun) in words.words(heading)):
            return noun[:24].strip("_")
    return "row" if made.is_table else "item"


def _agreed_noun(made: Listing) -> str:
    """Return the word, known or not, that classes of an entry and addresses of several both say."""
    entry = made.entries[0]
    said = {words.singular(word) for word in words.words(_own_classes(entry))}
    for target in made.targets[:2]:
        parts = url_parts(target.get("href")).path.split("/")[:-1] if target is not None else []
        for part in reversed(parts):
            noun = words.singular(words.slug(part))
            if noun in said and len(noun) > _SHORTEST_NOUN and noun not in _LAYOUT_NOUNS:
                return noun
    return ""


def _agreed_heading(heading: str, here: str) -> str:
    """Return what the address of the page says, if the heading says it, too, among other words."""
    if names_one_thing(here):
        return ""
    said = set(words.words(heading))
    noun = noun_from_path(here)
    if noun and {noun, words.plural(noun)} & said:
        return noun
    # What both call it in another language is its name, too.
    last = words.slug(url_parts(here).path.rstrip("/").rpartition("/")[2])
    return words.singular(last) if last in said and len(said) <= _MOST_SAID else ""


def _own_classes(entry: Node) -> str:
    return " ".join(each for each in entry.classes.split() if not each.startswith("#"))


def _heading_before(node: Node, entry: Node) -> str:
    """Return the heading that stands in a list's own box, before its entries."""
    above = [each for each in node.children if each.place < entry.place and each.is_heading]
    return landmarks.heading_words(above[-1]) if above else ""


def _noun_of_classes(node: Node, entry: Node) -> str:
    """Return a noun that the classes of entries, or of what holds them, speak of."""
    # The classes of cells are those of their columns, and not of what the row is.
    inner = [] if entry.tag == "tr" else entry.children[:2]
    for near in ([entry, *inner], [node, *node.near(1)]):
        said = words.words(" ".join(n.classes for n in near))
        # The last of them says what it is; one that is said more often is surer.
        found = (noun_from_words(word) for word in reversed(said))
        if noun := most_frequent_noun(each for each in found if each not in _LAYOUT_NOUNS):
            return noun
    return ""
