"""The take_screenshot tool: the page as a picture."""

from __future__ import annotations

import base64
from typing import Annotated

from pydantic import Field

from tabmux.content import Image, Reply
from tabmux.errors import BadArguments
from tabmux.page.element import Element
from tabmux.page.page import Page
from tabmux.page.see.picture_size import MODEL_PIXELS, MOST_PIXELS, PictureSize
from tabmux.page.see.screenshots import Format, ImageEncoding, Picture
from tabmux.tools.pipeline.argument_types import UNLISTED, OutputFile, Target
from tabmux.tools.pipeline.file_access import save, save_temporary, with_suffix
from tabmux.tools.pipeline.tool import tool

# Heavier pictures are refused by some clients, and cost every one dearly.
MODEL_BYTES = 1_000_000


@tool(reads=True)
async def take_screenshot(
    page: Page,
    format: Format = "png",  # the argument's name is part of the contract
    quality: Annotated[int, Field(ge=0, le=100)] | None = None,
    uid: Target | None = None,
    full_page: bool = False,
    file_path: OutputFile | None = None,
    part: Annotated[int, Field(ge=1), UNLISTED] = 1,
    scale: Annotated[Annotated[float, Field(gt=0, le=10)] | None, UNLISTED] = None,
    max_side: Annotated[Annotated[int, Field(ge=16, le=MOST_PIXELS)] | None, UNLISTED] = None,
) -> Reply:
    """Take a picture of the viewport, the whole page or an element.

    Args:
        format: Of the image.
        quality: For jpeg and webp.
        uid: Only this element.
        full_page: All of the page.
        file_path: Write it to this file, in full size.
        part: Which part of what is too large for one picture, from the top.
        scale: Pixels of the picture for one CSS pixel.
        max_side: Most pixels of the longer side; 1568 unless it is written to a file.
    """
    if uid is not None and full_page:
        raise BadArguments('Providing both "uid" and "fullPage" is not allowed.')
    shown = file_path is None
    size = PictureSize(max_side or (MODEL_PIXELS if shown else MOST_PIXELS), scale, part)
    style = ImageEncoding(format, quality, MODEL_BYTES if shown else 0)
    picture = await _taken(page, uid, full_page, style, size)
    what = _subject(uid, full_page) + _part(picture)
    if file_path is not None:
        path = await save(with_suffix(file_path, f".{format}"), base64.b64decode(picture.data))
        # Of the viewport and an element this says it all.
        of = f" of {what}" if picture.shows.parts > 1 else ""
        return Reply(f"Saved screenshot{of} to {path}.", is_ours=True)
    kind = picture.encoding.format
    if picture.weight > MODEL_BYTES:
        path = await save_temporary(f".{kind}", base64.b64decode(picture.data))
        return Reply(f"The screenshot of {what} is large; saved to {path}.", is_ours=True)
    reply = Reply(f"Took a screenshot of {what}.", [Image(picture.data, f"image/{kind}")])
    return reply.add(_remarks(picture, style))


async def _taken(
    page: Page, uid: Element | None, full_page: bool, style: ImageEncoding, size: PictureSize
) -> Picture:
    if uid is not None:
        return await page.screenshots.element(uid, style, size)
    return await (page.screenshots.full if full_page else page.screenshots.viewport)(style, size)


def _subject(uid: Element | None, full_page: bool) -> str:
    if uid is not None:
        return f"element {uid.uid}"
    return "the full page" if full_page else "the viewport"


def _part(picture: Picture) -> str:
    shows = picture.shows
    if shows.parts == 1:
        return ""
    top, bottom = shows.area.y, shows.area.y + shows.area.height
    return f", part {shows.part} of {shows.parts} (y {top:.0f} to {bottom:.0f})"


def _remarks(picture: Picture, style: ImageEncoding) -> str:
    """Say what the agent must know of a picture that is not drawn as large as the page."""
    shows, encoding = picture.shows, picture.encoding
    lines = []
    if shows.part < shows.parts:
        lines.append(f"Give part: {shows.part + 1} for the next, or filePath for the full size.")
    if round(shows.scale, 3) != 1:
        lines.append(
            f"One of its pixels is {1 / shows.scale:.4g} CSS pixels: "
            "multiply its coordinates by that. scale and maxSide change it."
        )
    if (encoding.format, encoding.quality) != (style.format, style.quality):
        lines.append(
            f"It is {encoding.format} of quality {encoding.quality}, being too heavy otherwise."
        )
    return "\n".join(lines)
