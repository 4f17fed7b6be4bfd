"""List entries: which children of a box are entries of a list, and what is known of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tabmux.pagetools.collect.document_tree import ON_HOVER, Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.fields import kind_of
from tabmux.pagetools.derive.form_controls import is_button, is_disclosure_checkbox
from tabmux.pagetools.derive.lists.entry_labels import shared_labels
from tabmux.pagetools.derive.lists.entry_words import own_words
from tabmux.pagetools.language import words
from tabmux.pagetools.language.verbs_and_nouns import action_of

FEWEST_ENTRIES = 3
MAJORITY = 0.6
_ENTRY_ROLES = frozenset({"listitem", "row", "article", "treeitem"})
_ENTRY_TAGS = frozenset({"li", "tr", "article", "dt"})
# Forms and labels side by side are each for something else, and paragraphs are read in a row.
_NO_ENTRIES = frozenset({"form", "fieldset", "p", "label", "nav"})
# What holds entries is none, where it stands under a heading of its own.
_HOLDERS = frozenset({"ul", "ol", "dl"})
# Tables that are drawn of boxes.
GRIDS = frozenset({"grid", "table", "treegrid"})
_COUNTERS = re.compile(r"\d+")
# Boxes that say that they hold results, however many.
ENTRIES_MARK = re.compile(
    r"(?:^|\s)#?(?:[a-z0-9]+[-_]){0,3}(?:results?|hits|items|entries|posts|topics|listing)"
    r"(?:[-_](?:list|container|wrapper|body))?(?=\s|$)",
    re.IGNORECASE,
)


def handled(node: Node, entries: list[Node]) -> list[bool]:
    """Whether each entry has something to press or tick that others have too.

    What stands in one entry only is something of its own, and the fields of a form around
    them all are the form's, unless they repeat.
    """
    labels = shared_labels(entries)
    looks = [
        {_look(n, labels.get(n.ref, n.name)) for n in (*_entry_controls(entry), *_hands(entry))}
        for entry in entries
    ]
    counts = Counter(look for found in looks for look in found)
    fewest = min(2, len(entries))
    return [any(counts[look] >= fewest for look in found) for found in looks]


def _hands(entry: Node) -> Iterator[Node]:
    """Yield what says a verb, and is pressed though nothing but the mouse says so."""
    for node in entry.walk():
        if node.has("p") and node is not entry and not node.hidden and action_of(node.name):
            yield node


def _look(control: Node, name: str) -> str:
    """Return the same for controls that do the same to different entries."""
    if control.has("p"):
        return f"hand {action_of(name)}"
    if control.form and control.get("name") and not is_button(control):
        return f"{control.tag} {_COUNTERS.sub('', control.get('name'))}"
    if not is_button(control):
        return kind_of(control)
    said = words.slug(name) or control.icon or control.classes or control.tag
    return f"button {_COUNTERS.sub('', said)}"


def similar_children(node: Node) -> list[Node]:
    """Return the children that look like each other, if there are any such."""
    groups: dict[tuple[str, ...], list[Node]] = {}
    for child in node.children:
        if child.hidden or child.is_heading or child.tag in _NO_ENTRIES:
            continue
        groups.setdefault(appearance(child), []).append(child)
    best = max(groups.values(), key=len, default=[])
    if 0 < len(best) < FEWEST_ENTRIES and ENTRIES_MARK.search(node.classes):
        return best if len(best) == len(node.children) else []
    if are_two_boxes(best) and not _same_shape_children(node):
        return best
    headed = [] if is_list(node) else _linked_headings(node)
    if len(headed) >= MAJORITY * len(best) and not any(map(_has_control, best[:FEWEST_ENTRIES])):
        return headed  # what follows each of them belongs to it
    if _are_headed_groups(best):
        return []
    if not is_list(node) and (len(best) < FEWEST_ENTRIES or not _are_similar(best)):
        return _same_shape_children(node) or headed
    if best and (best[0].tag == "tr" or best[0].role == "row"):
        best = [row for row in best if row.brief or not is_header(row)]
    return best


def is_header(row: Node) -> bool:
    """Whether a row of a table says what the others hold."""
    worded = any(isinstance(part, str) for part in row.parts)  # a cell that holds nothing of use
    heads = (cell.tag == "th" or cell.role == "columnheader" for cell in row.children)
    return not worded and all(heads)


def are_two_things(rows: list[Node]) -> bool:
    """Whether two rows without heads of columns tell of two things, and are no layout.

    They are built alike, and either the same can be done with both, or each begins with what
    opens it and goes on in words. Where words come first, they say what the link is: those are
    two properties of one thing.
    """
    if len(rows) != 2 or len({_cells(row) for row in rows}) > 1:
        return False
    said = [{words.slug(n.name) for n in row.usable() if n.name} for row in rows]
    if said[0] & said[1]:
        return True
    alike = len({tuple((n.tag, n.role) for n in row.walk()) for row in rows}) == 1
    return alike and all(row.links() and _begins_with_link(row) for row in rows)


def _cells(row: Node) -> tuple[tuple[str, str], ...]:
    return tuple((cell.tag, cell.classes) for cell in row.children if cell.tag in ("td", "th"))


def _are_headed_groups(found: list[Node]) -> bool:
    """Whether lists stand each under a heading: what is in them may be entries, they are none."""
    if not found or found[0].tag not in _HOLDERS or found[0].parent is None:
        return False
    around = [each for each in found[0].parent.children if not each.hidden]
    before = {each.ref: above for above, each in pairwise(around)}
    headed = sum(each.ref in before and before[each.ref].is_heading for each in found)
    return headed >= MAJORITY * len(found)


def are_two_boxes(boxes: Sequence[Node]) -> bool:
    """Whether two boxes tell of two things: both speak, and the same can be done with them."""
    if len(boxes) != 2 or len({appearance(box) for box in boxes}) > 1:
        return False
    if not (boxes[0].classes or boxes[0].tag in _ENTRY_TAGS) or boxes[0].tag in _NO_ENTRIES:
        return False
    done = [{action for n in box.usable() if (action := action_of(n.name))} for box in boxes]
    said = {own_words(box) for box in boxes}
    return bool(done[0] & done[1]) and len(said) == len(boxes) and all(said)


def _begins_with_link(row: Node) -> bool:
    """Whether the first thing that a row says is a link, and words follow it."""
    spoken = list(_spoken(row))
    return (
        bool(spoken)
        and not isinstance(spoken[0], str)
        and any(isinstance(each, str) for each in spoken)
    )


def _spoken(node: Node) -> Iterator[Node | str]:
    """Yield links, and the words between them, as they are read."""
    for part in node.parts:
        if isinstance(part, str) or part.role == "link":
            yield part
        elif not part.hidden:
            yield from _spoken(part)


def has_column_heads(table: Node) -> bool:
    """Whether a table has a row of headings, as tables of things have and layouts have not."""
    for row in table.walk():
        if row.tag == "tr" and len(row.children) > 1 and is_header(row):
            return True
        if row.tag == "thead" and sum(n.tag in ("th", "td") for n in row.walk()) > 1:
            return True
    return sum(n.role == "columnheader" for n in table.walk()) > 1


def _linked_headings(node: Node) -> list[Node]:
    """Return headings with links that stand one after the other, each with its text below it."""
    levels: dict[str, list[Node]] = {}
    for child in node.children:
        if child.is_heading and not child.hidden and child.links():
            levels.setdefault(child.tag, []).append(child)
    several = [level for level in sorted(levels) if len(levels[level]) >= FEWEST_ENTRIES]
    return levels[several[0]] if several else []


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


def appearance(node: Node) -> tuple[str, ...]:
    """Return the same for boxes that look alike."""
    if node.tag in _ENTRY_TAGS or node.role in _ENTRY_ROLES:
        return (node.tag, node.role)
    classes = [_COUNTERS.sub("", each) for each in node.classes.split() if not each.startswith("#")]
    return (node.tag, node.role, classes[0] if classes else "")


def _are_similar(entries: list[Node]) -> bool:
    """Boxes are entries of a list if most hold the same kinds of things."""
    if entries[0].tag in _ENTRY_TAGS or entries[0].role in _ENTRY_ROLES:
        return True
    kinds = [{(n.tag, n.role) for n in entry.walk()} for entry in entries[:12]]
    marked = sum(any(map(landmarks.landmark_of, entry.walk())) for entry in entries[:12])
    if 0 < marked < MAJORITY * len(kinds):  # a foot that each of them has is no foot of the site
        return False
    alike = sum(len(kinds[0] & each) >= 0.5 * len(kinds[0] | each) for each in kinds)
    return alike >= MAJORITY * len(kinds)


def is_list(node: Node) -> bool:
    """Whether markup or role say that a box holds entries."""
    if node.tag == "table" and node.role not in GRIDS:  # one that was written without a body
        return bool(node.children) and node.children[-1].tag == "tr"
    if node.role in GRIDS:
        return bool(node.children) and node.children[-1].role == "row"
    return node.tag in ("ul", "ol", "tbody") or node.role in ("list", "feed", "rowgroup", "tree")


def _has_control(entry: Node) -> bool:
    """Whether something in it can be pressed, ticked or chosen from."""
    return next(_entry_controls(entry), None) is not None


def _entry_controls(entry: Node) -> Iterator[Node]:
    return (
        n
        for n in entry.usable()
        if (is_button(n) or kind_of(n) in ("checkbox", "select"))
        and n is not entry
        and n.hidden in (0, ON_HOVER)
        and not n.has("d")
        and not is_disclosure_checkbox(n)
    )
