"""A tab to look at pages with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from bench.trouble import BenchError
from tabmux.browsers.launched import LaunchedSpec, LaunchOptions
from tabmux.browsers.registry import Browsers
from tabmux.errors import DeadlineExceeded
from tabmux.page.page import Page

LOAD_SECONDS = 15.0
# What a page wants from elsewhere is not there, at once.
ALONE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"


@asynccontextmanager
async def open_tab() -> AsyncIterator[Page]:
    """Start a headless browser with one tab for the length of the block."""
    spec = LaunchedSpec(LaunchOptions(headless=True, arguments=(ALONE,)))
    async with Browsers() as browsers:
        browser = await browsers.connect(browsers.register(spec))
        page = await (await browser.new_page(background=False)).attach()
        await page.channel.call(
            "Emulation.setDeviceMetricsOverride",
            {"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": False},
        )
        yield page


async def require(url: str, how: str) -> None:
    """Refuse to go on when nobody answers at an address, and say what to do about it."""
    parts = urlsplit(url)
    try:
        async with asyncio.timeout(LOAD_SECONDS):
            _, writer = await asyncio.open_connection(parts.hostname, parts.port or 80)
        writer.close()
    except OSError as error:
        raise BenchError(f"Nobody answers at {url}. {how}") from error


async def visit(page: Page, url: str) -> None:
    """Go to an address and wait until its document, not the one before, has loaded."""
    before: str | None = page.main.loader
    try:
        await page.navigation.go(url)
        before = None
    except DeadlineExceeded:
        pass  # a slow machine: the document before may still be there, and complete
    async with asyncio.timeout(LOAD_SECONDS):
        while not await _has_loaded(page, before):  # noqa: ASYNC110 (a page rings no bell)
            await asyncio.sleep(0.05)


async def _has_loaded(page: Page, before: str | None) -> bool:
    if page.main.loader == before:
        return False
    return bool((await page.main.call("standing"))["state"] == "complete")


async def show(page: Page, html: str) -> None:
    """Show saved HTML as it is, without its scripts and without the network."""
    await page.channel.call(
        "Page.setDocumentContent", {"frameId": page.main.id, "html": html}, timeout=LOAD_SECONDS
    )


async def seal(page: Page) -> None:
    """Keep saved pages from running scripts and from loading anything."""
    await page.channel.call("Emulation.setScriptExecutionDisabled", {"value": True})
    await page.channel.call("Network.enable")
    await page.channel.call("Network.setBlockedURLs", {"urls": ["*"]})
