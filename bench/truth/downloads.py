"""Downloads: packages of npm, PyPI and Debian, unpacked into a cache outside the repository."""

from __future__ import annotations

import io
import re
import shutil
import tarfile
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from bench.trouble import BenchError
from bench.truth.saved_page import SavedPage

SECONDS = 120.0
_NPM = "https://registry.npmjs.org"
_PYPI = "https://pypi.org/simple"
_DEBIAN = "http://deb.debian.org/debian/pool"


def download(page: SavedPage, folder: Path) -> None:
    """Make sure that the package of a page is in the folder, as a whole.

    Raises:
        BenchError: It could not be had.
    """
    place = folder / page.folder
    if place.exists():
        return
    unfinished = place.with_name(f"{place.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        for path, content in _files(page):
            file = (unfinished / path).resolve()
            if file.is_relative_to(unfinished.resolve()):
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
    except (OSError, ValueError, KeyError, tarfile.TarError, zipfile.BadZipFile) as error:
        raise BenchError(f"{page.package} {page.version} could not be had: {error}") from error
    unfinished.rename(place)


def _files(page: SavedPage) -> Iterator[tuple[Path, bytes]]:
    data = _get(_address(page))
    if page.registry == "debian":
        data = _data_of_deb(data)
    members = _zipped(data) if data[:2] == b"PK" else _packed(data)
    for name, content in members:
        parts = PurePosixPath(name).parts
        # The one folder that archives of sources begin with says nothing.
        start = 1 if page.registry == "npm" or page.archive.endswith((".tar.gz", ".tgz")) else 0
        if len(parts) > start:
            yield Path(*parts[start:]), content


def _address(page: SavedPage) -> str:
    if page.registry == "npm":
        base = page.package.rpartition("/")[2]
        return f"{_NPM}/{page.package}/-/{base}-{page.version}.tgz"
    if page.registry == "debian":
        return f"{_DEBIAN}/{quote(page.archive)}"
    links = _get(f"{_PYPI}/{page.package}/").decode()
    if (found := re.search(rf'href="([^"#]*/{re.escape(page.archive)})[#"]', links)) is None:
        raise ValueError(f"PyPI has no {page.archive}")
    return found[1]


def _get(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=SECONDS) as answer:
        return bytes(answer.read())


def _packed(data: bytes) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            if member.isfile() and (content := archive.extractfile(member)) is not None:
                yield member.name, content.read()


def _zipped(data: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for member in archive.infolist():
            if not member.is_dir():
                yield member.filename, archive.read(member)


def _data_of_deb(data: bytes) -> bytes:
    """The files of a Debian package, which is an `ar` archive of three members."""
    at = len(b"!<arch>\n")
    while at < len(data):
        name, size = data[at : at + 16].decode().strip(), int(data[at + 48 : at + 58])
        if name.startswith("data.tar"):
            return data[at + 60 : at + 60 + size]
        at += 60 + size + size % 2
    raise ValueError("no data in the package")
