"""Playwright: the example, and what Playwright can and cannot reach through the endpoint."""

from __future__ import annotations

import asyncio
import contextlib
import io
import sys

from playwright.async_api import Error, async_playwright
from playwright_beside_agent import main

import tabmux


async def look_further(url: str) -> None:
    """Use the endpoint as a test suite would, and try to get out of it."""
    async with (
        tabmux.sessions(2, headless=True) as (mine, theirs),
        async_playwright() as playwright,
    ):
        await theirs.goto(f"{url}?theirs")
        await mine.goto(url)
        browser = await playwright.chromium.connect_over_cdp(mine.cdp_url)
        context = browser.contexts[0]
        assert [page.url for page in context.pages] == [url], context.pages
        page = await context.new_page()
        await page.goto(f"{url}?second")
        assert await page.title() == "Messages"
        assert len(await page.screenshot()) > 1000
        urls = [each.url for each in (await mine.pages()).pages if each.attached]
        assert f"{url}?second" in urls, urls
        async with context.expect_page() as opened:
            await page.evaluate("url => { window.open(url) }", f"{url}?third")
        await (await opened.value).wait_for_load_state()
        await page.close()
        for attempt in (
            browser.new_context(),
            context.grant_permissions(["geolocation"]),
            context.pages[0].goto("file:///etc/passwd"),
            browser.new_browser_cdp_session(),
        ):
            try:
                await asyncio.wait_for(attempt, 20)
            except Error:
                continue
            raise AssertionError(f"{attempt} was not refused")
        await browser.close()
        assert await theirs.evaluate("() => location.href") == f"{url}?theirs"
        assert await mine.evaluate("() => document.title") == "Messages"


said = io.StringIO()
with contextlib.redirect_stdout(said):
    asyncio.run(main(sys.argv[1]))
assert "Sent: Hello" in said.getvalue(), said.getvalue()
asyncio.run(look_further(sys.argv[1]))
