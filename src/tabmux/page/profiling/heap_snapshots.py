"""Heap snapshots: takes those of a page."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tabmux.cdp.channel import Channel, Params, Sink
from tabmux.errors import Busy, TabmuxError

if TYPE_CHECKING:
    from tabmux.page.page import Page

CAPTURE_SECONDS = 300.0
# Pieces of about 100 kB are written together.
BATCH = 4 << 20


class HeapSnapshots:
    """The memory of one page's scripts."""

    def __init__(self, page: Page, channel: Channel) -> None:
        self._page, self._channel = page, channel
        self._taking = False

    async def capture(self, sink: Sink) -> None:
        """Take a snapshot; garbage is collected first.

        Args:
            sink: Takes the bytes, piece by piece, in another thread.
        """
        if self._taking:
            raise Busy(f"A heap snapshot of page {self._page.id} is already being taken.")
        pieces: asyncio.Queue[str | None] = asyncio.Queue()
        stop = self._channel.on(
            "HeapProfiler.addHeapSnapshotChunk", lambda params: _note(params, pieces)
        )
        self._taking = True
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(_write(pieces, sink))
                refusal = await self._take()
                pieces.put_nowait(None)
        finally:
            self._taking = False
            stop()
        if refusal is not None:
            raise refusal

    async def _take(self) -> TabmuxError | None:
        """Have Chrome take it; returns why it did not, which the group would wrap in another."""
        # Disabling the profiler would make V8 forget the ids of objects, and two snapshots of
        # the page could not be compared any more (seen in Chromium 156). So it stays enabled.
        self._channel.send("HeapProfiler.enable")
        command = {"reportProgress": False, "captureNumericValue": True}
        try:
            await self._channel.call(
                "HeapProfiler.takeHeapSnapshot", command, timeout=CAPTURE_SECONDS
            )
        except TabmuxError as error:
            return error
        return None


def _note(params: Params, pieces: asyncio.Queue[str | None]) -> None:
    pieces.put_nowait(params["chunk"])


async def _write(pieces: asyncio.Queue[str | None], sink: Sink) -> None:
    """Write what has come, in large parts, until the end is announced."""
    batch, size = list[str](), 0
    while (piece := await pieces.get()) is not None:
        batch.append(piece)
        size += len(piece)
        if size >= BATCH:
            await asyncio.to_thread(_pour, batch, sink)
            batch, size = [], 0
    await asyncio.to_thread(_pour, batch, sink)


def _pour(batch: list[str], sink: Sink) -> None:
    sink("".join(batch).encode("utf-8", "surrogatepass"))
