"""Boards: finds entries that stand in columns, shelves or days, each of these under a heading."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tabmux.pagetools.collect.document_tree import Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.fields import kind_of
from tabmux.pagetools.derive.form_controls import is_button
from tabmux.pagetools.derive.lists.entry_words import entry_text
from tabmux.pagetools.derive.lists.list_entries import (
    FEWEST_ENTRIES,
    MAJORITY,
    appearance,
    similar_children,
)
from tabmux.pagetools.derive.parameters import TEXT_KINDS
from tabmux.pagetools.language.page_arithmetic import address_kind

_FEWEST_COLUMNS = 2
# What a column says beside its heading and its cards is a count, and what can be done there.
_MOST_BESIDE = 25
# Links that are shorter and have no words beside them are tags, files or sections of something.
_SHORTEST_CARD = 40
_CARD_MARK = re.compile(
    r"(?:^|[\s_-])(?:card|issue|ticket|task|story|item|event|deal|lead|candidate)(?=$|[\s_-])",
    re.IGNORECASE,
)
_DISTINCT = 0.8
_Path = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Board:
    """The cards of some columns, and what each card's column is called."""

    cards: list[Node]
    columns: dict[int, str]


def board_of(columns: Sequence[Node]) -> Board | None:
    """Return the cards that columns hold, if they are nothing but headings with cards below.

    A column is no thing by itself: what can be done with a card would be done with the first
    one of its column.
    """
    if len(columns) < _FEWEST_COLUMNS or columns[0].tag == "tr" or columns[0].role == "row":
        return None
    if not all(column.headings() for column in columns):
        return None
    place = _place_of_cards(columns)
    if place is None:
        return None
    held = {column.ref: _cards_at(column, place) for column in columns}
    cards = [card for column in columns for card in held[column.ref]]
    filled = [column for column in columns if held[column.ref]]
    if len(cards) < FEWEST_ENTRIES or len(filled) < _FEWEST_COLUMNS:
        return None
    titles = {column.ref: _title(column, held[column.ref]) for column in columns}
    if not all(titles.values()) or not _are_only_columns(columns, held, titles):
        return None
    if _same_kind(cards[0], columns[0]) or not _are_cards(
        [card for card in cards if not card.brief]
    ):
        return None
    return Board(cards, {card.ref: titles[c.ref] for c in columns for card in held[c.ref]})


def _place_of_cards(columns: Sequence[Node]) -> tuple[_Path, tuple[str, ...]] | None:
    """Return where in most of the columns cards stand, and what they look like."""
    found: Counter[tuple[_Path, tuple[str, ...]]] = Counter()
    for column in columns:
        for box in column.walk():
            cards = similar_children(box) if len(box.children) >= _FEWEST_COLUMNS else []
            if len(cards) >= _FEWEST_COLUMNS and all(each.usable() for each in cards[:2]):
                found[_path(column, box), appearance(cards[0])] += 1
                break
    return max(found, key=lambda each: found[each], default=None)


def _same_kind(card: Node, column: Node) -> bool:
    """Whether both look alike: what is in an entry of the same kind is an answer to it."""
    marks = [each.classes.partition(" ")[0] for each in (card, column)]
    return appearance(card) == appearance(column) and marks[0] == marks[1]


def _path(column: Node, box: Node) -> _Path:
    steps: list[tuple[str, ...]] = []
    node: Node | None = box
    while node is not None and node is not column:
        steps.append(appearance(node))
        node = node.parent
    return tuple(reversed(steps))


def _cards_at(column: Node, place: tuple[_Path, tuple[str, ...]]) -> list[Node]:
    path, look = place
    box: Node | None = column
    for step in path:
        around: Sequence[Node] = box.children if box is not None else ()
        box = next((each for each in around if appearance(each) == step), None)
    if box is None:
        return []
    return [each for each in box.children if appearance(each) == look and not each.hidden]


def _title(column: Node, cards: Sequence[Node]) -> str:
    """Return the heading of a column, which stands before its cards."""
    first = next((each for each in column.headings() if not each.hidden), None)
    if first is None or any(first.place >= card.place for card in cards):
        return ""
    return landmarks.heading_words(first)


def _are_only_columns(
    columns: Sequence[Node], held: dict[int, list[Node]], titles: dict[int, str]
) -> bool:
    """Whether most of the columns say hardly anything beside their headings and cards."""
    plain = 0
    for column in columns:
        beside = _text_beside(column, {card.ref for card in held[column.ref]})
        plain += len(beside) - len(titles[column.ref]) <= _MOST_BESIDE
    return plain >= MAJORITY * len(columns)


def _text_beside(column: Node, cards: set[int]) -> str:
    return landmarks.text_of(column, 200, lambda n: n.ref in cards or _is_aside(n))


def _is_aside(node: Node) -> bool:
    return is_button(node) or bool(kind_of(node)) or node.role == "link"


def _are_cards(cards: Sequence[Node]) -> bool:
    """Whether cards tell of things of one kind: neither actions, tags nor fields of a form."""
    if not cards or cards[0].tag == "tr" or cards[0].role == "row":
        return False
    if any(kind_of(n) in TEXT_KINDS for card in cards for n in card.usable()):
        return False
    said = [entry_text(card, 80) for card in cards]
    if len(set(said)) < _DISTINCT * len(said):
        return False
    links = [next(iter(card.links()), None) for card in cards]
    kinds = Counter(address_kind(link.get("href")) for link in links if link is not None)
    if sum(kinds.values()) > max(kinds.values(), default=0) / MAJORITY:
        return False
    return bool(_CARD_MARK.search(cards[0].classes)) or not all(map(_is_short_link, cards))


def _is_short_link(card: Node) -> bool:
    """Whether all that a card says is a short link: a tag, a file, a section of a site."""
    beside = "" if card.role == "link" else landmarks.text_of(card, 80, lambda n: n.role == "link")
    controls = sum(is_button(n) or bool(kind_of(n)) for n in card.usable())
    told = card.headings() or controls or beside
    return not told and len(landmarks.text_of(card, 80)) < _SHORTEST_CARD
