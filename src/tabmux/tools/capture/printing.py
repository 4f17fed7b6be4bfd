"""The print_pdf tool: the page as PDF."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from tabmux.cdp.channel import Params, Sink, read_stream
from tabmux.content import Reply
from tabmux.errors import BadArguments, ProtocolFault
from tabmux.page.page import Page
from tabmux.tools.pipeline.argument_types import OutputFile
from tabmux.tools.pipeline.file_access import created, with_suffix
from tabmux.tools.pipeline.tool import tool

PRINT_SECONDS = 60.0
# Width and height in inches.
PAPERS = {
    "Letter": (8.5, 11.0), "Legal": (8.5, 14.0), "Tabloid": (11.0, 17.0), "A3": (11.693, 16.535),
    "A4": (8.268, 11.693), "A5": (5.827, 8.268),
}  # fmt: skip

Paper = Literal["Letter", "Legal", "Tabloid", "A3", "A4", "A5"]


@tool(repeatable=True, seconds=PRINT_SECONDS, read_only=True)
async def print_pdf(
    page: Page,
    file_path: OutputFile,
    paper: Paper = "A4",
    landscape: bool = False,
    print_background: bool = True,
    scale: Annotated[float, Field(ge=0.1, le=2)] = 1,
    page_ranges: str = "",
    prefer_css_page_size: bool = False,
) -> Reply:
    """Print the page to a PDF file.

    Args:
        file_path: Where to write it (.pdf).
        paper: Size of the paper.
        landscape: Turn the paper.
        print_background: Print colours and images of backgrounds.
        scale: Of the page on the paper.
        page_ranges: Such as 1-3,5; all when empty.
        prefer_css_page_size: Rather the size that the page's own @page rule asks for.
    """
    # Text in a PDF can be read, whatever is painted over it.
    await page.secrets.refuse_if_shown("No PDF is made")
    width, height = PAPERS[paper]
    layout = {
        "landscape": landscape,
        "printBackground": print_background,
        "scale": scale,
        "paperWidth": width,
        "paperHeight": height,
        "pageRanges": page_ranges,
        "preferCSSPageSize": prefer_css_page_size,
    }
    path = with_suffix(file_path, ".pdf")
    with created(path) as file:
        await _print(page, layout, file.write)
    return Reply(f"Saved the page to {path}.")


async def _print(page: Page, layout: Params, sink: Sink) -> None:
    command = {**layout, "generateTaggedPDF": True, "transferMode": "ReturnAsStream"}
    try:
        printed = await page.channel.call("Page.printToPDF", command, timeout=PRINT_SECONDS)
        await read_stream(page.channel, printed["stream"], sink)
    except ProtocolFault as error:
        if "page range" not in error.message.lower():
            raise
        raise BadArguments(
            f"{layout['pageRanges']!r} is not a range of the document's pages: {error.message}"
        ) from error
