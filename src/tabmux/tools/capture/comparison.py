"""The compare_images tool: where two pictures differ."""

from __future__ import annotations

import base64
from typing import Annotated, Any

from pydantic import Field

from tabmux.content import Reply
from tabmux.errors import BadArguments
from tabmux.page.page import Page
from tabmux.page.see.screenshots import ImageEncoding
from tabmux.tools.pipeline.argument_types import InputFile, OutputFile
from tabmux.tools.pipeline.file_access import load, save, with_suffix
from tabmux.tools.pipeline.tool import tool

DEFAULT_THRESHOLD = 0.1


@tool(reads=True, seconds=60)
async def compare_images(
    page: Page,
    before_path: InputFile,
    after_path: InputFile | None = None,
    threshold: Annotated[float, Field(ge=0, le=1)] = DEFAULT_THRESHOLD,
    full_page: bool = False,
    file_path: OutputFile | None = None,
) -> Reply:
    """Count the pixels by which two pictures differ, or a picture and the page.

    Args:
        before_path: A PNG, JPEG or WebP file.
        after_path: Otherwise the page as it is now.
        threshold: How far a colour may be off, from 0 to 1.
        full_page: Compare with the whole page.
        file_path: Write a picture with the differences in red to this file.
    """
    if after_path is not None and full_page:
        raise BadArguments("fullPage is for a comparison with the page.", hint="Leave one out.")
    before = base64.b64encode(await load(before_path)).decode()
    after = await _after(page, after_path, full_page)
    found = await page.main.run("compare_images", before, after, threshold, file_path is not None)
    if error := found.get("error"):
        raise _refusal(error)
    reply = Reply(_verdict(found), is_ours=True)
    if file_path is not None:
        path = await save(with_suffix(file_path, ".png"), base64.b64decode(found["picture"]))
        reply.add(f"Saved the differences to {path}.")
    return reply


async def _after(page: Page, path: InputFile | None, full_page: bool) -> str:
    if path is not None:
        return base64.b64encode(await load(path)).decode()
    shots = page.screenshots
    return (await (shots.full if full_page else shots.viewport)(ImageEncoding())).data


def _refusal(error: str) -> BadArguments:
    if error == "size":
        return BadArguments("The pictures are too large.", hint="Compare parts of the page.")
    return BadArguments(f"The {error} file is no picture.", hint="Give a PNG, JPEG or WebP file.")


def _verdict(found: dict[str, Any]) -> str:
    (width, height), (other_width, other_height) = found["sizes"]
    words = []
    if (width, height) != (other_width, other_height):
        words.append(f"The sizes differ: {width} x {height} and {other_width} x {other_height}.")
    if not found["count"]:
        return " ".join([*words, "No pixel differs."])
    x, y, wide, high = found["box"]
    share = found["count"] / found["total"]
    words.append(f"{found['count']} of {found['total']} pixels differ ({share:.2%}),")
    return " ".join([*words, f"all within {wide} x {high} at {x}, {y}."])
