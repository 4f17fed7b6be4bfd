from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest

from tabmux.page.see.screencast import LONGEST_FRAME_MILLISECONDS, ApngFrame, NotPng, encode_apng
from tests.agent import Agent


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(colour: bytes, side: int = 2) -> bytes:
    rows = zlib.compress((b"\0" + colour * side) * side)
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    data = chunk(b"IDAT", rows[:5]) + chunk(b"IDAT", rows[5:])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + data + chunk(b"IEND", b"")


def kinds(data: bytes) -> list[str]:
    found, at = [], 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(
            kind + body
        )
        found.append(kind.decode())
        at += length + 12
    return found


RED, BLUE = b"\xff\0\0", b"\0\0\xff"


def test_frames_follow_each_other_in_one_file() -> None:
    data = encode_apng([ApngFrame(png(RED), 100), ApngFrame(png(BLUE), 200)])
    assert kinds(data) == [
        "IHDR", "acTL", "fcTL", "IDAT", "IDAT", "fcTL", "fdAT", "fdAT", "IEND",
    ]  # fmt: skip


def test_pictures_of_another_size_are_left_out() -> None:
    data = encode_apng(
        [ApngFrame(png(RED), 100), ApngFrame(png(RED, 3), 100), ApngFrame(png(BLUE), 1)]
    )
    assert kinds(data).count("fcTL") == 2
    assert struct.unpack(">I", data[data.index(b"acTL") + 4 :][:4]) == (2,)


def test_a_picture_lasts_as_long_as_the_format_allows() -> None:
    data = encode_apng([ApngFrame(png(RED), 10_000_000)])
    control = data[data.index(b"fcTL") + 4 :]
    assert struct.unpack(">HH", control[20:24]) == (LONGEST_FRAME_MILLISECONDS, 1000)


def test_other_bytes_are_refused() -> None:
    with pytest.raises(NotPng):
        encode_apng([ApngFrame(b"GIF89a", 1)])


async def test_film_that_ends_at_once_has_a_picture(agent: Agent) -> None:
    """Of a still page Chrome sends one, after a while."""
    await agent.open("<h1>Still</h1>")
    page = agent.session.pages[agent.session.selected or 0].attached_page
    film = bytearray()
    await page.screencast.start(lambda kind: Path(kind), as_pictures=True)
    await page.screencast.stop(film.extend)
    assert film.startswith(b"\x89PNG")
