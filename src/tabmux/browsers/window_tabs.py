"""Chrome's tab targets: the frame around a page that some commands want instead of the page."""

from __future__ import annotations

import asyncio

from tabmux.browsers.browser import Browser
from tabmux.cdp.channel import Params
from tabmux.errors import PageGone, TabmuxError
from tabmux.page.page import Page
from tabmux.page.signal import Signal

LOOK_SECONDS = 3.0
APPEAR_SECONDS = 10.0


async def tab_of(browser: Browser, page: Page) -> str:
    """Return the tab that shows a page."""
    found = await browser.channel.call("Target.getTargets", {"filter": [{"type": "tab"}]})
    # Most likely the one with the same address; there is no direct way to tell.
    for tab in sorted(found["targetInfos"], key=lambda info: info["url"] != page.url):
        try:
            if await _page_in(browser, tab["targetId"], LOOK_SECONDS) == page.target_id:
                return str(tab["targetId"])
        except TabmuxError:
            continue  # a tab may go at any time
    raise PageGone(f"Page {page.id} is in no tab.")


async def page_in(browser: Browser, tab: str) -> Page:
    """Return the page that a tab shows."""
    target = await _page_in(browser, tab, APPEAR_SECONDS)
    appeared = Signal()
    forget = browser.on_change(appeared.ring)
    try:
        # The browser may hear of the page later than we do.
        await appeared.until(lambda: target in browser.pages, APPEAR_SECONDS)
    finally:
        forget()
    if target not in browser.pages:
        raise PageGone("The page was closed before it could be used.")
    return browser.pages[target]


async def _page_in(browser: Browser, tab: str, seconds: float) -> str:
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
