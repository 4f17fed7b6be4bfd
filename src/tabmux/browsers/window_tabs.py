"""Windows and their tabs: which tab shows a page, which one is active, how large a window is."""

from __future__ import annotations

import asyncio

from tabmux.browsers.browser import Browser
from tabmux.cdp.channel import Params
from tabmux.concurrency import Signal
from tabmux.errors import PageGone, TabmuxError
from tabmux.page.handle import PageHandle
from tabmux.page.page import Page

LOOK_SECONDS = 3.0
APPEAR_SECONDS = 10.0


async def tab_of(browser: Browser, page: PageHandle) -> str:
    """Return the tab that shows a page."""
    found = await browser.channel.call("Target.getTargets", {"filter": [{"type": "tab"}]})
    # Most likely the one with the same address; there is no direct way to tell.
    for tab in sorted(found["targetInfos"], key=lambda info: info["url"] != page.url):
        try:
            if await _target_in(browser, tab["targetId"], LOOK_SECONDS) == page.target_id:
                return str(tab["targetId"])
        except TabmuxError:
            continue  # a tab may go at any time
    raise PageGone(f"Page {page.id} is in no tab.")


async def page_in(browser: Browser, tab: str) -> PageHandle:
    """Return the page that a tab shows."""
    target = await _target_in(browser, tab, APPEAR_SECONDS)
    appeared = Signal()
    forget = browser.on_change(appeared.notify)
    try:
        # The browser may hear of the page later than we do.
        await appeared.until(lambda: target in browser.pages, APPEAR_SECONDS)
    finally:
        forget()
    if target not in browser.pages:
        raise PageGone("The page was closed before it could be used.")
    return browser.pages[target]


async def active_page(browser: Browser, beside: PageHandle) -> PageHandle | None:
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
    pages = [each.page for each in browser.pages.values() if each.page is not None]
    found = await asyncio.gather(*(_knows_window_size(browser, page, window) for page in pages))
    active = [page for page, yes in zip(pages, found, strict=True) if yes]
    return active[0].handle if len(active) == 1 else None


async def resize_window(browser: Browser, page: PageHandle, width: int, height: int) -> None:
    """Give a tab's window the size at which its content has this one."""
    found = await _window(browser, page)
    window = found["windowId"]
    if found["bounds"].get("windowState", "normal") != "normal":
        await browser.channel.call(
            "Browser.setWindowBounds", {"windowId": window, "bounds": {"windowState": "normal"}}
        )
    await browser.channel.call(
        "Browser.setContentsSize", {"windowId": window, "width": width, "height": height}
    )


async def _target_in(browser: Browser, tab: str, seconds: float) -> str:
    attached = await browser.channel.call(
        "Target.attachToTarget", {"targetId": tab, "flatten": True}
    )
    channel = browser.channel.child(attached["sessionId"])
    if channel is None:
        raise PageGone("The tab was closed.")
    look: Params = {
        "autoAttach": True,
        "waitForDebuggerOnStart": False,
        "flatten": True,
        "filter": [{"type": "page"}],
    }
    try:
        with channel.expecting("Target.attachedToTarget") as inside:
            channel.send("Target.setAutoAttach", look)
            async with asyncio.timeout(seconds):
                return str((await inside)["targetInfo"]["targetId"])
    except TimeoutError as error:
        raise PageGone("The tab shows no page.") from error
    finally:
        browser.channel.send("Target.detachFromTarget", {"sessionId": attached["sessionId"]})


async def _knows_window_size(browser: Browser, page: Page, window: Params) -> bool:
    try:
        async with asyncio.timeout(page.timings.window):
            own = await _window(browser, page)
            width, height = await page.main.call("outerSize")
    except (TabmuxError, TimeoutError):
        return False
    bounds = window["bounds"]
    there = own["windowId"] == window["windowId"]
    return there and (width, height) == (bounds["width"], bounds["height"])


async def _window(browser: Browser, page: Page | PageHandle) -> Params:
    return await browser.channel.call("Browser.getWindowForTarget", {"targetId": page.target_id})
