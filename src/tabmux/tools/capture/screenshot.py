"""The take_screenshot tool: the page as a picture."""

from __future__ import annotations

import base64
from typing import Annotated

from pydantic import Field

from tabmux.content import Image, Reply
from tabmux.errors import BadArguments
from tabmux.page.page import Page
from tabmux.page.see.screenshots import Format, ImageEncoding
from tabmux.tools.pipeline.argument_types import OutputFile, Target
from tabmux.tools.pipeline.file_access import save, save_temporary, with_suffix
from tabmux.tools.pipeline.tool import tool

# Larger pictures are refused by some clients, and cost every one dearly.
MAX_INLINE = 2_000_000


@tool(reads=True)
async def take_screenshot(
    page: Page,
    format: Format = "png",  # the argument's name is part of the contract
    quality: Annotated[int, Field(ge=0, le=100)] | None = None,
    uid: Target | None = None,
    full_page: bool = False,
    file_path: OutputFile | None = None,
) -> Reply:
    """Take a picture of the viewport, the whole page or an element.

    Args:
        format: Of the image.
        quality: For jpeg and webp.
        uid: Only this element.
        full_page: All of the page.
        file_path: Write it to this file.
    """
    if uid is not None and full_page:
        raise BadArguments('Providing both "uid" and "fullPage" is not allowed.')
    style = ImageEncoding(format, quality)
    if uid is not None:
        data, what = await page.screenshots.element(uid, style), f"element {uid.uid}"
    elif full_page:
        data, what = await page.screenshots.full(style), "the full page"
    else:
        data, what = await page.screenshots.viewport(style), "the viewport"
    if file_path is not None:
        path = await save(with_suffix(file_path, f".{format}"), base64.b64decode(data))
        return Reply(f"Saved screenshot to {path}.", is_ours=True)
    if len(data) > MAX_INLINE:
        path = await save_temporary(f".{format}", base64.b64decode(data))
        return Reply(f"The screenshot of {what} is large; saved to {path}.", is_ours=True)
    return Reply(f"Took a screenshot of {what}.", [Image(data, f"image/{format}")])
