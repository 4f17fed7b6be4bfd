"""Packed file: a gzipped file that is read no further than its packed size can honestly hold."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

# Traces and heap snapshots pack to a fifth or a thirtieth; one byte can unpack to a thousand.
MOST_TIMES = 100
ALWAYS_ALLOWED = 256 << 20


def most_unpacked(packed: int, always: int = ALWAYS_ALLOWED) -> int:
    """Return how many bytes a file of so many packed ones may unpack to."""
    return max(always, packed * MOST_TIMES)


class PackedFile(gzip.GzipFile):
    """A gzipped file; reading fails once it unpacks to far more than any real one would."""

    def __init__(self, path: Path, always: int = ALWAYS_ALLOWED) -> None:
        super().__init__(path, "rb")
        self._left = most_unpacked(os.path.getsize(path), always)

    def read(self, size: int | None = -1) -> bytes:
        """Read some bytes, or all."""
        wanted = self._left + 1 if size is None or size < 0 else size
        data = super().read(min(wanted, self._left + 1))
        self._left -= len(data)
        if self._left < 0:
            raise gzip.BadGzipFile(f"it unpacks to more than {MOST_TIMES} times its size")
        return data
