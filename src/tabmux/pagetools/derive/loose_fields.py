"""Loose fields: puts fields that are in no form together with the buttons that send them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tabmux.pagetools.collect.document_tree import Node
from tabmux.pagetools.derive.fields import kind_of
from tabmux.pagetools.derive.form_controls import is_commit_button, is_disclosure_checkbox
from tabmux.pagetools.language import lexicon, words
from tabmux.pagetools.language.verbs_and_nouns import action_of
from tabmux.pagetools.language.words import word_set

MOST_GROUP_FIELDS = 10
MOST_LEVELS = 6
_STOPS = frozenset(
    {"listitem", "row", "dialog", "alertdialog", "main", "navigation", "banner", "contentinfo"}
)
_MOST_LINES = 2
# What is chosen and not typed, and what a button says that does what was chosen.
_CHOSEN_KINDS = frozenset({"select", "checkbox", "radio", "range", "listbox"})
_CHOOSING_VERBS = word_set(
    """submit ok go apply set save update change filter show view select choose confirm send switch
    load run execute continue next start add search find sort order move assign accept agree sign
    buy book vote answer check finish done create generate calculate convert play log sign_in"""
)


def loose_groups(
    loose: Iterable[Node], lists: Sequence[Node], listed: Sequence[Node]
) -> list[tuple[Node, list[Node]]]:
    """Put fields without a form together with the closest button: what holds them, and them all."""
    holders: dict[Node, list[Node]] = {}
    shared = _shared_holders(loose)
    for node in loose:
        if node.hidden or is_disclosure_checkbox(node):
            continue
        holder = _common_container(node, lists, listed)
        holder = shared.get(node.ref, holder) if holder is node else holder
        holders.setdefault(holder, []).append(node)
    return [(holder, _with_buttons(holder, nodes)) for holder, nodes in holders.items()]


def _with_buttons(holder: Node, nodes: list[Node]) -> list[Node]:
    if holder in nodes:
        return nodes
    commits = [n for n in _commits(holder) if not n.form and not _turns_pages(n, nodes)]
    return [*nodes, *_commits_after(nodes, _after_lines(nodes, commits))]


def _is_chosen(node: Node) -> bool:
    """Whether it is chosen from; a box that opens a list is, if nothing can be typed into it."""
    kind = kind_of(node)
    return kind in _CHOSEN_KINDS or (kind == "combobox" and node.tag not in ("input", "textarea"))


def _after_lines(fields: Sequence[Node], buttons: list[Node]) -> list[Node]:
    """Leave out what stands before one or two fields: in a bar, it is something else."""
    if len(fields) > _MOST_LINES or all(map(_is_chosen, fields)):
        return buttons
    return [each for each in buttons if each.place > fields[0].place]


def _shared_holders(loose: Iterable[Node]) -> dict[int, Node]:
    """Return what holds the ticks of one name together, by each of them."""
    named: dict[str, list[Node]] = {}
    for node in loose:
        if kind_of(node) in ("checkbox", "radio") and node.get("name") and not node.hidden:
            named.setdefault(node.get("name"), []).append(node)
    found: dict[int, Node] = {}
    for alike in named.values():
        around = [each for each in alike[0].near(4) if all(n.within(each) for n in alike)]
        if len(alike) > 1 and around:
            found |= {node.ref: alike[0] for node in alike}
    return found


def _turns_pages(button: Node, fields: Sequence[Node]) -> bool:
    """Whether beside the choice of how many are shown a button turns pages."""
    said = button.name.lower()
    if len(fields) != 1 or not (lexicon.NEXT.search(said) or lexicon.PREVIOUS.search(said)):
        return False
    shown = [text for text, _, state in fields[0].options if "c" in state]
    return any(text.strip().isdecimal() for text in (*shown, *_texts(fields[0]), fields[0].name))


def _texts(node: Node) -> list[str]:
    return [part for part in node.parts if isinstance(part, str)]


def _commits_after(fields: Sequence[Node], buttons: list[Node]) -> list[Node]:
    """Return the buttons that end a group of fields.

    What only chooses works by itself, unless a button after it does what was chosen.
    """
    if not all(map(_is_chosen, fields)):
        return buttons
    after = [each for each in buttons if each.place > fields[0].place]
    told = [each for each in after if _does_what_is_chosen(each)]
    if told or len(after) != 1:
        return told
    return [each for each in after if not action_of(each.name)]


def _does_what_is_chosen(button: Node) -> bool:
    verb = action_of(button.name).partition("_")[0] or (words.words(button.name) or [""])[0]
    return verb in _CHOOSING_VERBS or lexicon.SEARCH.search(button.name.lower())


def _commits(place: Node) -> list[Node]:
    """Return what may end a group of fields: buttons, or else what is pressed and says so."""
    found = [n for n in place.usable() if is_commit_button(n) and not n.hidden]
    return found or [
        n
        for n in place.walk()
        if n.role == "generic" and not n.hidden and not n.children and action_of(n.name)
    ]


def _common_container(node: Node, lists: Sequence[Node], listed: Sequence[Node]) -> Node:
    """Climb to the first place that has a button and not too many fields."""
    at = node
    for around in node.near(MOST_LEVELS):
        inside = around.usable()
        if around.tag == "#document" or sum(bool(kind_of(n)) for n in inside) > MOST_GROUP_FIELDS:
            break
        if any(each.within(around) for each in lists):
            break
        if _commits(around):
            return around
        entry = around.role in ("row", "listitem")
        if entry and not any(around.within(each) for each in listed):
            continue
        if around.role in _STOPS:
            return around if around.role in ("dialog", "alertdialog") else at
    return at if kind_of(node) else node
