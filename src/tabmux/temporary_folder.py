"""Temporary folder: where this process keeps files that go with it, and what killed ones left."""

from __future__ import annotations

import atexit
import fcntl
import logging
import os
import shutil
import stat
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

logger = logging.getLogger(__name__)

PREFIX = "tabmux-files-"


class TemporaryFolder:
    """A folder of this process, made when it is first needed.

    It is locked for as long as the process lives, however that ends; so whoever comes later can
    tell what a killed one left. systemd's own cleaning leaves locked folders alone, too.
    """

    def __init__(self) -> None:
        self._making = threading.Lock()
        self._made: tuple[Path, int] | None = None

    def make(self, prefix: str) -> Path:
        """Make a folder in it that only its owner can read."""
        with self._making:
            if self._made is None or not self._made[0].is_dir():
                self._made = _make_locked()
                atexit.unregister(self.remove)
                atexit.register(self.remove)
            return Path(tempfile.mkdtemp(prefix=f"{prefix}-", dir=self._made[0]))

    def remove(self) -> None:
        """Delete it with all that is in it; a new one is made if it is needed again."""
        with self._making:
            made, self._made = self._made, None
        if made is not None:
            atexit.unregister(self.remove)
            _delete(*made)


def remove_abandoned() -> None:
    """Delete the folders of processes that were killed; one that somebody uses is left alone."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            if _is_own(path) and (descriptor := _lock(path)) is not None:
                logger.info("Deleting %s, which a killed tabmux left.", path)
                _delete(path, descriptor)


def _make_locked() -> tuple[Path, int]:
    while True:
        path = Path(tempfile.mkdtemp(prefix=PREFIX))
        # Somebody who cleans up may have come between.
        with suppress(FileNotFoundError):
            if (descriptor := _lock(path)) is not None:
                return path, descriptor


def _lock(path: Path) -> int | None:
    """Lock a folder; None when somebody has it, or it was deleted meanwhile."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), os.lstat(path)):
            return descriptor
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(descriptor)
    return None


def _delete(path: Path, descriptor: int) -> None:
    shutil.rmtree(path, ignore_errors=True)
    os.close(descriptor)


def _is_own(path: Path) -> bool:
    found = os.lstat(path)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()


OF_THIS_PROCESS = TemporaryFolder()
