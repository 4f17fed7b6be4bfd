"""Writes results to files, privately."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from tabmux.errors import BadArguments


async def save(path: Path, data: bytes) -> Path:
    """Write a file that only its owner can read; a link in its place is not followed."""
    await asyncio.to_thread(_write, path, data)
    return path


async def save_temporary(suffix: str, data: bytes) -> Path:
    """Write a file with a name of its own in the temporary folder."""

    def write() -> Path:
        handle, name = tempfile.mkstemp(prefix="tabmux-", suffix=suffix)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        return Path(name)

    return await asyncio.to_thread(write)


@contextmanager
def created(path: Path) -> Iterator[BinaryIO]:
    """Open a private file to be written piece by piece; what fails halfway leaves nothing."""
    file = _open(path)
    try:
        with file:
            yield file
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def with_suffix(path: Path, suffix: str) -> Path:
    """Return the path with the ending that its content has."""
    return path if path.suffix.lower() == suffix else path.with_name(path.name + suffix)


def _write(path: Path, data: bytes) -> None:
    try:
        with _open(path) as file:
            file.write(data)
    except OSError as error:
        raise BadArguments(f"Could not write {path}: {error.strerror}.") from error


def _open(path: Path) -> BinaryIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        return os.fdopen(os.open(path, flags, 0o600), "wb")
    except OSError as error:
        raise BadArguments(f"Could not write {path}: {error.strerror}.") from error
