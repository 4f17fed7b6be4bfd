"""Saved replies: the whole text of replies that were cut, for as long as their session lasts."""

from __future__ import annotations

import asyncio
import errno
import itertools
import shutil
from collections import deque
from pathlib import Path

from tabmux.sessions.session import Session
from tabmux.temporary_folder import OF_THIS_PROCESS
from tabmux.tools.pipeline.file_access import write_new

MOST_FILES = 20
MOST_BYTES = 32 * 1024 * 1024


class SavedReplies:
    """The newest cut replies of one session; older ones make room."""

    def __init__(self, most_files: int = MOST_FILES, most_bytes: int = MOST_BYTES) -> None:
        self._most_files, self._most_bytes = most_files, most_bytes
        self._numbers = itertools.count(1)
        self._kept: deque[tuple[Path, int]] = deque()
        self._folder: Path | None = None
        self._is_over = False

    async def save(self, text: str) -> Path:
        """Write a reply to a file of its own; raises OSError where that cannot be done."""
        self._refuse_if_over()
        path, size = await asyncio.to_thread(self._write, text)
        self._refuse_if_over()
        self._kept.append((path, size))
        while len(self._kept) > 1 and self._is_full:
            self._kept.popleft()[0].unlink(missing_ok=True)
        return path

    def remove(self) -> None:
        """Delete all of them, and keep no more."""
        self._is_over = True
        self._kept.clear()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _refuse_if_over(self) -> None:
        """Raise where nobody would delete a file any more, and delete what has just come."""
        if self._is_over:
            self.remove()
            raise OSError(errno.ESTALE, "its session has ended")

    @property
    def _is_full(self) -> bool:
        size = sum(size for _, size in self._kept)
        return len(self._kept) > self._most_files or size > self._most_bytes

    def _write(self, text: str) -> tuple[Path, int]:
        data = text.encode(errors="replace")
        if self._folder is None or not self._folder.is_dir():
            self._folder = OF_THIS_PROCESS.make("replies")
        return write_new(self._folder / f"{next(self._numbers)}.txt", data), len(data)


class RepliesOfSessions:
    """The saved replies of all sessions; those of a session that ends are deleted."""

    def __init__(self) -> None:
        self._replies: dict[str, SavedReplies] = {}

    def __len__(self) -> int:
        return len(self._replies)

    def of(self, session: Session) -> SavedReplies:
        """Return where the replies of a session are saved; a call may outlast its session."""
        handle = session.handle
        if (known := self._replies.get(handle)) is not None:
            return known
        made = SavedReplies()
        if session.ended:
            made.remove()
            return made
        self._replies[handle] = made
        session.on_closed(lambda: self._replies.pop(handle).remove())
        return made
