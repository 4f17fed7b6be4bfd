"""File access: private files written, allowed files read, links never followed."""

from __future__ import annotations

import asyncio
import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

from tabmux.errors import BadArguments, Refused, SystemLimit
from tabmux.secrets.filled_values import FILLED, RedactedStream

MOST_BYTES = 64 * 1024 * 1024
# Files in which a text is none; what they show is seen to before they are made.
_PICTURES = frozenset({".png", ".jpeg", ".webp", ".mp4", ".pdf", ".gz"})
# A folder on the way need only be passed through, not listed.
_PASSING = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


async def save(path: Path, data: bytes) -> Path:
    """Write a file that only its owner can read; a link in its place is not followed."""
    await asyncio.to_thread(_write, path, data)
    return path


async def save_temporary(suffix: str, data: bytes) -> Path:
    """Write a file with a name of its own in the temporary folder."""

    if suffix not in _PICTURES:
        data = FILLED.data(data)

    def write() -> Path:
        name = f"tabmux-{secrets.token_hex(8)}{suffix}"
        return write_new(Path(tempfile.gettempdir(), name), data)

    return await asyncio.to_thread(write)


def write_new(path: Path, data: bytes) -> Path:
    """Write a private file that is not there yet; what fails halfway leaves nothing."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    file = os.fdopen(os.open(path, flags, 0o600), "wb")
    try:
        with file:
            file.write(data)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


async def load(path: Path) -> bytes:
    """Read an ordinary file that was found to be allowed; one that was swapped since is refused."""
    return await asyncio.to_thread(_read, path)


@contextmanager
def created(path: Path, *, picture: bool | None = None) -> Iterator[BinaryIO]:
    """Open a private file to be written piece by piece; what fails halfway leaves nothing.

    What was typed into pages for agents is taken out of it, unless it is a picture, which its
    name tells where the caller does not.

    It gets its name when it is whole. So nothing is ever written through a link, a second name
    or a device that somebody put there meanwhile.
    """
    is_picture = path.suffix.lower() in _PICTURES if picture is None else picture
    try:
        with _folder(path, make=True) as folder:
            _refuse_unless_ordinary(path, folder)
            draft = f".tabmux-{secrets.token_hex(8)}"
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            file = os.fdopen(os.open(draft, flags, 0o600, dir_fd=folder), "wb")
            try:
                with file, _without_secrets(file, is_picture) as open_file:
                    yield open_file
                os.rename(draft, path.name, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with suppress(FileNotFoundError):
                    os.unlink(draft, dir_fd=folder)
                raise
    except OSError as error:
        limit = SystemLimit.of(error, f"Could not write {path}")
        raise limit or BadArguments(f"Could not write {path}: {error.strerror}.") from error


@contextmanager
def _without_secrets(file: BinaryIO, is_picture: bool) -> Iterator[BinaryIO]:
    if is_picture or not FILLED.has_values:
        yield file
        return
    stream = RedactedStream(file.write)
    yield cast(BinaryIO, stream)
    stream.flush()


def with_suffix(path: Path, suffix: str) -> Path:
    """Return the path with the ending that its content has."""
    return path if path.suffix.lower() == suffix else path.with_name(path.name + suffix)


def _write(path: Path, data: bytes) -> None:
    with created(path) as file:
        file.write(data)


def _read(path: Path) -> bytes:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        with (
            _folder(path) as folder,
            os.fdopen(os.open(path.name, flags, dir_fd=folder), "rb") as file,
        ):
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode) or about.st_nlink > 1:
                raise Refused(f"{path} is not an ordinary file.")
            if about.st_size > MOST_BYTES:
                raise BadArguments(f"{path} is too big: {about.st_size} bytes.")
            return file.read()
    except OSError as error:
        limit = SystemLimit.of(error, f"Could not read {path}")
        raise limit or BadArguments(f"Could not read {path}: {error.strerror}.") from error


@contextmanager
def _folder(path: Path, *, make: bool = False) -> Iterator[int]:
    """Open the folder of a resolved path step by step, so that no step can be a link."""
    folder = os.open(path.anchor, _PASSING)
    try:
        for name in path.parts[1:-1]:
            inner = _step(folder, name, make=make)
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def _step(folder: int, name: str, *, make: bool) -> int:
    try:
        return os.open(name, _PASSING, dir_fd=folder)
    except FileNotFoundError:
        if not make:
            raise
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=folder)
        return os.open(name, _PASSING, dir_fd=folder)


def _refuse_unless_ordinary(path: Path, folder: int) -> None:
    with suppress(FileNotFoundError):
        mode = os.stat(path.name, dir_fd=folder, follow_symlinks=False).st_mode
        if not stat.S_ISREG(mode):
            raise Refused(f"{path} is not an ordinary file.")
