"""Empty lists: finds where entries would stand, and what the page says of their absence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tabmux.pagetools.collect.document_tree import DocumentTree, Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.fields import kind_of
from tabmux.pagetools.derive.form_controls import is_button
from tabmux.pagetools.derive.landmarks import SITE_LANDMARKS
from tabmux.pagetools.derive.lists.list_entries import ENTRIES_MARK, has_column_heads, is_header
from tabmux.pagetools.language import lexicon, words
from tabmux.pagetools.language.verbs_and_nouns import noun_from_heading, noun_from_path
from tabmux.pagetools.model import DerivedTool

# Who says more is not saying that there is nothing.
LONGEST_WORDS = 120
LONGEST_LINE = 60
EMPTY_RANK = -3.5
_EMPTY_MARK = re.compile(
    r"(?:^|[\s_-])#?(?:empty|blank-?slate|no-?(?:data|results?|items?|entries|records|content))(?:$|[\s_-])",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class EmptyList:
    """Where entries would stand, and what stands there."""

    node: Node
    says: str


def empty_list_tools(document: DocumentTree) -> list[DerivedTool]:
    """Return the tool of the list that is empty, which says so; it is not published."""
    found = next(filter(None, map(_empty_list, document.nodes)), None)
    if found is None:
        return []
    noun = _noun(found.node, document)
    return [
        DerivedTool(
            "list",
            f"empty|{noun}",
            [f"open_{noun}"],
            found.says or "The list is empty",
            EMPTY_RANK,
            indexed=True,
            reads=True,
            repeatable=True,
        )
    ]


def _empty_list(node: Node) -> EmptyList | None:
    if node.hidden or landmarks.landmarks_around(node) & (SITE_LANDMARKS | {"complementary"}):
        return None
    if node.tag == "table":
        return _empty_table(node)
    if landmarks.landmark_of(node) == "main":
        return _empty_content(node)
    if not (_EMPTY_MARK.search(node.classes) or ENTRIES_MARK.search(node.classes)):
        return None
    said = landmarks.text_of(node, LONGEST_WORDS + 1)
    return EmptyList(node, said) if _says_nothing_is_there(said) else None


def _empty_content(main: Node) -> EmptyList | None:
    """Whether the content has a line of its own, in no box, that says that there is nothing."""
    said = [part for part in main.parts if isinstance(part, str) and len(part) <= LONGEST_LINE]
    return next((EmptyList(main, part) for part in said if _says_nothing_is_there(part)), None)


def _empty_table(table: Node) -> EmptyList | None:
    """Whether a table has heads of columns, and nothing below them or one line that says so."""
    if not has_column_heads(table):
        return None
    if any(kind_of(n) or is_button(n) or n.role == "link" for n in _body(table)):
        return None
    said = landmarks.text_of(table, LONGEST_WORDS + 1, _is_head)
    return EmptyList(table, said) if not said or _says_nothing_is_there(said) else None


def _body(table: Node) -> list[Node]:
    heads = [n for n in table.walk() if _is_head(n)]
    return [n for n in table.walk() if not any(n.within(head) for head in heads)]


def _is_head(node: Node) -> bool:
    return node.tag in ("thead", "th", "caption") or (
        node.tag == "tr" and bool(node.children) and is_header(node)
    )


def _says_nothing_is_there(said: str) -> bool:
    return 0 < len(said) <= LONGEST_WORDS and lexicon.NOTHING.search(said.lower())


def _noun(node: Node, document: DocumentTree) -> str:
    heading = landmarks.heading_above(node) or landmarks.heading_in(node)
    caption = next(
        (n.name or landmarks.text_of(n) for n in node.children if n.tag == "caption"), ""
    )
    for noun in (
        noun_from_heading(node.name),
        noun_from_heading(caption),
        noun_from_heading(heading),
        noun_from_path(document.url),
        noun_from_heading(words.clean(document.title.split(" - ")[0], 60)),
    ):
        if noun:
            return noun[:24].strip("_")
    return "item"
