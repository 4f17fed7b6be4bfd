"""Screenshots: pictures of a page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from tabmux.cdp.channel import Channel
from tabmux.page.element import Element

if TYPE_CHECKING:
    from tabmux.page.page import Page

Format = Literal["png", "jpeg", "webp"]
CAPTURE_SECONDS = 20.0
# Chrome refuses pictures beyond what its textures can hold.
MAX_SIDE = 16_000
SMALLEST_SCREENCAST = {
    "format": "jpeg",
    "quality": 1,
    "maxWidth": 16,
    "maxHeight": 16,
    "everyNthFrame": 1000,
}


@dataclass(frozen=True)
class ImageEncoding:
    """How a picture is encoded."""

    format: Format = "png"
    quality: int | None = None


class Screenshots:
    """Takes pictures without ever bringing the tab to the front."""

    def __init__(self, page: Page, channel: Channel) -> None:
        self._page, self._channel = page, channel
        self._screencast_is_lent = False

    async def viewport(self, style: ImageEncoding) -> str:
        """Return what is in view, base64-encoded."""
        return await self._shoot(style, {})

    async def full(self, style: ImageEncoding) -> str:
        """Return the whole document."""
        layout = await self._page.main.call("layout")
        clip = {
            "x": 0,
            "y": 0,
            "width": min(layout["fullWidth"], MAX_SIDE),
            "height": min(layout["fullHeight"], MAX_SIDE),
            "scale": 1,
        }
        return await self._shoot(style, {"clip": clip, "captureBeyondViewport": True})

    async def element(self, element: Element, style: ImageEncoding) -> str:
        """Return one element, scrolled into view."""
        box = await element.call("box")
        point = await self._page.input.locate(element.frame, box["x"], box["y"])
        left, top = point.on_page
        layout = await self._page.main.call("layout")
        clip = {
            "x": left + layout["scrollX"],
            "y": top + layout["scrollY"],
            "width": min(box["width"], MAX_SIDE),
            "height": min(box["height"], MAX_SIDE),
            "scale": 1,
        }
        return await self._shoot(style, {"clip": clip, "captureBeyondViewport": True})

    def lend_screencast(self) -> None:
        """Leave the tab's screencast to a recording, which keeps the tab drawing as well."""
        self._screencast_is_lent = True

    def take_back_screencast(self) -> None:
        """Note that the recording is over."""
        self._screencast_is_lent = False

    async def _shoot(self, style: ImageEncoding, extra: dict[str, Any]) -> str:
        command: dict[str, Any] = {"format": style.format, **extra}
        if style.format == "png":
            command["optimizeForSpeed"] = True
        elif style.quality is not None:
            command["quality"] = style.quality
        with self._kept_drawing():
            answer = await self._channel.call(
                "Page.captureScreenshot", command, timeout=CAPTURE_SECONDS
            )
        return str(answer["data"])

    @contextmanager
    def _kept_drawing(self) -> Iterator[None]:
        # Seen in Chromium 156: a tab in the background draws nothing, and a capture of it
        # never ends. A screencast, however small, makes it draw; a tab in front draws sooner.
        if self._screencast_is_lent:
            yield
            return
        self._channel.send("Page.startScreencast", SMALLEST_SCREENCAST)
        try:
            yield
        finally:
            self._channel.send("Page.stopScreencast")
