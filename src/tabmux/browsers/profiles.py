"""Folders in which browsers keep what they know of their user."""

from __future__ import annotations

import os
import re
import socket
from pathlib import Path

import platformdirs
import psutil

from tabmux.errors import BrowserTrouble, Misuse

DEFAULT = "default"
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}")


def profiles_folder() -> Path:
    """Return where named profiles are kept."""
    return Path(platformdirs.user_data_dir("tabmux")) / "profiles"


def profile_folder(name: str = DEFAULT) -> Path:
    """Return the folder of a named profile, and make it when it is new."""
    if not _NAME.fullmatch(name):
        raise Misuse(
            f"{name!r} cannot be the name of a profile.",
            hint="Use letters, digits, dots, dashes and underscores.",
        )
    folder = profiles_folder() / name
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def refuse_if_in_use(folder: Path) -> None:
    """Fail when a running browser holds the profile: a second one would hand over and exit."""
    holder = _holder(folder)
    if holder is not None:
        raise BrowserTrouble(
            f"The profile {folder} is in use by {holder}.",
            hint="Close that browser, use --isolated, or name another --user-data-dir.",
            code="profile_in_use",
        )


def _holder(folder: Path) -> str | None:
    # Chrome on Linux and macOS keeps a link named SingletonLock that points to host-pid.
    try:
        host, _, number = os.readlink(folder / "SingletonLock").rpartition("-")
        pid = int(number)
    except (OSError, ValueError):
        return None
    if host != socket.gethostname():
        return f"process {pid} on {host}"
    if not psutil.pid_exists(pid):
        return None
    try:
        return f"{psutil.Process(pid).name()} (process {pid})"
    except psutil.Error:
        return f"process {pid}"
