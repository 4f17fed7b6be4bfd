"""Screencast: films a page, with Chrome's own recorder or as a picture that moves (APNG)."""

from __future__ import annotations

import asyncio
import base64
import struct
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tabmux.cdp.channel import Channel, Params, Sink, read_stream
from tabmux.errors import Busy, Misuse, PageTrouble, ProtocolFault

if TYPE_CHECKING:
    from tabmux.page.page import Page

STOP_SECONDS = 30.0
# A tab that was just drawn, or a busy machine, may take a while for the first picture of a film.
FIRST_PICTURE_SECONDS = 5.0
FRAMES_PER_SECOND = 15
# For moving pictures, which are kept in memory until they are put together.
PICTURES_PER_SECOND = 10
PICTURE_BYTES = 64 << 20
PICTURE_SIDE = 1280
# The longest that an APNG can show a frame.
LONGEST_FRAME_MILLISECONDS = 65_535
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"

Kind = Literal["video", "pictures"]


class Screencast:
    """The recorder of one tab, which also works in the background."""

    def __init__(self, page: Page, channel: Channel) -> None:
        self._page, self._channel = page, channel
        self._limit = page.timings.screencast_limit
        self._film: _Video | _Pictures | None = None
        self._target = Path()

    @property
    def target(self) -> Path:
        """Where the recording that runs will be saved."""
        self._running()
        return self._target

    @property
    def is_running(self) -> bool:
        """Whether the tab is being recorded."""
        return self._film is not None

    async def start(self, target: Callable[[Kind], Path], *, as_pictures: bool = False) -> None:
        """Begin; Chrome without a recorder makes moving pictures.

        Args:
            target: Tells where to save it, when it is known what it will be.
            as_pictures: Make moving pictures in any case.
        """
        if self._film is not None:
            raise Busy(
                f"Page {self._page.id} is already being recorded.", hint="Call screencast_stop."
            )
        self._lend()
        try:
            film = None if as_pictures else await _video(self._channel, self._limit)
        except Busy:
            self._take_back()
            raise
        self._film = film or _Pictures(self._channel, self._limit)
        self._target = target(self._film.kind)

    async def stop(self, sink: Sink) -> str:
        """End, and hand over the bytes; returns a remark when the recording is not whole."""
        film = self._running()
        self._film = None
        try:
            return await film.end(sink)
        finally:
            self._take_back()

    def _lend(self) -> None:
        self._page.live_frames.suspend()
        self._page.drawing.lend()

    def _take_back(self) -> None:
        self._page.drawing.take_back()
        self._page.live_frames.resume()

    def _running(self) -> _Video | _Pictures:
        if self._film is None:
            raise Misuse(
                f"Page {self._page.id} is not being recorded.", hint="Call screencast_start first."
            )
        return self._film


async def _video(channel: Channel, limit: float) -> _Video | None:
    try:
        await channel.call("Page.startScreenRecording", {"frameRate": FRAMES_PER_SECOND})
    except ProtocolFault as error:
        if "already active" in error.message:
            raise Busy(
                "Somebody outside tabmux films this tab.",
                hint="Stop it there (perhaps in an open DevTools window), then try again.",
            ) from error
        return None  # only Chrome from about 150 on can do it
    return _Video(channel, limit)


class _Video:
    """Chrome's own recording, an MP4 file."""

    kind: Kind = "video"

    def __init__(self, channel: Channel, limit: float) -> None:
        self._channel, self._limit = channel, limit
        self._cut: asyncio.Future[Params] | None = None
        self._timer = asyncio.get_running_loop().call_later(limit, self._stop)

    async def end(self, sink: Sink) -> str:
        self._timer.cancel()
        remark = f"It was cut after {self._limit:g} s." if self._cut is not None else ""
        ended = await (self._cut or self._stop())
        await read_stream(self._channel, ended["stream"], sink)
        return remark

    def _stop(self) -> asyncio.Future[Params]:
        self._cut = self._channel.call("Page.stopScreenRecording", timeout=STOP_SECONDS)
        return self._cut


class _Pictures:
    """Single frames, put together in the end."""

    kind: Kind = "pictures"

    def __init__(self, channel: Channel, limit: float) -> None:
        self._channel, self._limit = channel, limit
        self._shots: list[tuple[float, bytes]] = []
        self._size = 0
        self._came = asyncio.Event()
        self._began = time.time()
        self._ignore = channel.on("Page.screencastFrame", self._note)
        channel.send(
            "Page.startScreencast",
            {"format": "png", "maxWidth": PICTURE_SIDE, "maxHeight": PICTURE_SIDE},
        )

    async def end(self, sink: Sink) -> str:
        ended = min(time.time(), self._began + self._limit)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._came.wait(), FIRST_PICTURE_SECONDS)
        self._ignore()
        await self._channel.call("Page.stopScreencast")
        if not self._shots:
            raise PageTrouble("Chrome delivered no picture of the page.", hint="Try again.")
        moments = [at for at, _ in self._shots[1:]] + [max(ended, self._shots[-1][0])]
        pictures = [
            ApngFrame(png, round((until - at) * 1000))
            for (at, png), until in zip(self._shots, moments, strict=True)
        ]
        await asyncio.to_thread(lambda: sink(encode_apng(pictures)))
        return "It was cut: the pictures became too many." if self._is_full else ""

    @property
    def _is_full(self) -> bool:
        return self._size >= PICTURE_BYTES

    def _note(self, params: Params) -> None:
        self._channel.send("Page.screencastFrameAck", {"sessionId": params["sessionId"]})
        at = float(params["metadata"].get("timestamp", time.time()))
        is_late = bool(self._shots) and at > self._began + self._limit
        is_early = bool(self._shots) and at - self._shots[-1][0] < 1 / PICTURES_PER_SECOND
        if self._is_full or is_late:
            return
        png = base64.b64decode(params["data"])
        if is_early:
            # The newest picture of a moment is the one that lasts.
            at, before = self._shots.pop()
            self._size -= len(before)
        self._shots.append((at, png))
        self._came.set()
        self._size += len(png)


class NotPng(ValueError):
    """The bytes are no PNG picture."""


@dataclass(frozen=True)
class ApngFrame:
    """One frame, and how long it is shown."""

    png: bytes
    milliseconds: int


def encode_apng(pictures: Sequence[ApngFrame]) -> bytes:
    """Return one animated PNG; pictures of another size than the first are left out."""
    header = _png_header(pictures[0].png)
    fitting = [picture for picture in pictures if _png_header(picture.png) == header]
    parts = [
        _PNG_SIGNATURE,
        _png_chunk(b"IHDR", header),
        _png_chunk(b"acTL", struct.pack(">II", len(fitting), 0)),
    ]
    number = 0
    for place, picture in enumerate(fitting):
        parts.append(_frame_control(number, header, picture))
        number += 1
        for data in _png_data(picture.png):
            if place == 0:
                parts.append(_png_chunk(b"IDAT", data))
            else:
                parts.append(_png_chunk(b"fdAT", struct.pack(">I", number) + data))
                number += 1
    return b"".join([*parts, _png_chunk(b"IEND", b"")])


def _frame_control(number: int, header: bytes, picture: ApngFrame) -> bytes:
    width, height = struct.unpack(">II", header[:8])
    shown = min(max(picture.milliseconds, 1), LONGEST_FRAME_MILLISECONDS)
    return _png_chunk(
        b"fcTL", struct.pack(">IIIIIHHBB", number, width, height, 0, 0, shown, 1000, 0, 0)
    )


def _png_header(png: bytes) -> bytes:
    kind, data = next(_png_chunks(png), (b"", b""))
    if kind != b"IHDR":
        raise NotPng
    return data


def _png_data(png: bytes) -> Iterator[bytes]:
    return (data for kind, data in _png_chunks(png) if kind == b"IDAT")


def _png_chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    if not png.startswith(_PNG_SIGNATURE):
        raise NotPng
    at = len(_PNG_SIGNATURE)
    while at + 12 <= len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12


def _png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
