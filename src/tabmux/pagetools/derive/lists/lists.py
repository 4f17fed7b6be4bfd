"""Lists: finds entries that repeat in lists, tables, grids and feeds."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from tabmux.pagetools.collect.document_tree import DocumentTree, Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.fields import kind_of
from tabmux.pagetools.derive.form_controls import is_button
from tabmux.pagetools.derive.lists.boards import board_of
from tabmux.pagetools.derive.lists.entry_labels import call_by_shared_labels
from tabmux.pagetools.derive.lists.entry_links import EntryLinks
from tabmux.pagetools.derive.lists.entry_words import (
    changes_entry,
    entry_key,
    entry_text,
    own_words,
)
from tabmux.pagetools.derive.lists.list_entries import (
    ENTRIES_MARK,
    FEWEST_ENTRIES,
    GRIDS,
    MAJORITY,
    are_two_boxes,
    are_two_things,
    handled,
    has_column_heads,
    is_list,
    similar_children,
)
from tabmux.pagetools.derive.lists.list_nouns import list_noun
from tabmux.pagetools.derive.navigation import is_current, leads_here
from tabmux.pagetools.derive.parameters import TEXT_KINDS
from tabmux.pagetools.language import lexicon, words
from tabmux.pagetools.language.page_arithmetic import address_depth, address_kind
from tabmux.pagetools.language.verbs_and_nouns import action_of

MOST_LISTS = 3
# What stands beside the link of a tab is a count, or the tab that is shown.
_LONGEST_TAB = 24
_SHORTEST = 2
_MOST_USABLE = 0.7
# As many entries tell what the others are like.
SAMPLE = 20
_EXCLUDED_LANDMARKS = frozenset(
    {"navigation", "contentinfo", "menu", "menubar", "tablist", "banner"}
)
_MOST_DAYS, _DAYS_OF_WEEK = 31, 7
_SIDE_CLASSES = re.compile(
    r"sidebar|side_|footer|breadcrumb|pagination|pager|navbar|nav-|menu|toolbar|social|share|tabs?\b"
    r"|stepper|dropdown|language",
    re.IGNORECASE,
)
# How much a list beside the content counts.
_ASIDE = 0.02


@dataclass(eq=False)
class Listing:
    """A region of entries that look alike."""

    node: Node
    entries: list[Node]
    noun: str
    score: float
    targets: list[Node | None] = field(default_factory=list)
    is_table: bool = False
    # Beside the page's content, or around it.
    is_aside: bool = False
    texts: dict[int, str] = field(default_factory=dict)
    # Under which heading of a board each entry stands, by the entry.
    columns: dict[int, str] = field(default_factory=dict)

    @cached_property
    def keys(self) -> dict[int, str]:
        """What tells each entry from the others, by the entry."""
        pairs = zip(self.entries, self.targets, strict=True)
        return {entry.ref: entry_key(entry, target) for entry, target in pairs}

    @cached_property
    def detailed(self) -> list[Node]:
        """The entries that are known in whole."""
        return [entry for entry in self.entries if not entry.brief]

    @cached_property
    def shared_names(self) -> frozenset[str]:
        """What links beside those that open say in most of the entries."""
        some = self.detailed[:SAMPLE]
        openers = {each.ref for each in self.targets if each is not None}
        counts = Counter(
            name
            for entry in some
            for name in {link.name for link in entry.links() if link.ref not in openers}
        )
        fewest = max(2, MAJORITY * len(some))
        # "0 comments" is said of each by itself.
        return frozenset(
            name
            for name, count in counts.items()
            if name and count >= fewest and not any(map(str.isdecimal, name))
        )

    @property
    def has_buttons(self) -> bool:
        """Whether something can be done with most of the entries."""
        some = self.detailed[:SAMPLE]
        pressed = sum(any(is_button(n) for n in entry.usable()) for entry in some)
        return pressed > 0.5 * len(some)

    def text(self, entry: Node) -> str:
        """Return what an entry says, for a list of them."""
        if entry.ref not in self.texts:
            said = entry_text(entry, 250, self.shared_names)
            column = self.columns.get(entry.ref, "")
            told = words.clean(said, 160)
            self.texts[entry.ref] = f"{told} ({words.clean(column, 30)})" if column else told
        return self.texts[entry.ref]


def listings(document: DocumentTree) -> list[Listing]:
    """Return the most important regions of a document, none inside of another."""
    found = [
        made for node in document.nodes if node.children and (made := _make_listing(node, document))
    ]
    found.sort(key=lambda each: -each.score)
    kept: list[Listing] = []
    for each in found:
        if len(kept) < MOST_LISTS and not any(_overlap(each, other) for other in kept):
            kept.append(each)
    for each in kept:
        call_by_shared_labels(each.entries)
    return sorted(kept, key=lambda each: each.node.place)


def _overlap(one: Listing, other: Listing) -> bool:
    return one.node.within(other.node) or other.node.within(one.node)


def _make_listing(node: Node, document: DocumentTree) -> Listing | None:
    if not _may_be_list(node):
        return None
    alike = similar_children(node)
    board = board_of(alike)
    entries = alike if board is None else board.cards
    some = [entry for entry in entries if not entry.brief][:SAMPLE]
    if not some or _is_excluded(node) or _are_properties(node, some) or _are_weeks(some):
        return None
    sample = _Sample.of(node, some)
    if not sample.is_usable or sample.is_navigation(document.url):
        return None
    is_table = node.tag in ("tbody", "table") or node.role in GRIDS
    plain = board is None and not is_table and sample.is_menu
    if plain and not (len(entries) >= FEWEST_ENTRIES and _is_content(node)):
        return None
    targets = EntryLinks(entries).targets if len(entries) > len(some) else sample.targets
    if not (any(sample.handles) or is_list(node) or _lead_alike(entries, targets)):
        return None
    made = Listing(node, entries, "", 0.0, targets, is_table, _is_aside(node))
    made.columns = {} if board is None else board.columns
    made.score = _score(made, sample.length)
    made.noun = list_noun(made, document)
    return made if len(entries) >= FEWEST_ENTRIES or _are_few(made, sample.handles) else None


def _may_be_list(node: Node) -> bool:
    has_room = len(node.children) >= FEWEST_ENTRIES or _may_hold_few(node)
    return has_room and not node.hidden and node.tag not in ("form", "thead", "tr", "select")


@dataclass(frozen=True)
class _Sample:
    """Some entries of what may be a list: enough to tell whether it is one.

    Attributes:
        entries: The entries.
        targets: What opens each of them.
        handles: Whether something can be done with each of them.
        length: How many characters they have in the mean.
    """

    entries: list[Node]
    targets: list[Node | None]
    handles: list[bool]
    length: float

    @classmethod
    def of(cls, node: Node, entries: list[Node]) -> _Sample:
        """Look at some entries of a node."""
        handles = [
            own or _has_changing_link(entry)
            for own, entry in zip(handled(node, entries), entries, strict=True)
        ]
        length = sum(len(landmarks.text_of(entry, 250)) for entry in entries) / len(entries)
        return cls(entries, EntryLinks(entries).targets, handles, length)

    @property
    def is_usable(self) -> bool:
        """Whether most of them say something, and can be opened or worked with."""
        pairs = zip(self.targets, self.handles, strict=True)
        usable = sum(handle or target is not None for target, handle in pairs)
        return usable >= _MOST_USABLE * len(self.entries) and self.length >= _SHORTEST

    def is_navigation(self, url: str) -> bool:
        """Whether they are links in groups, or tabs."""
        if _are_link_groups(self.entries):
            return True
        return self.length < _LONGEST_TAB and _are_tabs(self.entries, url)

    @property
    def is_menu(self) -> bool:
        """Whether they are links without anything else to do."""
        return not any(self.handles) and _is_plain_menu(self.entries, self.length)


def _has_changing_link(entry: Node) -> bool:
    """Whether something can be done with an entry that is more than what does it."""
    links = [link for link in entry.links() if not link.hidden]
    changing = [link for link in links if changes_entry(link)]
    if not changing or entry in changing:
        return False
    return len(links) > len(changing) or bool(own_words(entry))


def _lead_alike(entries: list[Node], targets: list[Node | None]) -> bool:
    """Whether boxes are of one kind: they have headings, or what opens them is to be found alike.

    Boxes that lead to this and that are each for something else.
    """
    if sum(bool(entry.headings()) for entry in entries) > MAJORITY * len(entries):
        return True
    found = [each.get("href") for each in targets if each is not None]
    kinds = Counter(map(address_kind, found))
    depths = Counter(depth for each in found if (depth := address_depth(each)) > 1)
    alike = max([*kinds.values(), *depths.values()], default=0)
    return alike >= 0.5 * len(entries)


def _is_content(node: Node) -> bool:
    """Whether links stand in the content under a heading: elsewhere they are a menu."""
    around = landmarks.landmarks_around(node)
    marks = " ".join(each.classes for each in [node, *node.near(2)])
    if "main" not in around or around & {"complementary", *_EXCLUDED_LANDMARKS}:
        return False
    heading = landmarks.heading_above(node, 2).lower()
    if lexicon.NARROW.search(heading) or lexicon.SORT.search(heading):
        return False  # they choose what another list shows
    return is_list(node) and not _SIDE_CLASSES.search(marks) and bool(heading)


def _may_hold_few(node: Node) -> bool:
    boxes = [child for child in node.children if not child.hidden and not child.is_heading]
    return is_list(node) or bool(ENTRIES_MARK.search(node.classes)) or are_two_boxes(boxes)


def _are_few(made: Listing, handles: list[bool]) -> bool:
    """Whether one or two entries are a list: layout tables and a lone item are none."""
    typed = any(kind_of(n) in TEXT_KINDS for entry in made.entries for n in entry.usable())
    if made.is_table:
        around = (made.node, *made.node.ancestors())
        table = next((n for n in around if n.tag == "table" or n.role in GRIDS), None)
        headed = table is not None and has_column_heads(table)
        return (headed or are_two_things(made.entries)) and not typed
    if any(_is_filled_in(each) for entry in made.entries for each in entry.walk()):
        return False
    if not is_list(made.node):
        told = are_two_boxes(made.entries) or all(entry.headings() for entry in made.entries)
        return told and not typed
    if len(made.entries) < 2:
        return False
    worded = all(entry_text(entry, 40) for entry in made.entries)
    told = all(handles) or (_is_content(made.node) and _say_more(made))
    return told and worded and not typed and made.noun not in ("", "item", "row")


def _is_filled_in(node: Node) -> bool:
    return node.tag == "form" and any(kind_of(n) and not n.hidden for n in node.usable())


def _say_more(made: Listing) -> bool:
    """Whether each entry is a link and words beside it: links alone may be anything."""
    own = [landmarks.text_of(entry, 80, _is_link) for entry in made.entries]
    return all(own) and None not in made.targets


def _are_weeks(rows: list[Node]) -> bool:
    """Whether rows hold a day in each cell: a calendar is no list of weeks."""
    names = [link.name for row in rows for link in row.links() if not link.hidden]
    days = [name for name in names if name.isdecimal() and 0 < int(name) <= _MOST_DAYS]
    if len(days) > len(rows) and len(days) > MAJORITY * len(names):
        return True
    return rows[0].tag == "tr" and all(_counts_days(row) for row in rows[1:-1] or rows)


def _counts_days(row: Node) -> bool:
    """Whether the words of a row count seven days, one after the other."""
    said = (part for node in row.walk() for part in node.parts if isinstance(part, str))
    numbers = [int(word) for text in said for word in text.split() if word.isdecimal()]
    days = [day for day in numbers if 0 < day <= _MOST_DAYS]
    counted = [day for day, following in pairwise(days) if following == day + 1]
    return len(counted) >= _DAYS_OF_WEEK - 1


def _are_properties(node: Node, rows: list[Node]) -> bool:
    """Whether the rows of a table tell one thing each of the same: they begin with a heading."""
    if rows[0].tag != "tr":
        return False
    headed = sum(bool(row.children) and row.children[0].tag == "th" for row in rows)
    table = next((n for n in (node, *node.ancestors()) if n.tag == "table"), node)
    return headed > MAJORITY * len(rows) and not has_column_heads(table)


def _are_link_groups(entries: list[Node]) -> bool:
    """Whether the entries are themselves lists of links, as in menus and site maps.

    Links that say a verb, and that most of the entries have again, do it with each.
    """
    said = Counter(name for entry in entries for name in {n.name for n in entry.links()})
    groups = 0
    for entry in entries:
        every = [n for n in entry.links() if not n.hidden and not _is_again(n, said, len(entries))]
        nested = [n for n in entry.walk() if n is not entry and n.tag in ("ul", "ol", "dl")]
        inside = sum(any(link.within(each) for each in nested) for link in every)
        groups += inside >= 2 and inside >= 0.7 * len(every) - 1
    return groups > MAJORITY * len(entries)


def _is_again(link: Node, said: Counter[str], entries: int) -> bool:
    return entries > 1 and said[link.name] > MAJORITY * entries and bool(action_of(link.name))


def _is_excluded(node: Node) -> bool:
    if (
        landmarks.landmark_of(node) in _EXCLUDED_LANDMARKS
        or landmarks.landmark_around(node) in _EXCLUDED_LANDMARKS
        or any("breadcrumb" in each.classes.lower() for each in [node, *node.near(2)])
    ):
        return True
    around = next((each for each in node.ancestors() if each.tag in ("form", "table")), None)
    return around is not None and around.tag == "form" and not is_list(node)


def _is_plain_menu(entries: list[Node], mean: float) -> bool:
    """Short links and nothing else are a menu, not a list."""
    if entries[0].tag == "article" or entries[0].role == "treeitem":
        return False
    plain = 0
    for entry in entries:
        links = [n for n in entry.links() if not n.hidden]
        beside = "" if entry.role == "link" else landmarks.text_of(entry, 80, _is_link)
        plain += len(links) <= 1 and len(beside) < 12 and not entry.headings()
    return plain > MAJORITY * len(entries) and mean < 40


def _are_tabs(entries: list[Node], here: str) -> bool:
    """Whether entries are links of which one is marked as what is shown, and leads here."""
    current = [entry for entry in entries if is_current(entry)]
    if len(current) != 1 or not all(map(_is_link_alone, entries)):
        return False
    links = current[0].links()
    return not links or leads_here(links[0], here)


def _is_link_alone(entry: Node) -> bool:
    beside = "" if entry.role == "link" else landmarks.text_of(entry, 40, _is_link)
    return len(entry.links()) <= 1 and len(beside) < _LONGEST_TAB and not entry.headings()


def _is_link(node: Node) -> bool:
    return node.role == "link"


def _score(made: Listing, mean: float) -> float:
    around = landmarks.landmarks_around(made.node)
    score = len(made.entries) * min(mean, 200)
    score *= 2.0 if "main" in around or "dialog" in around else 1.0
    marks = " ".join(each.classes for each in [made.node, *made.node.near(3)])
    score *= 0.3 if _SIDE_CLASSES.search(marks) else 1.0
    return score * (_ASIDE if made.is_aside else 1.0)


def _is_aside(node: Node) -> bool:
    """Whether it stands beside the content: no number of entries makes it the page's main list."""
    around = landmarks.landmarks_around(node) | {landmarks.landmark_of(node)}
    return bool(around & {"complementary", "banner"}) and not around & {"dialog", "alertdialog"}
