"""Lists: finds entries that repeat in lists, tables, grids and feeds."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from functools import cached_property

from tabmux.pagetools.collect.document_tree import ON_HOVER, DocumentTree, Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.fields import kind_of
from tabmux.pagetools.derive.forms import is_button, is_disclosure_checkbox
from tabmux.pagetools.language import words
from tabmux.pagetools.language.verbs_and_nouns import (
    most_frequent_noun,
    noun_from_heading,
    noun_from_path,
    noun_from_words,
)

MOST_LISTS = 3
FEWEST_ENTRIES = 3
# As many entries tell what the others are like.
SAMPLE = 20
_MAJORITY = 0.6
_ENTRY_ROLES = frozenset({"listitem", "row", "article", "treeitem"})
_ENTRY_TAGS = frozenset({"li", "tr", "article", "dt"})
# Forms side by side are each for something else, and paragraphs are read one after the other.
_NO_ENTRIES = frozenset({"form", "fieldset", "p"})
_EXCLUDED_LANDMARKS = frozenset(
    {"navigation", "contentinfo", "menu", "menubar", "tablist", "banner"}
)
_SIDE_CLASSES = re.compile(
    r"sidebar|side_|footer|breadcrumb|pagination|pager|navbar|nav-|menu|toolbar|social|share|tabs?\b|stepper|dropdown|language",
    re.IGNORECASE,
)
# Ids that a framework counts up whenever it draws.
_GENERATED = re.compile(r":|(?:ember|ext-gen|gwt-uid-|yui_|isc_|goog_|uid-?)\d")
_COUNTERS = re.compile(r"\d+")


@dataclass(eq=False)
class Listing:
    """A region of entries that look alike."""

    node: Node
    entries: list[Node]
    noun: str
    score: float
    targets: list[Node | None] = field(default_factory=list)
    is_table: bool = False
    texts: dict[int, str] = field(default_factory=dict)

    @cached_property
    def keys(self) -> dict[int, str]:
        """What tells each entry from the others, by the entry."""
        pairs = zip(self.entries, self.targets, strict=True)
        return {entry.ref: entry_key(entry, target) for entry, target in pairs}

    @cached_property
    def detailed(self) -> list[Node]:
        """The entries that are known in whole."""
        return [entry for entry in self.entries if not entry.brief]

    @property
    def has_buttons(self) -> bool:
        """Whether something can be done with most of the entries."""
        some = self.detailed[:SAMPLE]
        pressed = sum(any(is_button(n) for n in entry.usable()) for entry in some)
        return pressed > 0.5 * len(some)

    def text(self, entry: Node) -> str:
        """Return what an entry says, for a list of them."""
        if entry.ref not in self.texts:
            self.texts[entry.ref] = words.clean(entry_text(entry, 250), 160)
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
    return sorted(kept, key=lambda each: each.node.place)


def _overlap(one: Listing, other: Listing) -> bool:
    return one.node.within(other.node) or other.node.within(one.node)


def _make_listing(node: Node, document: DocumentTree) -> Listing | None:
    if (
        node.hidden
        or (len(node.children) < FEWEST_ENTRIES and not _is_list(node))
        or node.tag in ("form", "thead", "tr", "select")
    ):
        return None
    entries = _similar_children(node)
    some = [entry for entry in entries if not entry.brief][:SAMPLE]
    if not some or _is_excluded(node):
        return None
    targets = [target_of(entry) for entry in some]
    handles = [_has_control(entry) for entry in some]
    usable = sum(
        handle or target is not None for target, handle in zip(targets, handles, strict=True)
    )
    mean = sum(len(landmarks.text_of(entry, 250)) for entry in some) / len(some)
    if usable < 0.7 * len(some) or mean < 2:
        return None
    if len(entries) < FEWEST_ENTRIES and not (all(handles) and _is_list(node)):
        return None
    is_table = node.tag in ("tbody", "table")
    if not any(handles) and not is_table and _is_plain_menu(some, mean):
        return None
    targets = [target_of(entry) for entry in entries]
    made = Listing(node, entries, "", _score(node, entries, mean), targets, is_table)
    made.noun = _list_noun(made, document)
    return made


def _similar_children(node: Node) -> list[Node]:
    """Return the children that look like each other, if there are any such."""
    groups: dict[tuple[str, ...], list[Node]] = {}
    for child in node.children:
        if child.hidden or child.is_heading or child.tag in _NO_ENTRIES:
            continue
        groups.setdefault(_appearance(child), []).append(child)
    best = max(groups.values(), key=len, default=[])
    if not _is_list(node) and (len(best) < FEWEST_ENTRIES or not _are_similar(best)):
        return _same_shape_children(node)
    if best and best[0].tag == "tr":
        best = [row for row in best if row.brief or not _is_header(row)]
    return best


def _is_header(row: Node) -> bool:
    return all(cell.tag == "th" for cell in row.children)


def _same_shape_children(node: Node) -> list[Node]:
    """Return the children if all are built in the same way, whatever their classes are."""
    children = [
        child for child in node.children if not child.hidden and child.tag not in _NO_ENTRIES
    ]
    detailed = [child for child in children if not child.brief]
    if len(detailed) < FEWEST_ENTRIES or len({child.end - child.place for child in detailed}) > 1:
        return []
    shapes = {tuple((n.tag, n.role) for n in child.walk()) for child in detailed}
    return children if len(shapes) == 1 and all(map(_has_control, detailed)) else []


def _appearance(node: Node) -> tuple[str, ...]:
    if node.tag in _ENTRY_TAGS or node.role in _ENTRY_ROLES:
        return (node.tag, node.role)
    classes = [_COUNTERS.sub("", each) for each in node.classes.split() if not each.startswith("#")]
    return (node.tag, node.role, classes[0] if classes else "")


def _are_similar(entries: list[Node]) -> bool:
    """Boxes are entries of a list if most hold the same kinds of things."""
    if entries[0].tag in _ENTRY_TAGS or entries[0].role in _ENTRY_ROLES:
        return True
    if not _appearance(entries[0])[2]:
        return False
    kinds = [{(n.tag, n.role) for n in entry.walk()} for entry in entries[:12]]
    if any(landmarks.landmark_of(n) for entry in entries[:12] for n in entry.walk()):
        return False
    alike = sum(len(kinds[0] & each) >= 0.5 * len(kinds[0] | each) for each in kinds)
    return alike >= _MAJORITY * len(kinds)


def _is_list(node: Node) -> bool:
    return node.tag in ("ul", "ol", "tbody") or node.role in ("list", "feed", "rowgroup", "tree")


def _is_excluded(node: Node) -> bool:
    if (
        landmarks.landmark_of(node) in _EXCLUDED_LANDMARKS
        or landmarks.landmark_around(node) in _EXCLUDED_LANDMARKS
    ):
        return True
    around = next((each for each in node.ancestors() if each.tag in ("form", "table")), None)
    return around is not None and around.tag == "form" and not _is_list(node)


def _is_plain_menu(entries: list[Node], mean: float) -> bool:
    """Short links and nothing else are a menu, not a list."""
    plain = 0
    for entry in entries:
        links = [n for n in entry.links() if not n.hidden]
        text = sum(
            len(part)
            for n in entry.walk()
            for part in n.parts
            if isinstance(part, str) and n.role != "link"
        )
        plain += len(links) <= 1 and text < 12 and not entry.headings()
    return plain > _MAJORITY * len(entries) and mean < 40


def _score(node: Node, entries: list[Node], mean: float) -> float:
    around = landmarks.landmarks_around(node)
    score = len(entries) * min(mean, 200)
    score *= 2.0 if "main" in around or "dialog" in around else 1.0
    score *= 0.3 if around & {"complementary", "banner"} else 1.0
    marks = " ".join(each.classes for each in [node, *list(node.ancestors())[:3]])
    return score * (0.3 if _SIDE_CLASSES.search(marks) else 1.0)


def _has_control(entry: Node) -> bool:
    """Whether something in it can be pressed, ticked or chosen from."""
    return any(
        (is_button(n) or kind_of(n) in ("checkbox", "select"))
        and n is not entry
        and n.hidden in (0, ON_HOVER)
        and not n.has("d")
        and not is_disclosure_checkbox(n)
        for n in entry.usable()
    )


def target_of(entry: Node) -> Node | None:
    """Return what opens an entry."""
    if entry.role == "link" or (entry.tag == "a" and entry.get("href")):
        return entry
    every = [n for n in entry.links() if not n.hidden]
    links = [n for n in every if _is_navigation(n.get("href"))]
    for heading in entry.headings():
        for link in every:
            if link.within(heading) or heading.within(link):
                return link
    named = [link for link in links if link.name and not link.get("data-method")]
    if named:
        return named[0]
    if links:
        return links[0]
    if (
        entry.role in ("option", "treeitem")
        or entry.attributes.get("onclick")
        or _has_pointer_cursor(entry)
    ):
        return entry
    return None


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


def entry_text(entry: Node, limit: int = 400) -> str:
    """Return what an entry says; not its buttons, which may come and go under the mouse."""
    return landmarks.text_of(entry, limit, is_button) or landmarks.text_of(entry, limit)


def _list_noun(made: Listing, document: DocumentTree) -> str:
    node, entry = made.node, made.entries[0]
    itemtype = entry.get("itemtype").rpartition("/")[2]
    if itemtype:
        return words.slug(itemtype)
    table = next((n for n in (node, *node.ancestors()) if n.tag == "table"), None)
    named = node.name or (table.name if table else "")
    caption = next(
        (n.name or landmarks.text_of(n) for n in (table or node).children if n.tag == "caption"), ""
    )
    heading = landmarks.heading_above(table or node)
    title = document.title.split(" - ")[0].split(" | ")[0]
    for noun in (
        noun_from_heading(named),
        noun_from_heading(caption),
        _noun_of_classes(node, entry),
        noun_from_heading(heading),
        most_frequent_noun(
            noun_from_path(t.get("href").rpartition("/")[0]) for t in made.targets[:8] if t
        ),
        noun_from_path(document.url),
        noun_from_words(title),
    ):
        if noun:
            return noun[:24].strip("_")
    return "row" if made.is_table else "item"


def _noun_of_classes(node: Node, entry: Node) -> str:
    """Return a noun that the classes of entries, or of what holds them, speak of."""
    inner = " ".join(n.classes for n in [entry, *entry.children[:2]])
    outer = " ".join(n.classes for n in [node, *list(node.ancestors())[:1]])
    return noun_from_words(inner) or noun_from_words(outer)
