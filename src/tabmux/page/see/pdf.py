"""PDF: prints a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tabmux.page.stream import read_stream

if TYPE_CHECKING:
    from tabmux.page.page import Page

PRINT_SECONDS = 60.0
# Width and height in inches.
PAPERS = {
    "Letter": (8.5, 11.0), "Legal": (8.5, 14.0), "Tabloid": (11.0, 17.0), "A3": (11.693, 16.535),
    "A4": (8.268, 11.693), "A5": (5.827, 8.268),
}  # fmt: skip


@dataclass(frozen=True)
class PaperLayout:
    """How the paper looks."""

    paper: str = "A4"
    landscape: bool = False
    background: bool = True
    scale: float = 1
    ranges: str = ""
    page_size_of_css: bool = False


async def print_to_pdf(page: Page, layout: PaperLayout, sink: Callable[[bytes], object]) -> None:
    """Print a page; `sink` takes the bytes, piece by piece, in another thread."""
    width, height = PAPERS[layout.paper]
    answer = await page.channel.call(
        "Page.printToPDF",
        {
            "landscape": layout.landscape,
            "printBackground": layout.background,
            "scale": layout.scale,
            "paperWidth": width,
            "paperHeight": height,
            "pageRanges": layout.ranges,
            "preferCSSPageSize": layout.page_size_of_css,
            "generateTaggedPDF": True,
            "transferMode": "ReturnAsStream",
        },
        timeout=PRINT_SECONDS,
    )
    await read_stream(page.channel, answer["stream"], sink)
