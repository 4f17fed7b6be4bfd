"""Extension package: the files of our extension, its id, and a zip of it."""

from __future__ import annotations

import base64
import hashlib
import json
import zipfile
from functools import cache
from pathlib import Path

from tabmux.errors import Misuse

_LETTERS = str.maketrans("0123456789abcdef", "abcdefghijklmnop")


def extension_folder() -> Path:
    """Return the folder to load into Chrome: in the wheel, or beside the source."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "extension", package.parents[1] / "extension"):
        if (folder / "manifest.json").is_file():
            return folder
    raise Misuse("This installation has no extension.", hint="Install tabmux again.")


@cache
def extension_id() -> str:
    """Return the id that follows from the fixed key in the manifest."""
    manifest = json.loads((extension_folder() / "manifest.json").read_text(encoding="utf-8"))
    digest = hashlib.sha256(base64.b64decode(manifest["key"])).hexdigest()
    return digest[:32].translate(_LETTERS)


def extension_origin() -> str:
    """Return what Chrome sends as Origin for it."""
    return f"chrome-extension://{extension_id()}"


def pack(file: Path) -> Path:
    """Write the extension into a zip file, the same bytes for the same files."""
    folder = extension_folder()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in sorted(folder.rglob("*")):
            if each.is_file():
                entry = zipfile.ZipInfo(each.relative_to(folder).as_posix())
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, each.read_bytes())
    return file.resolve()
