"""Pruning: removes runs that are too old, and the oldest of those that take too much room."""

from __future__ import annotations

import os
import time
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from tabmux.record.run_files import HEAD_SUFFIX, SUFFIX, summary

DAY = 86_400.0
MEGABYTE = 1_000_000
# A picture that is named again is touched, unless that was done so shortly before.
UNTOUCHED_SECONDS = 1800.0


@dataclass(frozen=True)
class Limits:
    """How much of the record is kept."""

    days: float = 7
    megabytes: float = 500


@dataclass(frozen=True)
class PrunedFiles:
    """What was removed: how many runs and pictures, and how many bytes they had."""

    runs: int = 0
    pictures: int = 0
    bytes: int = 0


@dataclass(frozen=True)
class _KeptFile:
    path: Path
    changed: float
    size: int


def prune(folder: Path, limits: Limits, keep: Collection[str] = ()) -> PrunedFiles:
    """Remove what is beyond the limits; runs to `keep` stay.

    A picture is touched when an entry names it, so one that is older than the oldest run left is
    named by none.
    """
    files = sorted(_files(folder, SUFFIX), key=lambda each: each.changed)
    pictures = sorted(_files(folder / "pictures", ".webp"), key=lambda each: each.changed)
    total = sum(each.size for each in [*files, *pictures])
    too_old = time.time() - limits.days * DAY
    gone = list[_KeptFile]()
    for each in [file for file in files if file.path.stem not in keep]:
        if each.changed >= too_old and total <= limits.megabytes * MEGABYTE:
            break
        gone.append(each)
        total -= each.size
        files.remove(each)
        oldest = min(map(_began, files), default=time.time()) - UNTOUCHED_SECONDS
        while pictures and pictures[0].changed < oldest:
            total -= pictures[0].size
            gone.append(pictures.pop(0))
    for each in gone:
        each.path.unlink(missing_ok=True)
        each.path.with_suffix(HEAD_SUFFIX).unlink(missing_ok=True)
    removed = sum(each.path.suffix == SUFFIX for each in gone)
    return PrunedFiles(removed, len(gone) - removed, sum(each.size for each in gone))


def _began(file: _KeptFile) -> float:
    about = summary(file.path)
    return about.started if about is not None else file.changed


def _files(folder: Path, suffix: str) -> list[_KeptFile]:
    found = []
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return []
    for each in entries:
        if each.name.endswith(suffix):
            try:
                about = each.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            found.append(_KeptFile(Path(each.path), about.st_mtime, about.st_size))
    return found
