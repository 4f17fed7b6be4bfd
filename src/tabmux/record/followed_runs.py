"""Followed runs: reads what is written to all runs from now on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tabmux.json_text import decoded
from tabmux.record.call_entry import CallEntry
from tabmux.record.run_files import LONGEST_LINE, SUFFIX


class FollowedRuns:
    """The runs of a folder, as far as they were read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read = dict(self._sizes())

    def news(self) -> list[CallEntry]:
        """Return the calls that were written since the last look, in the order of their time."""
        found = list[CallEntry]()
        for file, size in self._sizes():
            if size < self._read.get(file, 0):
                # It was removed, and is made anew.
                del self._read[file]
            if size > self._read.get(file, 0):
                with suppress(FileNotFoundError):
                    found += self._new_entries(file)
        return sorted(found, key=lambda entry: entry.time)

    def _new_entries(self, file: Path) -> Iterator[CallEntry]:
        with file.open("rb") as opened:
            opened.seek(self._read.get(file, 0))
            while (line := opened.readline(LONGEST_LINE)).endswith(b"\n"):
                self._read[file] = opened.tell()
                try:
                    value = decoded(line, largest=LONGEST_LINE)
                    if "tool" in value:
                        yield CallEntry.of_json(value)
                except (ValueError, TypeError):
                    continue

    def _sizes(self) -> Iterator[tuple[Path, int]]:
        if not self._folder.is_dir():
            return
        for file in self._folder.glob(f"*{SUFFIX}"):
            try:
                yield file, file.stat().st_size
            except FileNotFoundError:
                continue
