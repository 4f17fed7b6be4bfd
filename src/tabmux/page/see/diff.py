"""Diff: what changed between two snapshots of a page, in as few lines as possible."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

BUDGET = 2000
NOTHING = "Nothing visible changed."
_UID = re.compile(r"\s*uid=(\S+)")
_COMBOBOX = re.compile(r"~ uid=\S+ combobox .*value=")
_OPTION = re.compile(r"~ uid=\S+ option ")
# Comparing line by line costs the square of their number; beyond this a count must do.
MOST_LINES = 3000


def diff(before: str, after: str, budget: int = BUDGET) -> str:
    """Return added (+), removed (-) and changed (~) lines, whole lines within a budget."""
    if before == after:
        return NOTHING
    old, new = _without_common_ends(before.split("\n"), after.split("\n"))
    if max(len(old), len(new)) > MOST_LINES:
        return f"{len(new)} lines are shown where there were {len(old)}; take a snapshot."
    lines = list(_without_known_options(_changes(old, new)))
    return _within_budget(lines, budget)


def _without_common_ends(old: list[str], new: list[str]) -> tuple[list[str], list[str]]:
    """Cut off what both have in common at the beginning and at the end."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return old[start : len(old) - end], new[start : len(new) - end]


def _changes(old: list[str], new: list[str]) -> Iterator[str]:
    known = {uid: line for line in old if (uid := _uid(line))}
    kept = {uid for line in new if (uid := _uid(line))}
    matcher = SequenceMatcher(None, [x.strip() for x in old], [x.strip() for x in new], False)
    for kind, start, stop, first, last in matcher.get_opcodes():
        if kind == "equal":
            continue
        yield from _removed_lines(old[start:stop], kept)
        yield from _added_lines(new[first:last], known)


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
