"""Token file: the token of HTTP clients, made once, readable by its owner alone."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from tabmux.errors import Misuse
from tabmux.folders import config_folder, make_private


def token_file() -> Path:
    """Return where the token is kept."""
    return Path(config_folder()) / "token"


def read_or_make(file: Path) -> str:
    """Return the token, and make one at the first start."""
    try:
        return _read(file)
    except FileNotFoundError:
        make_private(file.parent)
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        return _read(file)  # another server was quicker
    with os.fdopen(descriptor, "w", encoding="utf-8") as handle:
        handle.write(secrets.token_urlsafe(32) + "\n")
    return _read(file)


def _read(file: Path) -> str:
    descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW)
    with os.fdopen(descriptor, encoding="utf-8") as handle:
        if os.fstat(handle.fileno()).st_mode & 0o077:
            raise Misuse(
                f"Others can read the token in {file}.", hint=f"Run chmod 600 {file}, or delete it."
            )
        token = handle.read().strip()
    if len(token) < 20:
        raise Misuse(f"The token in {file} is too short.", hint="Delete the file to get a new one.")
    return token
