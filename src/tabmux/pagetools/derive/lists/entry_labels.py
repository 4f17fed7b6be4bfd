"""Entry labels: what the controls of entries are called, without what tells the entries apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set

from tabmux.pagetools.collect.document_tree import Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.fields import kind_of
from tabmux.pagetools.derive.form_controls import is_button
from tabmux.pagetools.derive.lists.entry_words import CHANGING_VERBS
from tabmux.pagetools.language import words
from tabmux.pagetools.language.verbs_and_nouns import action_of
from tabmux.pagetools.language.words import word_set

# A word that the controls of so many entries say is theirs, and not the entry's.
_SHARED = 0.6
# What is left over at the end when the name of the entry is taken away.
_LINKING = word_set(
    """of for from by to in on at with and the a an no nr number von vom für zu bei mit der die das
    de du des pour par la le les del para por con el dello di da per il van voor door av af til med
    z do dla o na"""
)
_MARKS = re.compile(r"[\s:;,.\"'«»„“”‘’()\[\]#–—-]+")
_FEWEST, _SAMPLE = 2, 20


def shared_labels(entries: Sequence[Node]) -> dict[int, str]:
    """Return what controls say in all entries, where they say the name of their entry, too.

    "Delete report 7" is called "Delete report" where the entry says that it is number 7.
    """
    verbs = verbs_of_links(entries)
    controls = {entry.ref: _controls(entry, verbs) for entry in entries}
    if not _differ(list(controls.values())):
        return {}
    names = Counter(name for each in controls.values() for name in {node.name for node in each})
    counts = Counter(
        word
        for each in controls.values()
        for word in {word for node in each for word in words.words(node.name)}
    )
    shared = {word for word, count in counts.items() if count >= max(2, _SHARED * len(entries))}
    found: dict[int, str] = {}
    for entry in entries:
        alone = [node for node in controls[entry.ref] if names[node.name] == 1]
        own = words.words(_without_controls(entry, controls[entry.ref])) if alone else []
        for node in alone:
            label = _without(node.name, own, shared, entry)
            if label and label != node.name:
                found[node.ref] = label
    return found


def _without_controls(entry: Node, controls: Sequence[Node]) -> str:
    acting = {node.ref for node in controls}
    return landmarks.text_of(entry, 300, lambda n: _is_control(n) or n.ref in acting)


def call_by_shared_labels(entries: Sequence[Node]) -> None:
    """Call the controls of entries by what they say in all of them."""
    labels = shared_labels([entry for entry in entries if not entry.brief])
    for entry in entries if labels else ():
        for node in entry.walk():
            node.name = labels.get(node.ref, node.name)


def _controls(entry: Node, verbs: Set[str]) -> list[Node]:
    return [
        n
        for n in entry.usable()
        if n is not entry and n.name and (_is_control(n) or verb_of(n) in verbs)
    ]


def verbs_of_links(entries: Sequence[Node]) -> set[str]:
    """Return the verbs that links of most entries begin with, to do something with the entry."""
    some = entries[:_SAMPLE]
    links = {entry.ref: [(verb_of(n), n) for n in entry.links() if n.name] for entry in some}
    if not any(verb for found in links.values() for verb, _ in found):
        return set()
    names = Counter(name for found in links.values() for name in {n.name for _, n in found})
    said = Counter(
        verb
        for entry in some
        for verb in {
            verb
            for verb, link in links[entry.ref]
            if verb and (names[link.name] > 1 or _speaks_of_entry(link, entry))
        }
    )
    return {verb for verb, count in said.items() if count >= _SHARED * len(some) > 1}


def _speaks_of_entry(link: Node, entry: Node) -> bool:
    """Whether a link says a verb and what its entry says elsewhere: else it is a title."""
    rest = words.words(link.name)[1:]
    beside = words.words(landmarks.text_of(entry, 300, lambda n: n is link))
    return bool(rest) and sum(word in beside for word in rest) >= _SHARED * len(rest)


def verb_of(link: Node) -> str:
    """Return the verb of a link that may do something with what it stands in; no title has one."""
    verb = action_of(link.name).partition("_")[0] if link.role == "link" else ""
    if verb not in CHANGING_VERBS or any(each.is_heading for each in link.near(1)):
        return ""
    return verb


def _is_control(node: Node) -> bool:
    return is_button(node) or bool(kind_of(node))


def _differ(groups: Sequence[Sequence[Node]]) -> bool:
    """Whether controls are called in another way in one entry than in the other."""
    said = [{node.name for node in found} for found in groups]
    return len(groups) >= _FEWEST and any(each != said[0] for each in said)


def _without(name: str, own: Sequence[str], shared: Set[str], entry: Node) -> str:
    """Return a name without the words of its entry; nothing if it says none of them."""
    if not words.words(name):
        return _without_text(name, entry)
    said = [part for part in _MARKS.split(name) if part]
    spoken = ["_".join(words.words(part)) for part in said]
    telling = [each in own and each not in shared for each in spoken]
    if not any(telling):
        return ""
    start, end = _longest_part(spoken, telling, " ".join(own))
    kept = said[:start] + said[end:]
    if not kept:  # the entry says it all: what the others say, too, is left
        kept = [part for part, tells in zip(said, telling, strict=True) if not tells]
    while kept and words.slug(kept[-1]) in _LINKING:
        kept.pop()
    while kept and words.slug(kept[0]) in _LINKING:
        kept.pop(0)
    return " ".join(kept)


def _longest_part(spoken: Sequence[str], telling: Sequence[bool], own: str) -> tuple[int, int]:
    """Return where the longest row of words stands that an entry says, too, and that tells it."""
    padded = f" {own} "
    spans = [
        (start, end)
        for start in range(len(spoken))
        for end in range(start + 1, len(spoken) + 1)
        if any(telling[start:end]) and f" {' '.join(spoken[start:end])} " in padded
    ]
    return max(spans, key=lambda span: span[1] - span[0], default=(0, 0))


def _without_text(name: str, entry: Node) -> str:
    """Return a name in letters that are no Latin ones without what the entry is called."""
    for link in entry.links():
        if link.name and link.name in name:
            return name.replace(link.name, " ").strip(" :：「」『』")
    return ""
