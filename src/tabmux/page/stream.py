"""Reads what Chrome hands over piece by piece."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable

from tabmux.cdp.channel import Channel, Params

CHUNK = 1 << 20


async def drain(channel: Channel, stream: str, sink: Callable[[bytes], object]) -> None:
    """Read a stream to its end; `sink` takes the bytes in another thread."""
    more = True
    try:
        while more:
            piece = await channel.call("IO.read", {"handle": stream, "size": CHUNK})
            await asyncio.to_thread(_pour, piece, sink)
            more = not piece["eof"]
    finally:
        if channel.is_open:
            channel.send("IO.close", {"handle": stream})


def _pour(piece: Params, sink: Callable[[bytes], object]) -> None:
    data = piece["data"]
    sink(base64.b64decode(data) if piece.get("base64Encoded") else data.encode())
