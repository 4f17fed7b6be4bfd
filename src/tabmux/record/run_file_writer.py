"""Run file writer: appends lines to the file of one run, and keeps its head."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from tabmux.folders import make_private
from tabmux.record.hash_chain import ChainEnd
from tabmux.record.run_files import head_file, run_file


class RunFileWriter:
    """The file of one run; it is opened when a line is written, and locked while it is open.

    A line is in the file whole, or not at all unless its writer is killed meanwhile.

    Args:
        folder: Where the runs are.
        run: The name of the run.
        about: What its first line says.
    """

    def __init__(self, folder: Path, run: str, about: Mapping[str, Any]) -> None:
        self._file, self._head = run_file(folder, run), head_file(folder, run)
        self._about = {"run": about}
        self._end, self._lost = ChainEnd(), 0
        self._lines_fd = self._head_fd = -1
        self.size = 0

    def write(self, value: Mapping[str, Any]) -> int:
        """Append a line; returns its length, or raises OSError and leaves the file as it was."""
        try:
            self._open()
            if not self._end.lines:
                self._append(self._about)
            if self._lost:
                self._append({"lost": self._lost})
                self._lost = 0
            return self._append(value)
        except OSError:
            self._lost += 1
            raise

    def close(self) -> None:
        """Close the files; the next line opens them again."""
        for each in (self._lines_fd, self._head_fd):
            if each >= 0:
                os.close(each)
        self._lines_fd = self._head_fd = -1

    def _open(self) -> None:
        if self._lines_fd >= 0 and not os.fstat(self._lines_fd).st_nlink:
            # Somebody has removed the file.
            self.close()
        if self._lines_fd < 0:
            make_private(self._file.parent)
            self._lines_fd = os.open(self._file, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
            with suppress(OSError):
                # Pruning leaves what is locked. Some network folders know no locks.
                fcntl.flock(self._lines_fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
            if not os.fstat(self._lines_fd).st_size:
                self._end, self.size = ChainEnd(), 0
        if self._head_fd < 0:
            self._head_fd = os.open(self._head, os.O_CREAT | os.O_WRONLY, 0o600)

    def _append(self, value: Mapping[str, Any]) -> int:
        line = self._end.line(value)
        data = line + b"\n"
        try:
            if os.write(self._lines_fd, data) < len(data):
                raise OSError(28, "No space left on device")
        except OSError:
            os.ftruncate(self._lines_fd, self.size)
            raise
        self.size += len(data)
        self._end = self._end.after(line)
        with suppress(OSError):
            # The line is kept; the next one takes the head along.
            os.pwrite(self._head_fd, self._end.head, 0)
        return len(data)
