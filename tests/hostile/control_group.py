"""Control groups: Linux's own limit of what a process and its children may have together."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

ROOT = Path("/sys/fs/cgroup")
# The file with the limit, where each controller has a tree of its own, and in the one tree.
_OLD = {"memory": "memory.limit_in_bytes", "pids": "pids.max"}
_NEW = {"memory": "memory.max", "pids": "pids.max"}


class ControlGroup:
    """A group with a limit; processes are put into it before they start."""

    def __init__(self, folder: Path, limit: Path) -> None:
        self._folder, self._limit = folder, limit

    def limit(self, most: int | str) -> None:
        """Set how much its processes may have."""
        self._limit.write_text(str(most))

    def enter(self) -> None:
        """Put this process into the group; what it starts is in it, too."""
        (self._folder / "cgroup.procs").write_text(str(os.getpid()))

    @property
    def entrance(self) -> str:
        """A line of shell that does the same."""
        return f"echo $$ > {self._folder}/cgroup.procs"


@contextmanager
def control_group(controller: str, most: int) -> Iterator[ControlGroup]:
    """Make a group for the length of the block; the test is skipped where nobody lets us."""
    for parent, names in ((ROOT / controller, _OLD), (ROOT, _NEW)):
        folder = parent / f"tabmux-hostile-{os.getpid()}"
        group = ControlGroup(folder, folder / names[controller])
        try:
            folder.mkdir()
            group.limit(most)
        except OSError:
            with suppress(OSError):
                folder.rmdir()
            continue
        try:
            yield group
        finally:
            _remove(folder)
        return
    pytest.skip(f"no control group for {controller} can be made here")


def _remove(folder: Path) -> None:
    """Remove a group once its last process has gone."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            folder.rmdir()
            return
        except OSError:
            time.sleep(0.1)
