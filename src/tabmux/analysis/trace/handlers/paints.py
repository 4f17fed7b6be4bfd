"""Paints: first and largest paints, painted images, screenshots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from tabmux.analysis.trace.trace_event import TraceEvent, TraceListener, args_decoder, data_decoder

# Enough for a filmstrip of any trace, and a bound on memory for long ones.
SCREENSHOT_BYTES = 32 << 20


@dataclass(frozen=True, slots=True)
class LcpCandidate:
    """The largest thing painted so far."""

    ts: float
    index: int
    node: int
    node_name: str
    is_image: bool
    lazy: bool


@dataclass(frozen=True, slots=True)
class PaintedImage:
    """An image the first time it was painted at some size; sizes are pixels."""

    ts: float
    pid: int
    node: int
    node_name: str
    url: str
    width: float
    height: float
    file_width: float
    file_height: float
    is_background: bool
    has_choices: bool


@dataclass(frozen=True, slots=True)
class TraceScreenshot:
    """What the screen showed; `data` is a picture in base64."""

    ts: float
    data: str


class Paints:
    """Collects paint marks, painted images and screenshots."""

    def __init__(self, screenshot_bytes: int = SCREENSHOT_BYTES) -> None:
        self.first: dict[str, float] = {}
        self.contentful: dict[str, float] = {}
        self.largest: dict[str, LcpCandidate] = {}
        self.image_urls: dict[tuple[int, int], str] = {}
        self.unsized: set[tuple[int, int]] = set()
        self.screenshots: list[TraceScreenshot] = []
        self._images: dict[tuple[object, ...], PaintedImage] = {}
        self._screenshot_bytes, self._screenshot_limit = 0, screenshot_bytes
        self._mark = data_decoder(_Mark)
        self._candidate = data_decoder(_Candidate)
        self._image = data_decoder(_Image)
        self._screenshot = args_decoder(_Screenshot)

    def listeners(self) -> Mapping[str, TraceListener]:
        """Say which events tell of paints."""
        return {
            "firstPaint": self._handle_first,
            "firstContentfulPaint": self._handle_contentful,
            "largestContentfulPaint::Candidate": self._handle_largest,
            "LargestImagePaint::Candidate": self._handle_largest_image,
            "LayoutImageUnsized": self._handle_unsized,
            "PaintImage": self._handle_image,
            "Screenshot": self._handle_screenshot,
        }

    def images(self) -> list[PaintedImage]:
        """List the painted images, each once for every size it was painted at."""
        return sorted(self._images.values(), key=lambda image: image.ts)

    def _handle_first(self, event: TraceEvent) -> None:
        self.first.setdefault(self._mark(event).navigation_id, event.ts)

    def _handle_contentful(self, event: TraceEvent) -> None:
        self.contentful.setdefault(self._mark(event).navigation_id, event.ts)

    def _handle_largest(self, event: TraceEvent) -> None:
        data = self._candidate(event)
        known = self.largest.get(data.navigation_id)
        if known is None or data.candidate_index > known.index:
            self.largest[data.navigation_id] = LcpCandidate(
                ts=event.ts,
                index=data.candidate_index,
                node=data.node_id,
                node_name=data.node_name,
                is_image=data.type == "image",
                lazy=data.loading_attr == "lazy",
            )

    def _handle_largest_image(self, event: TraceEvent) -> None:
        data = self._candidate(event)
        self.image_urls[event.pid, data.dom_node_id] = data.image_url

    def _handle_unsized(self, event: TraceEvent) -> None:
        self.unsized.add((event.pid, self._candidate(event).node_id))

    def _handle_image(self, event: TraceEvent) -> None:
        data = self._image(event)
        # Every repaint repeats the event; only the first at a size tells something.
        key = (event.pid, data.node_id, data.url, data.width, data.height)
        known = self._images.get(key)
        if known is None or event.ts < known.ts:
            self._images[key] = data.painted(event)

    def _handle_screenshot(self, event: TraceEvent) -> None:
        shot = self._screenshot(event)
        self.screenshots.append(
            TraceScreenshot(shot.expected_display_time or event.ts, shot.snapshot)
        )
        self._screenshot_bytes += len(shot.snapshot)
        if self._screenshot_bytes > self._screenshot_limit:
            self.screenshots = self.screenshots[::2]
            self._screenshot_bytes = sum(len(kept.data) for kept in self.screenshots)


class _Mark(msgspec.Struct, rename="camel"):
    navigation_id: str = ""


class _Candidate(msgspec.Struct, rename="camel"):
    navigation_id: str = ""
    candidate_index: int = 0
    node_id: int = 0
    dom_node_id: int = msgspec.field(default=0, name="DOMNodeId")
    node_name: str = ""
    type: str = ""
    loading_attr: str = ""
    image_url: str = ""


class _Image(msgspec.Struct, rename="camel"):
    node_id: int = 0
    node_name: str = ""
    url: str = ""
    width: float = 0
    height: float = 0
    src_width: float = 0
    src_height: float = 0
    is_background: bool = msgspec.field(default=False, name="isCSS")
    is_picture: bool = False
    srcset_attribute: str = ""

    def painted(self, event: TraceEvent) -> PaintedImage:
        return PaintedImage(
            ts=event.ts,
            pid=event.pid,
            node=self.node_id,
            node_name=self.node_name,
            url=self.url,
            width=self.width,
            height=self.height,
            file_width=self.src_width,
            file_height=self.src_height,
            is_background=self.is_background,
            has_choices=self.is_picture or bool(self.srcset_attribute),
        )


class _Screenshot(msgspec.Struct):
    snapshot: str = ""
    expected_display_time: float = 0
