"""Profiles: the folders in which browsers keep what they know of their user."""

from __future__ import annotations

import os
import re
import shutil
import socket
from contextlib import suppress
from pathlib import Path

from tabmux.errors import BrowserTrouble, Misuse
from tabmux.folders import data_folder, make_private

DEFAULT = "default"
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}")


def profiles_folder() -> Path:
    """Return where named profiles are kept."""
    return Path(data_folder()) / "profiles"


def profile_folder(name: str = DEFAULT) -> Path:
    """Return the folder of a named profile, and make it when it is new."""
    if not _NAME.fullmatch(name):
        raise Misuse(
            f"{name!r} cannot be the name of a profile.",
            hint="Use letters, digits, dots, dashes and underscores.",
        )
    folder = profiles_folder() / name
    make_private(folder)
    return folder


def named_profiles() -> list[Path]:
    """Return the folders of all named profiles."""
    root = profiles_folder()
    return sorted(path for path in root.iterdir() if path.is_dir()) if root.is_dir() else []


def remove_profile(name: str) -> None:
    """Delete a named profile with everything its browser kept in it."""
    shutil.rmtree(find_removable(name))


def find_removable(name: str) -> Path:
    """Return the folder of a profile that is there and not in use."""
    folder = profiles_folder() / name
    if folder not in named_profiles():
        known = ", ".join(path.name for path in named_profiles()) or "none"
        raise Misuse(f"There is no profile {name!r}.", hint=f"There are: {known}.")
    refuse_if_in_use(folder)
    return folder


def refuse_if_in_use(folder: Path) -> None:
    """Fail when a running browser holds the profile: a second one would hand over and exit."""
    holder = holder_of(folder)
    if holder is not None:
        raise BrowserTrouble(
            f"The profile {folder} is in use by {holder}.",
            hint="Close that browser, use --isolated, or name another --user-data-dir.",
            code="profile_in_use",
        )


def holder_of(folder: Path) -> str | None:
    """Name the process that holds a profile, if one does."""
    # Chrome on Linux and macOS keeps a link named SingletonLock that points to host-pid.
    try:
        host, _, number = os.readlink(folder / "SingletonLock").rpartition("-")
        pid = int(number)
    except (OSError, ValueError):
        return None
    if host != socket.gethostname():
        return f"process {pid} on {host}"
    import psutil

    if not psutil.pid_exists(pid):
        return None
    try:
        return f"{psutil.Process(pid).name()} (process {pid})"
    except psutil.Error:
        return f"process {pid}"


def holder_process(folder: Path) -> int | None:
    """Return the process of this machine that holds a profile, if one does."""
    try:
        host, _, number = os.readlink(folder / "SingletonLock").rpartition("-")
        pid = int(number)
        os.kill(pid, 0)
    except (OSError, ValueError):
        return None
    return pid if host == socket.gethostname() else None


def remove_socket(folder: Path) -> None:
    """Delete the socket of a profile's browser, which one that was killed has left.

    It is in a folder of its own among the temporary files, where its path is short enough; the
    profile has a link to it.
    """
    with suppress(OSError):
        place = Path(os.readlink(folder / "SingletonSocket")).parent
        for name in ("SingletonSocket", "SingletonCookie"):
            (place / name).unlink(missing_ok=True)
        place.rmdir()
