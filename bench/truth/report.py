"""Report: the counts as a table with what is aimed at, and the misses as lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bench.truth.tally import Tally

Rows = list[tuple[str, str, str]]
UNTRUE = ("wrong Clicked", "wrong Filled")


def is_untrue(tally: Tally) -> bool:
    """Whether anything was reported that did not happen."""
    return any(tally.counts[name] for name in UNTRUE)


def table(tallies: Mapping[str, Tally], half: str) -> str:
    """All rows, by kind of pages: measured, now, aim."""
    lines = [f"{half} half", f"{'measured':<58}{'now':<30}aim"]
    for kind, tally in tallies.items():
        lines += [
            f"{kind}: {name:<{56 - len(kind)}}{now:<30}{aim}" for name, now, aim in _rows(tally)
        ]
    return "\n".join(lines) + "\n"


def misses(tallies: Mapping[str, Tally]) -> str:
    """Everything that was not as it should be."""
    return "".join(f"{kind} {miss}\n" for kind, tally in tallies.items() for miss in tally.misses)


def _rows(tally: Tally) -> Rows:
    rows: Rows = []
    for measured, make in _SECTIONS.items():
        if tally.counts[measured]:
            rows += make(tally)
    return rows + _plain(
        tally, ("pages broken off", "out of time", "controls that could not be watched")
    )


def _sight(tally: Tally) -> Rows:
    count = tally.counts
    equal = count["elements"] - count["elements that differ"]
    cut = count["controls of cut pages"]
    return [
        ("elements equal to Chrome's", _share(equal, count["elements"]), "≥ 98 %"),
        ("controls lost", str(count["controls lost"]), "0"),
        ("find on plain text gives a uid",
         _share(count["texts found with a uid"], count["texts looked for"]), "all"),
        (f"controls shown on {count['pages cut']} of {count['pages']} pages that are cut",
         _share(count["controls of cut pages shown"], cut), "≥ 95 %"),
        ("the same, by role and name",
         _share(count["names of controls of cut pages shown"],
                count["names of controls of cut pages"]), ""),
    ]  # fmt: skip


def _opened(tally: Tally) -> Rows:
    count = tally.counts
    equal = count["opened: elements"] - count["opened: elements that differ"]
    return [
        ("elements equal to Chrome's, after a click", _share(equal, count["opened: elements"]),
         "≥ 98 %"),
        ("controls lost, after a click", str(count["opened: controls lost"]), "0"),
    ]  # fmt: skip


def _clicks(tally: Tally) -> Rows:
    count = tally.counts
    possible = count["clicks"] - count["right refusals"]
    watched = count["actions watched"]
    return [
        ("clicks that reach the control", _share(count["hits"], possible), "≥ 97.5 %"),
        *_plain(tally, ("right refusals", "wrong refusals", "clicks told to be otherwise")),
        ("wrong Clicked", str(count["wrong Clicked"]), "0"),
        ("changes within 300 ms that the reply misses",
         f"{count['changes missed']} of {watched}", "≤ 1.7 %"),
        *_plain(tally, ("changes untold",)),
    ]  # fmt: skip


def _fills(tally: Tally) -> Rows:
    return [
        ("fills that are right", _share(tally.counts["fills right"], tally.counts["fills"]), "all"),
        *_plain(tally, ("fills refused", "fills told to be otherwise")),
        ("wrong Filled", str(tally.counts["wrong Filled"]), "0"),
    ]


def _size(tally: Tally) -> Rows:
    count, theirs = tally.counts, tally.counts["peer's characters"]
    return [
        ("characters against the peer", f"{count['compared characters'] / theirs:.2f}", "≤ 0.5"),
        ("the same, as replies", f"{count['compared reply characters'] / theirs:.2f}", ""),
    ]


def _plain(tally: Tally, names: tuple[str, ...]) -> Rows:
    return [(name, str(tally.counts[name]), "") for name in names if tally.counts[name]]


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole}, {100 * part / whole:.2f} %" if whole else "none"


_SECTIONS: Mapping[str, Callable[[Tally], Rows]] = {
    "elements": _sight,
    "opened: elements": _opened,
    "clicks": _clicks,
    "fills": _fills,
    "peer's characters": _size,
}
