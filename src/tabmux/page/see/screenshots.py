"""Screenshots: pictures of a page."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from tabmux.cdp.channel import Channel, Params
from tabmux.page.element import Element
from tabmux.page.frame_path import box_on_page
from tabmux.page.frame_tree import FrameGone
from tabmux.page.see import picture_size
from tabmux.page.see.picture_size import Area, Cutout, PictureSize

if TYPE_CHECKING:
    from tabmux.page.page import Page

Format = Literal["png", "jpeg", "webp"]
CAPTURE_SECONDS = 20.0
FULL_SIZE = PictureSize()
# What is tried, one after the other, where a picture is too heavy.
LIGHTER_QUALITIES = (80, 50)


@dataclass(frozen=True)
class ImageEncoding:
    """How a picture is encoded; `most` bytes, or as many as it takes."""

    format: Format = "png"
    quality: int | None = None
    most: int = 0

    @property
    def lighter(self) -> list[ImageEncoding]:
        """What to encode it as where it is too heavy."""
        kind: Format = "jpeg" if self.format == "png" else self.format
        given = 100 if self.quality is None else self.quality
        return [ImageEncoding(kind, each) for each in LIGHTER_QUALITIES if each < given]


@dataclass(frozen=True)
class Picture:
    """A picture, base64-encoded, and what it shows."""

    data: str
    encoding: ImageEncoding
    shows: Cutout

    @property
    def weight(self) -> int:
        """Its size in bytes."""
        return len(self.data) * 3 // 4


@dataclass(frozen=True)
class _Layout:
    """Where things are in a document, in CSS pixels."""

    view: Area
    full: Area
    scrolled: tuple[float, float]
    # How many pixels Chrome draws for one of them, how much of that is the user's zoom, and how
    # much larger the viewport is on top of it: a phone shrinks what was made for wide screens.
    ratio: float
    zoom: float
    pinch: float


class Screenshots:
    """Takes pictures without ever bringing the tab to the front."""

    def __init__(self, page: Page, channel: Channel) -> None:
        self._page, self._channel = page, channel

    async def viewport(self, style: ImageEncoding, size: PictureSize = FULL_SIZE) -> Picture:
        """Return what is in view."""
        layout = await self._layout()
        native = layout.ratio * layout.pinch
        shows = picture_size.whole(layout.view, native, size)
        if shows.scale == native:
            return await self._encoded(style, {}, shows)
        return await self._encoded(style, {"clip": _clip(shows, layout)}, shows)

    async def full(self, style: ImageEncoding, size: PictureSize = FULL_SIZE) -> Picture:
        """Return the whole document, or a part of it."""
        layout = await self._layout()
        return await self._beyond_viewport(style, size, layout.full, layout)

    async def element(
        self, element: Element, style: ImageEncoding, size: PictureSize = FULL_SIZE
    ) -> Picture:
        """Return one element, scrolled into view, or a part of it."""
        box = await element.call("box")
        box = await box_on_page(element.frame, box)
        layout = await self._layout()
        left, top = layout.scrolled
        area = Area(box["x"] + left, box["y"] + top, box["width"], box["height"])
        return await self._beyond_viewport(style, size, area, layout)

    async def _layout(self) -> _Layout:
        try:
            found, metrics = await self._measured()
        except FrameGone:
            # The document has just given way to another, of which a picture can be taken as well.
            found, metrics = await self._measured()
        return _Layout(
            view=Area(found["left"], found["top"], found["width"], found["height"]),
            full=Area(0, 0, found["fullWidth"], found["fullHeight"]),
            scrolled=(found["scrollX"], found["scrollY"]),
            ratio=found["ratio"],
            zoom=metrics["cssVisualViewport"].get("zoom", 1),
            pinch=found["pinch"],
        )

    async def _measured(self) -> tuple[Params, Params]:
        found, metrics = await asyncio.gather(
            self._page.main.call("layout"), self._channel.call("Page.getLayoutMetrics")
        )
        return found, metrics

    async def _beyond_viewport(
        self, style: ImageEncoding, size: PictureSize, area: Area, layout: _Layout
    ) -> Picture:
        shows = picture_size.in_parts(area, layout.ratio, size)
        extra = {"clip": _clip(shows, layout), "captureBeyondViewport": True}
        return await self._encoded(style, extra, shows)

    async def _encoded(self, style: ImageEncoding, extra: dict[str, Any], shows: Cutout) -> Picture:
        """Take the picture, again in lighter encodings while it is too heavy."""
        picture = Picture(await self._shoot(style, extra), style, shows)
        for lighter in style.lighter if style.most else ():
            if picture.weight <= style.most:
                break
            picture = Picture(await self._shoot(lighter, extra), lighter, shows)
        return picture

    async def _shoot(self, style: ImageEncoding, extra: dict[str, Any]) -> str:
        command: dict[str, Any] = {"format": style.format, **extra}
        if style.format == "png":
            command["optimizeForSpeed"] = True
        elif style.quality is not None:
            command["quality"] = style.quality
        async with self._page.secrets.covered():
            taking = self._channel.call("Page.captureScreenshot", command, timeout=CAPTURE_SECONDS)
            # Asked in this order, Chrome can take the picture from the first frame that it draws.
            self._page.drawing.keep_for_picture()
            answer = await taking
        return str(answer["data"])


def _clip(shows: Cutout, layout: _Layout) -> dict[str, float]:
    """Return what is shown in the pixels of the screen, as Chrome wants it."""
    area, zoom = shows.area, layout.zoom
    return {
        "x": area.x * zoom,
        "y": area.y * zoom,
        "width": area.width * zoom,
        "height": area.height * zoom,
        "scale": shows.scale / layout.ratio,
    }
