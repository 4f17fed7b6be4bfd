"""APNG: puts PNG pictures together to one that moves, which every browser can show."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
LONGEST_MILLISECONDS = 65_535


class NotPng(ValueError):
    """The bytes are no PNG picture."""


@dataclass(frozen=True)
class ApngFrame:
    """One frame, and how long it is shown."""

    png: bytes
    milliseconds: int


def encode_apng(pictures: Sequence[ApngFrame]) -> bytes:
    """Return one animated PNG; pictures of another size than the first are left out."""
    header = _header(pictures[0].png)
    fitting = [picture for picture in pictures if _header(picture.png) == header]
    parts = [
        _SIGNATURE,
        _chunk(b"IHDR", header),
        _chunk(b"acTL", struct.pack(">II", len(fitting), 0)),
    ]
    number = 0
    for place, picture in enumerate(fitting):
        parts.append(_control(number, header, picture))
        number += 1
        for data in _data(picture.png):
            if place == 0:
                parts.append(_chunk(b"IDAT", data))
            else:
                parts.append(_chunk(b"fdAT", struct.pack(">I", number) + data))
                number += 1
    return b"".join([*parts, _chunk(b"IEND", b"")])


def _control(number: int, header: bytes, picture: ApngFrame) -> bytes:
    width, height = struct.unpack(">II", header[:8])
    shown = min(max(picture.milliseconds, 1), LONGEST_MILLISECONDS)
    return _chunk(
        b"fcTL", struct.pack(">IIIIIHHBB", number, width, height, 0, 0, shown, 1000, 0, 0)
    )


def _header(png: bytes) -> bytes:
    kind, data = next(_chunks(png), (b"", b""))
    if kind != b"IHDR":
        raise NotPng
    return data


def _data(png: bytes) -> Iterator[bytes]:
    return (data for kind, data in _chunks(png) if kind == b"IDAT")


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    if not png.startswith(_SIGNATURE):
        raise NotPng
    at = len(_SIGNATURE)
    while at + 12 <= len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
