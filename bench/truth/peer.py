"""Peer: how many characters chrome-devtools-mcp takes for the same page."""

from __future__ import annotations

import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from bench.chromium import open_chromium
from bench.client import Client, open_client
from bench.packages import cache
from bench.servers import CHROME_DEVTOOLS
from bench.trouble import BenchError
from bench.truth.browser_tab import ALONE, LOAD_MILLISECONDS, PATIENCE, BrowserTab
from bench.truth.tally import Tally

# It wants to be told which page is meant, by the number that its list begins with.
_PAGE = re.compile(r"^(\d+): ", re.MULTILINE)


@asynccontextmanager
async def open_peer(chromium: str) -> AsyncIterator[Client]:
    """Start chrome-devtools-mcp with a Chromium of its own."""
    async with AsyncExitStack() as stack:
        folder = tempfile.TemporaryDirectory(prefix="tabmux-bench-", ignore_cleanup_errors=True)
        scratch = Path(stack.enter_context(folder))
        endpoint = await stack.enter_async_context(open_chromium(chromium, ALONE))
        command = CHROME_DEVTOOLS.started_with(endpoint.url, cache())
        environment = CHROME_DEVTOOLS.surroundings(scratch)
        started = open_client(command, environment, scratch, scratch / "log")
        client = await stack.enter_async_context(started)
        client.patience = PATIENCE
        await client.initialize()
        yield client


async def compare(tab: BrowserTab, other: Client, url: str, tally: Tally) -> None:
    """Take a snapshot of a page with both."""
    try:
        page = {"pageId": int(_PAGE.findall((await other.call("list_pages", {})).text)[0])}
        await other.call("navigate_page", {**page, "url": url, "timeout": LOAD_MILLISECONDS})
        theirs = (await other.call("take_snapshot", page)).text
    except BenchError:
        tally.count("pages that the peer does not show")
        return
    await tab.load(url)
    tally.count("compared characters", len(await tab.snapshot()))
    tally.count("compared reply characters", len((await tab.call("take_snapshot")).text))
    tally.count("peer's characters", len(theirs))
