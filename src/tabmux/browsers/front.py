"""Which tab of a window the user sees."""

from __future__ import annotations

import asyncio

from tabmux.browsers.browser import Browser
from tabmux.cdp.channel import Params
from tabmux.errors import TabmuxError
from tabmux.page.page import Page


async def active_page(browser: Browser, beside: Page) -> Page | None:
    """Return the tab in front in the window of a page, if it is one that tabmux works in.

    CDP does not tell, and our tabs believe to be visible because we make them. But seen in
    Chromium 156, only the document in front knows the size of the window around it. None when
    one of the user's tabs is in front, which nobody may ask, or when a window without a frame
    makes all alike.
    """
    try:
        window = await _window(browser, beside)
    except TabmuxError:
        return None
    pages = [page for page in browser.pages.values() if page.attached and not page.gone]
    found = await asyncio.gather(*(_is_framed(browser, page, window) for page in pages))
    framed = [page for page, yes in zip(pages, found, strict=True) if yes]
    return framed[0] if len(framed) == 1 else None


async def _is_framed(browser: Browser, page: Page, window: Params) -> bool:
    try:
        async with asyncio.timeout(page.timings.window):
            own = await _window(browser, page)
            width, height = await page.main.call("outerSize")
    except (TabmuxError, TimeoutError):
        return False
    bounds = window["bounds"]
    there = own["windowId"] == window["windowId"]
    return there and (width, height) == (bounds["width"], bounds["height"])


async def _window(browser: Browser, page: Page) -> Params:
    return await browser.channel.call("Browser.getWindowForTarget", {"targetId": page.target_id})
