"""Diff: what changed between two snapshots of a page, in as few lines as possible."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import Match, SequenceMatcher
from itertools import accumulate

BUDGET = 2000
NOTHING = "Nothing visible changed."
_UID = re.compile(r"\s*uid=(\S+)")
_COMBOBOX = re.compile(r"~ uid=\S+ combobox .*value=")
_OPTION = re.compile(r"~ uid=\S+ option ")
# Of more lines than this only their number is told.
MOST_LINES = 3000
# How many pairs of lines are compared to find which stand for each other, about 5 ms. Ordinary
# pages need a fraction of it; pages of equal lines would need the cube of their number.
MOST_PAIRS = 60_000
# How much of two texts is compared at once.
_STRETCH = 1 << 16


def diff(before: str, after: str, budget: int = BUDGET) -> str:
    """Return added (+), removed (-) and changed (~) lines, whole lines within a budget."""
    if before == after:
        return NOTHING
    old, new = _without_common_ends(before, after)
    if max(len(old), len(new)) > MOST_LINES:
        return f"{len(new)} lines are shown where there were {len(old)}; take a snapshot."
    lines = list(_without_known_options(_changes(old, new)))
    return _within_budget(lines, budget)


def _without_common_ends(before: str, after: str) -> tuple[list[str], list[str]]:
    """Return the lines of both but those that they have in common at the beginning and the end.

    The texts are compared, not their lines, which are a hundred times as slow on a large page.
    """
    old, new = f"\n{before}\n", f"\n{after}\n"
    most = min(len(old), len(new))
    same = _equal_length(lambda a, b: old[a:b] == new[a:b], most)
    start = old.rfind("\n", 0, same)
    m, n = len(old), len(new)
    end = _equal_length(lambda a, b: old[m - b : m - a] == new[n - b : n - a], most - start)
    return _lines(old, start, end), _lines(new, start, end)


def _equal_length(equal: Callable[[int, int], bool], most: int) -> int:
    """Return how far two texts are equal, from one of their ends."""
    known = 0
    while known < most and equal(known, min(known + _STRETCH, most)):
        known = min(known + _STRETCH, most)
    low, high = known, min(known + _STRETCH, most)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if equal(known, middle) else (low, middle - 1)
    return low


def _lines(text: str, start: int, end: int) -> list[str]:
    """Return the lines after the break at `start`, without those in the last `end` letters."""
    stop = text.find("\n", len(text) - end)
    return text[start + 1 : stop].split("\n") if stop > start else []


def _changes(old: list[str], new: list[str]) -> Iterator[str]:
    known = {uid: line for line in old if (uid := _uid(line))}
    kept = {uid for line in new if (uid := _uid(line))}
    for removed, added in _changed_blocks(old, new):
        yield from _removed_lines(removed, kept)
        yield from _added_lines(added, known)


def _changed_blocks(old: list[str], new: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Return stretches that differ, before and after."""
    before, after = [line.strip() for line in old], [line.strip() for line in new]
    try:
        changes = _LineMatcher(before, after).get_opcodes()
    except _TooManyPairs:
        yield from ((block, []) for block in _blocks_missing(after, old, before))
        yield from (([], block) for block in _blocks_missing(before, new, after))
        return
    for kind, start, stop, first, last in changes:
        if kind != "equal":
            yield old[start:stop], new[first:last]


class _TooManyPairs(Exception):
    """The comparison would take too long."""


class _LineMatcher(SequenceMatcher[str]):
    """Finds which lines stand for each other, and gives up where that takes too long."""

    def __init__(self, old: list[str], new: list[str]) -> None:
        super().__init__(None, old, new, autojunk=False)
        equal = Counter(new)
        self._pairs = [0, *accumulate(1 + equal[line] for line in old)]
        self._left = MOST_PAIRS

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> Match:
        """Return it as the base class does, and count what that takes."""
        self._left -= self._pairs[-1 if ahi is None else ahi] - self._pairs[alo]
        if self._left < 0:
            raise _TooManyPairs
        return super().find_longest_match(alo, ahi, blo, bhi)


def _blocks_missing(there: list[str], lines: list[str], texts: list[str]) -> Iterator[list[str]]:
    """Return lines that are not there, or not as often; those that stand together as one."""
    left, block = Counter(there), list[str]()
    for line, text in zip(lines, texts, strict=True):
        if left[text] <= 0:
            block.append(line)
            continue
        left[text] -= 1
        if block:
            yield block
            block = []
    if block:
        yield block


def _without_known_options(lines: Iterable[str]) -> Iterator[str]:
    """Leave out the options of a combobox, whose line says already which one is chosen."""
    chosen = False
    for line in lines:
        if chosen and _OPTION.match(line):
            continue
        chosen = _COMBOBOX.match(line) is not None
        yield line


def _removed_lines(lines: Sequence[str], kept: set[str]) -> Iterator[str]:
    for line in lines:
        if _uid(line) not in kept:
            yield f"- {line.strip()}"


def _added_lines(lines: Sequence[str], known: dict[str, str]) -> Iterator[str]:
    """Return what is new with its depth, so that it shows what belongs to what."""
    depth = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    for line in lines:
        before = known.get(_uid(line) or "")
        if before is None:
            yield f"+ {line[depth:]}"
        elif before.strip() != line.strip():
            yield f"~ {line.strip()}"


def _uid(line: str) -> str | None:
    found = _UID.match(line)
    return found[1] if found else None


def _within_budget(lines: list[str], budget: int) -> str:
    if not lines:
        return NOTHING
    text, shown = "", 0
    for line in lines:
        if len(text) + len(line) > budget and shown:
            break
        text += f"\n{line}"
        shown += 1
    left = len(lines) - shown
    more = f"\n… {left} more changed lines; take a snapshot to see them." if left else ""
    return f"Changes ({len(lines)}):{text}{more}"
