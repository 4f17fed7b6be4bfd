"""Snapshot file: reads and checks a heap snapshot, and decodes its tables into a graph."""

from __future__ import annotations

import mmap
import re
import warnings
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import DTypeLike, NDArray

from tabmux.analysis.heap.graph.graph import Edges, Graph, Longs, Nodes, ScopeTables, offsets
from tabmux.analysis.packed_file import PackedFile
from tabmux.errors import Misuse
from tabmux.json_text import decoder

_EXTENSIONS = (".heapsnapshot", ".heaptimeline", ".heapsnapshot.gz")
_Count = Annotated[int, msgspec.Meta(ge=0)]
_EMPTY = msgspec.Raw(b"[]")
_RETAKE = "Take a new one with take_heapsnapshot."
# Enough to keep numpy busy, little enough not to hold a second copy of a large file.
_CHUNK_BYTES = 4 << 20
# V8 writes only the low sixteen bits of a code point, so half a surrogate pair can stand alone.
_ESCAPE = re.compile(rb"\\(u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)", re.DOTALL)


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
    node_count: _Count
    edge_count: _Count
    root_index: _Count = 0
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
    if not path.name.endswith(_EXTENSIONS):
        raise BadSnapshot(
            f"{path.name} is not named like a heap snapshot.",
            hint="The name must end in .heapsnapshot, .heaptimeline or .heapsnapshot.gz.",
        )
    text = _read_bytes(path)
    _check_first_and_last_bytes(path, text)
    return _decode_json(path, text)


def decode_graph(file: SnapshotFile) -> Graph:
    """Read the tables of a snapshot, and make sure that they fit together."""
    header = file.snapshot
    nodes, first = _nodes(file)
    graph = Graph(
        strings=file.strings,
        nodes=nodes,
        edges=_edges(file, first),
        root=header.root_index // len(header.meta.node_fields),
        native_bytes=header.extra_native_bytes,
        locations=_locations(file),
        scopes=_scopes(file),
    )
    _check_indexes(graph)
    return graph


def columns(
    raw: msgspec.Raw,
    fields: Sequence[str],
    wanted: Mapping[str, DTypeLike],
    count: int,
    chunk: int = _CHUNK_BYTES,
) -> dict[str, NDArray[Any]]:
    """Read the wanted columns of a table that must have `count` rows."""
    if missing := wanted.keys() - set(fields):
        raise BadSnapshot(
            f"The heap snapshot has no {', '.join(sorted(missing))} column.",
            hint="It may come from an engine other than V8.",
        )
    # Every number takes a digit and a comma, so that an absurd count is noticed before memory is.
    if 2 * count * len(fields) > len(memoryview(raw)):
        raise _damaged(f"a table announces {count} rows and has no room for them")
    table = {name: np.empty(count, dtype) for name, dtype in wanted.items()}
    filled = 0
    for block in _rows(raw, len(fields), chunk):
        end = filled + len(block)
        if end <= count:
            for name, column in table.items():
                column[filled:end] = block[:, fields.index(name)]
        filled = end
    if filled != count:
        raise _damaged(f"a table announces {count} rows and holds {filled}")
    return table


def table(raw: msgspec.Raw, width: int, chunk: int = _CHUNK_BYTES) -> NDArray[np.int64]:
    """Read a whole small table."""
    return np.concatenate([np.empty((0, width), np.int64), *_rows(raw, width, chunk)])


def _read_bytes(path: Path) -> mmap.mmap | bytes:
    try:
        if path.suffix == ".gz":
            with PackedFile(path) as packed:
                return packed.read()
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


_decode_file = decoder(SnapshotFile)


def _decode_json(path: Path, text: mmap.mmap | bytes) -> SnapshotFile:
    try:
        return _parse_json(text)
    except msgspec.ValidationError as error:
        raise BadSnapshot(
            f"{path.name} is JSON but not a heap snapshot: {error}.", hint=_RETAKE
        ) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadSnapshot(f"{path.name} is damaged: {error}.", hint=_RETAKE) from error


def _parse_json(text: mmap.mmap | bytes) -> SnapshotFile:
    try:
        return _decode_file(text)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        if text.find(b"\\ud") < 0 and text.find(b"\\uD") < 0:
            raise
    return _decode_file(_replace_lone_surrogates(text[:]))


def _replace_lone_surrogates(text: bytes) -> bytes:
    return _ESCAPE.sub(lambda escape: rb"\ufffd" if escape[2] else escape[0], text)


def _rows(raw: msgspec.Raw, width: int, chunk: int = _CHUNK_BYTES) -> Iterator[NDArray[np.int64]]:
    """Read a flat array of integers as rows of `width`, a few megabytes at a time."""
    rest = np.empty(0, np.int64)
    for part in _chunks(memoryview(raw), chunk):
        numbers = np.concatenate((rest, _integers(part)))
        whole = len(numbers) - len(numbers) % width
        yield numbers[:whole].reshape(-1, width)
        rest = numbers[whole:]
    if rest.size:
        raise _damaged("a table ends inside a row")


def _damaged(what: str) -> BadSnapshot:
    """Make the error for a file whose numbers contradict each other."""
    return BadSnapshot(f"The heap snapshot is damaged: {what}.", hint=_RETAKE)


def _nodes(file: SnapshotFile) -> tuple[Nodes, Longs]:
    header = file.snapshot
    fields = header.meta.node_fields
    wanted = {
        "type": np.uint8,
        "name": np.int32,
        "id": np.int64,
        "self_size": np.int64,
        "edge_count": np.int64,
    }
    if "detachedness" in fields:
        wanted["detachedness"] = np.uint8
    column = columns(file.nodes, fields, wanted, header.node_count)
    nodes = Nodes(
        kinds=_kinds(header.meta.node_types, fields),
        kind=column["type"],
        name=column["name"],
        id=column["id"],
        size=column["self_size"],
        detachedness=column.get("detachedness", np.zeros(0, np.uint8)),
    )
    return nodes, offsets(column["edge_count"])


def _edges(file: SnapshotFile, first: Longs) -> Edges:
    header = file.snapshot
    fields, node_width = header.meta.edge_fields, len(header.meta.node_fields)
    wanted = {"type": np.uint8, "name_or_index": np.int32, "to_node": np.int32}
    column = columns(file.edges, fields, wanted, header.edge_count)
    target = column["to_node"]
    if np.any(target % node_width):
        raise _damaged("a reference points between two objects")
    return Edges(
        kinds=_kinds(header.meta.edge_types, fields),
        kind=column["type"],
        name=column["name_or_index"],
        target=target // np.int32(node_width),
        first=first,
    )


def _kinds(types: list[list[str] | str], fields: list[str]) -> tuple[str, ...]:
    kinds = types[fields.index("type")] if len(types) == len(fields) else ""
    if isinstance(kinds, str):
        raise _damaged("it does not say which kinds of object it holds")
    return tuple(kinds)


def _locations(file: SnapshotFile) -> Longs:
    meta = file.snapshot.meta
    wanted = ("object_index", "script_id", "line", "column")
    rows = _optional_table(file.locations, meta.location_fields, wanted)
    rows[:, 0] //= len(meta.node_fields)
    return rows


def _scopes(file: SnapshotFile) -> ScopeTables:
    meta = file.snapshot.meta
    wanted = ("script_node_index", "scope_id", "depth")
    counts = ("scope_context_vars_count", "scope_uses_count")
    scopes = _optional_table(file.scopes, meta.scope_fields, wanted + counts)
    scopes[:, 0] //= len(meta.node_fields)
    return ScopeTables(
        scopes,
        _optional_table(file.scope_context_vars, meta.scope_context_var_fields, ("name",))[:, 0],
        _optional_table(
            file.scope_uses, meta.scope_use_fields, ("declaring_scope_id", "slot_index")
        ),
    )


def _optional_table(raw: msgspec.Raw, fields: list[str], wanted: tuple[str, ...]) -> Longs:
    """Read some columns of a small table that not every V8 writes."""
    if not set(wanted) <= set(fields):
        return np.empty((0, len(wanted)), np.int64)
    return table(raw, len(fields))[:, [fields.index(field) for field in wanted]]


def _check_indexes(graph: Graph) -> None:
    """Refuse a snapshot whose parts point outside each other."""
    nodes, edges, strings = graph.nodes, graph.edges, len(graph.strings)
    if graph.root >= len(nodes):
        raise _damaged("it holds no objects")
    if edges.first[-1] != len(edges.target) or np.any(np.diff(edges.first) < 0):
        raise _damaged("the objects claim more or fewer references than there are")
    limits: list[tuple[NDArray[Any], int]] = [
        (nodes.kind, len(nodes.kinds)),
        (nodes.name, strings),
        (edges.kind, len(edges.kinds)),
        (edges.name[edges.has_text_name], strings),
        (edges.target, len(nodes)),
        (graph.locations[:, 0], len(nodes)),
        (graph.scopes.variables, strings),
    ]
    if any(len(ids) and (ids.min() < 0 or ids.max() >= limit) for ids, limit in limits):
        raise _damaged("it refers to objects or names it does not hold")


def _chunks(text: memoryview, chunk: int) -> Iterator[bytes]:
    """Cut the text between the brackets after commas."""
    if bytes(text[:1]) != b"[":
        raise _damaged("a table is not an array")
    position, end = 1, len(text) - 1
    while position < end:
        part = bytes(text[position : min(end, position + chunk)])
        if position + len(part) < end:
            part = part[: part.rfind(b",") + 1]
        if not part:
            raise _damaged("a table holds something other than integers")
        position += len(part)
        yield part


def _integers(part: bytes) -> Longs:
    if b"\n" in part or b" " in part:
        part = part.translate(None, b" \t\r\n")
    with warnings.catch_warnings():
        # Before 2.4 numpy only warned of text it could not read.
        warnings.simplefilter("error", DeprecationWarning)
        try:
            return np.fromstring(part, np.int64, sep=",")
        except (ValueError, DeprecationWarning) as error:
            raise _damaged("a table holds something other than integers") from error
