"""What the page believes about its surroundings."""

from __future__ import annotations

from tabmux.browsers.registry import Browsers
from tabmux.content import Reply
from tabmux.page.page import Page
from tabmux.tools.tool import tool
from tabmux.tools.types import Positive

RESIZE_MILLISECONDS = 1000


@tool(repeatable=True)
async def resize_page(page: Page, browsers: Browsers, width: Positive, height: Positive) -> Reply:
    """Resize the page's window so that its content has this size.

    Args:
        width: In CSS pixels.
        height: In CSS pixels.
    """
    if browser := browsers.browser_of(page):
        await browser.resize(page, width, height)
    size = await page.main.call("resized", width, height, RESIZE_MILLISECONDS)
    return Reply(f"The page is now {size['width']} x {size['height']}.")
