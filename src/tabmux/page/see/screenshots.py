"""Screenshots: pictures of a page."""

from __future__ import annotations

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


@dataclass(frozen=True)
class ImageEncoding:
    """How a picture is encoded."""

    format: Format = "png"
    quality: int | None = None


class Screenshots:
    """Takes pictures without ever bringing the tab to the front."""

    def __init__(self, page: Page, channel: Channel) -> None:
        self._page, self._channel = page, channel

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

    async def _shoot(self, style: ImageEncoding, extra: dict[str, Any]) -> str:
        command: dict[str, Any] = {"format": style.format, **extra}
        if style.format == "png":
            command["optimizeForSpeed"] = True
        elif style.quality is not None:
            command["quality"] = style.quality
        self._page.drawing.keep()
        answer = await self._channel.call(
            "Page.captureScreenshot", command, timeout=CAPTURE_SECONDS
        )
        return str(answer["data"])
