"""Stream: reads what Chrome hands over piece by piece."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable

from tabmux.cdp.channel import Channel, Params

CHUNK = 1 << 20

Sink = Callable[[bytes], object]


async def read_stream(channel: Channel, stream: str, sink: Sink, size: int = CHUNK) -> None:
    """Read a stream to its end; `sink` takes the bytes in another thread, `size` at a time."""
    more = True
    try:
        while more:
            piece = await channel.call("IO.read", {"handle": stream, "size": size})
            await asyncio.to_thread(_pour, piece, sink)
            more = not piece["eof"]
    finally:
        if channel.is_open:
            channel.send("IO.close", {"handle": stream})


def _pour(piece: Params, sink: Sink) -> None:
    data = piece["data"]
    sink(base64.b64decode(data) if piece.get("base64Encoded") else data.encode())
