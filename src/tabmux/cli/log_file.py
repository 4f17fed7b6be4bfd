"""Log file: where the daemon writes down what happens, and its last lines."""

from __future__ import annotations

import os
from collections import deque
from pathlib import Path
from typing import BinaryIO

from tabmux.folders import daemon_lock, daemon_log
from tabmux.settings import resolve_settings


def log_file() -> Path:
    """Return the log that the daemon's lock names; else the one that the settings name."""
    try:
        lines = Path(daemon_lock()).read_bytes().splitlines()
    except OSError:
        lines = []
    if len(lines) > 1:
        return Path(os.fsdecode(lines[1]))
    return Path(resolve_settings({}).log_file or daemon_log())


def last_lines(file: Path, count: int, handle: BinaryIO | None) -> list[bytes]:
    """Return the last lines, also those that were rotated away: file.1 holds the ones before.

    Args:
        file: The log.
        count: How many lines.
        handle: The log, opened, if it is there; it stands behind the last line afterwards.
    """
    found = list(deque(handle, count)) if handle is not None else []
    number = 1
    while len(found) < count and (older := opened(file.with_name(f"{file.name}.{number}"))):
        with older:
            found = [*deque(older, count - len(found)), *found]
        number += 1
    return found


def opened(file: Path) -> BinaryIO | None:
    """Open a log, if it is there."""
    try:
        return file.open("rb")
    except FileNotFoundError:
        return None
