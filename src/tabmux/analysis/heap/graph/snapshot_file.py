"""Snapshot file: reads and checks a heap snapshot, its tables still as text."""

from __future__ import annotations

import gzip
import mmap
import re
import zlib
from pathlib import Path
from typing import Annotated

import msgspec

from tabmux.errors import Misuse

EXTENSIONS = (".heapsnapshot", ".heaptimeline", ".heapsnapshot.gz")

Count = Annotated[int, msgspec.Meta(ge=0)]

_EMPTY = msgspec.Raw(b"[]")
_RETAKE = "Take a new one with take_heapsnapshot."


class BadSnapshot(Misuse):
    """The file is not a heap snapshot that can be read."""

    code = "bad_heap_snapshot"


class SnapshotMeta(msgspec.Struct, frozen=True):
    """What the columns of each table mean; it differs between versions of V8."""

    node_fields: list[str]
    node_types: list[list[str] | str]
    edge_fields: list[str]
    edge_types: list[list[str] | str]
    location_fields: list[str] = []
    scope_fields: list[str] = []
    scope_context_var_fields: list[str] = []
    scope_use_fields: list[str] = []


class SnapshotHeader(msgspec.Struct, frozen=True):
    """The first few hundred bytes of a snapshot."""

    meta: SnapshotMeta
    node_count: Count
    edge_count: Count
    root_index: Count = 0
    extra_native_bytes: int = 0


class SnapshotFile(msgspec.Struct, frozen=True):
    """A whole snapshot, its tables of numbers still as text."""

    snapshot: SnapshotHeader
    nodes: msgspec.Raw
    edges: msgspec.Raw
    strings: list[str]
    locations: msgspec.Raw = _EMPTY
    scopes: msgspec.Raw = _EMPTY
    scope_context_vars: msgspec.Raw = _EMPTY
    scope_uses: msgspec.Raw = _EMPTY


def read_snapshot_file(path: Path) -> SnapshotFile:
    """Read a snapshot, or say what is wrong with the file."""
    if not path.name.endswith(EXTENSIONS):
        raise BadSnapshot(
            f"{path.name} is not named like a heap snapshot.",
            hint="The name must end in .heapsnapshot, .heaptimeline or .heapsnapshot.gz.",
        )
    text = _read_bytes(path)
    _check_first_and_last_bytes(path, text)
    return _decode(path, text)


def _read_bytes(path: Path) -> mmap.mmap | bytes:
    try:
        if path.suffix == ".gz":
            return gzip.decompress(path.read_bytes())
        with path.open("rb") as file:
            size = path.stat().st_size
            # An empty file cannot be mapped; any other is mapped rather than held twice.
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
    except FileNotFoundError as error:
        raise BadSnapshot(f"There is no file {path}.", hint=_RETAKE) from error
    except (EOFError, OSError, zlib.error) as error:
        raise BadSnapshot(f"{path} cannot be read: {error}.", hint=_RETAKE) from error


def _check_first_and_last_bytes(path: Path, text: mmap.mmap | bytes) -> None:
    """Refuse what is plainly no snapshot before any of it is parsed."""
    if not text[:64].strip():
        raise BadSnapshot(f"{path.name} is empty.", hint=_RETAKE)
    if not text[:64].lstrip().startswith(b"{"):
        raise BadSnapshot(f"{path.name} is not a heap snapshot: it is not JSON.", hint=_RETAKE)
    if not text[-64:].rstrip().endswith(b"}"):
        raise BadSnapshot(f"{path.name} is cut off before its end.", hint=_RETAKE)


def _decode(path: Path, text: mmap.mmap | bytes) -> SnapshotFile:
    try:
        return _parse(text)
    except msgspec.ValidationError as error:
        raise BadSnapshot(
            f"{path.name} is JSON but not a heap snapshot: {error}.", hint=_RETAKE
        ) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadSnapshot(f"{path.name} is damaged: {error}.", hint=_RETAKE) from error


def _parse(text: mmap.mmap | bytes) -> SnapshotFile:
    try:
        return msgspec.json.decode(text, type=SnapshotFile)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        if text.find(b"\\ud") < 0 and text.find(b"\\uD") < 0:
            raise
    return msgspec.json.decode(_replace_lone_surrogates(text[:]), type=SnapshotFile)


# V8 writes only the low sixteen bits of a code point, so half a surrogate pair can stand alone.
_ESCAPE = re.compile(rb"\\(u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)", re.DOTALL)


def _replace_lone_surrogates(text: bytes) -> bytes:
    return _ESCAPE.sub(lambda escape: rb"\ufffd" if escape[2] else escape[0], text)
