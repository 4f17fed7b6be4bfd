"""The print_pdf tool: the page as PDF."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from tabmux.content import Reply
from tabmux.errors import BadArguments, ProtocolFault
from tabmux.page.page import Page
from tabmux.page.see.pdf import PRINT_SECONDS, PaperLayout, print_to_pdf
from tabmux.tools.pipeline.argument_types import OutputFile
from tabmux.tools.pipeline.file_access import created, with_suffix
from tabmux.tools.pipeline.tool import tool

Paper = Literal["Letter", "Legal", "Tabloid", "A3", "A4", "A5"]


@tool(repeatable=True, seconds=PRINT_SECONDS)
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
        paper:
        landscape:
        print_background:
        scale:
        page_ranges: Such as 1-3,5; all when empty.
        prefer_css_page_size: Rather the size that the page's own @page rule asks for.
    """
    layout = PaperLayout(
        paper, landscape, print_background, scale, page_ranges, prefer_css_page_size
    )
    path = with_suffix(file_path, ".pdf")
    try:
        with created(path) as file:
            await print_to_pdf(page, layout, file.write)
    except ProtocolFault as error:
        if "page range" not in error.message.lower():
            raise
        raise BadArguments(
            f"{page_ranges!r} is not a range of the document's pages: {error.message}"
        ) from error
    return Reply(f"Saved the page to {path}.")
