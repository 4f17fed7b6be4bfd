"""Pruning: removes runs that are too old, and the oldest of those that take too much room."""

from __future__ import annotations

import fcntl
import itertools
import os
import time
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass
from heapq import heapify, heappop
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
    """What was removed: how many runs and pictures, and how many bytes they had.

    `written` is how many runs were left because somebody writes them.
    """

    runs: int = 0
    pictures: int = 0
    bytes: int = 0
    written: int = 0


@dataclass(frozen=True)
class _KeptFile:
    path: Path
    changed: float
    size: int


def prune(folder: Path, limits: Limits, keep: Collection[str] = ()) -> PrunedFiles:
    """Remove what is beyond the limits; runs to `keep` stay, and those that somebody writes."""
    return _Pruning(folder, limits).run(keep)


class _Pruning:
    """Removes the oldest runs first, and with them the pictures that none of the others names."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._runs = sorted(_files(folder, SUFFIX), key=_changed)
        self._pictures = deque(sorted(_files(folder / "pictures", ".webp"), key=_changed))
        self._total = sum(each.size for each in [*self._runs, *self._pictures])
        self._too_old = time.time() - limits.days * DAY
        self._most = limits.megabytes * MEGABYTE
        self._gone = set[Path]()
        # When the runs began; where there is no picture, nobody asks.
        self._began = [(_began(each), each.path) for each in self._runs if self._pictures]
        heapify(self._began)

    def run(self, keep: Collection[str]) -> PrunedFiles:
        """Remove, and tell what."""
        before, written = self._total, 0
        pictures = self._remove_pictures()
        for each in itertools.takewhile(self._is_beyond, self._runs):
            if each.path.stem in keep or not _removed(each.path):
                written += 1
                continue
            self._gone.add(each.path)
            self._total -= each.size
            pictures += self._remove_pictures()
        return PrunedFiles(len(self._gone), pictures, before - self._total, written)

    def _is_beyond(self, file: _KeptFile) -> bool:
        return file.changed < self._too_old or self._total > self._most

    def _remove_pictures(self) -> int:
        """Remove those that no run names; returns how many.

        A picture is touched when an entry names it, so one that is older than the oldest run left
        is named by none.
        """
        while self._began and self._began[0][1] in self._gone:
            heappop(self._began)
        oldest = self._began[0][0] if self._began else time.time()
        count = 0
        while self._pictures and (
            self._pictures[0].changed < oldest - UNTOUCHED_SECONDS
            or (not self._began and self._is_beyond(self._pictures[0]))
        ):
            picture = self._pictures.popleft()
            picture.path.unlink(missing_ok=True)
            self._total -= picture.size
            count += 1
        return count


def _removed(run: Path) -> bool:
    """Remove the files of a run, unless somebody writes it."""
    try:
        opened = run.open("rb")
    except FileNotFoundError:
        return True
    with opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass  # some network folders know no locks
        # Who sees that the run has gone makes both anew.
        run.with_suffix(HEAD_SUFFIX).unlink(missing_ok=True)
        run.unlink(missing_ok=True)
    return True


def _changed(file: _KeptFile) -> float:
    return file.changed


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
