"""Reads a hundred pages with sixteen tabs, each in a session of its own.

    python examples/scraper.py https://shop.example/product/{}

`{}` stands for the number of the page.
"""

from __future__ import annotations

import asyncio
import json
import sys

import tabmux

PAGES, TABS = 100, 16
# Of a page's text; without it, what an agent would read at once.
MOST_CHARACTERS = 1_000_000


async def scrape(pattern: str) -> list[dict[str, str]]:
    """Return the title and the main text of each page, in order."""
    waiting = iter(range(1, PAGES + 1))
    found: dict[int, dict[str, str]] = {}

    async def work(tab: tabmux.Tab) -> None:
        for number in waiting:
            await tab.goto(pattern.format(number))
            found[number] = {
                "title": await tab.evaluate("() => document.title"),
                "text": (await tab.read(budget=MOST_CHARACTERS)).text,
            }

    async with tabmux.sessions(TABS, headless=True) as tabs, asyncio.TaskGroup() as group:
        for tab in tabs:
            group.create_task(work(tab))
    return [found[number] for number in sorted(found)]


if __name__ == "__main__":
    json.dump(asyncio.run(scrape(sys.argv[1])), sys.stdout, indent=1)
