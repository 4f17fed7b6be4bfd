"""Grid files: how a Grid sends files, as base64 of an archive with one file in it."""

from __future__ import annotations

import base64
import io
import shutil
import zipfile
import zlib
from pathlib import Path
from typing import Any

from tabmux.errors import BrowserTrouble

# What pages let browsers download is packed well if it says the same over and over.
LARGEST_UNPACKED = 4 << 30
# Of base64: a multiple of four.
_PIECE = 4 << 20
# How archives fail; one that is encrypted, or packed in a way unknown here, is a RuntimeError.
_NO_FILE = (
    EOFError, LookupError, RuntimeError, TypeError, ValueError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


def packed(path: Path) -> str:
    """Put one file into an archive, as the Grid wants it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(path, path.name)
    return base64.b64encode(buffer.getvalue()).decode()


def unpack(answer: Any, name: str, target: Path) -> None:
    """Take the one file out of the Grid's answer; nothing of its names is believed."""
    try:
        with zipfile.ZipFile(_decoded(answer["value"]["contents"])) as archive:
            _extract(archive, name, target)
    except _NO_FILE as error:
        target.unlink(missing_ok=True)
        raise BrowserTrouble("The grid handed out something that is no file.") from error
    except OSError as error:
        target.unlink(missing_ok=True)
        raise BrowserTrouble(f"A file could not be stored here: {error.strerror}.") from error


def _extract(archive: zipfile.ZipFile, name: str, target: Path) -> None:
    inside = next((each for each in archive.infolist() if each.filename == name), None)
    if inside is None:
        raise BrowserTrouble("The grid handed out another file than was asked for.")
    if inside.file_size > LARGEST_UNPACKED:
        raise BrowserTrouble("The grid handed out a file that is too large.")
    # No more is read than the archive says.
    with archive.open(inside) as incoming, target.open("wb") as outgoing:
        shutil.copyfileobj(incoming, outgoing)


def _decoded(contents: str) -> io.BytesIO:
    """Decode a file bit by bit, so that other threads have a turn between."""
    found = io.BytesIO()
    for start in range(0, len(contents), _PIECE):
        found.write(base64.b64decode(contents[start : start + _PIECE]))
    found.seek(0)
    return found
