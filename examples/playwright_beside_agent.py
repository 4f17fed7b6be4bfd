"""Lets Playwright work in the tabs of a session, beside the agent that uses it.

pip install playwright     (no browsers need to be installed)
python examples/playwright_beside_agent.py https://shop.example
"""

from __future__ import annotations

import asyncio
import sys

from playwright.async_api import async_playwright

import tabmux


async def main(url: str) -> None:
    """Open a page with tabmux, act on it with Playwright, look at it with tabmux."""
    async with tabmux.session(headless=True) as tab, async_playwright() as playwright:
        await tab.goto(url)
        browser = await playwright.chromium.connect_over_cdp(tab.cdp_url)
        # Exactly the tabs of this session; those of other agents are not there.
        (page,) = browser.contexts[0].pages
        await page.get_by_label("Message").fill("Hello")
        await page.get_by_role("button", name="Send").click()
        await browser.close()
        sys.stdout.write((await tab.read()).text + "\n")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
