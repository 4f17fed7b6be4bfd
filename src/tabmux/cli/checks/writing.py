"""Writing: what keeps tabmux from writing into a folder, and what to do about it."""

from __future__ import annotations

import os
from pathlib import Path

_OWN_HOME = "set HOME to a folder of your own"
# A new profile of Chromium 156 has seven after the first page.
_LEAST_MEGABYTES = 20
_MEGABYTE = 1 << 20


def writing_trouble(folder: Path) -> tuple[str, str] | None:
    """Say what is wrong with a folder, or with what it would be made in, and how to mend it."""
    there = next(each for each in (folder, *folder.parents) if os.path.lexists(each))
    if not there.is_dir():
        return f"{there} is not a folder.", f"Remove it, or {_OWN_HOME}."
    disk = os.statvfs(there)
    if disk.f_flag & os.ST_RDONLY:
        return f"{there} is on a disk that is read-only.", f"Make it writable, or {_OWN_HOME}."
    if not os.access(there, os.W_OK | os.X_OK):
        fix = f"Make it a folder of yours: sudo chown -R {os.geteuid()} {there}"
        return f"{there} cannot be written to.", fix
    left = disk.f_bavail * disk.f_frsize // _MEGABYTE
    if disk.f_blocks and left < _LEAST_MEGABYTES:  # some systems do not tell the size
        return f"The disk of {there} has {left} MB left.", f"Free some room, or {_OWN_HOME}."
    return None
