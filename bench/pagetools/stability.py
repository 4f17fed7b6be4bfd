"""Loading a page again, or changing what does not matter, must change no tool."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path

from bench.pagetools.browser import open_tab, show, visit
from bench.pagetools.cost import page_of
from bench.pagetools.output import say
from bench.pagetools.probe import tools_of
from bench.pagetools.states import evaluate
from tabmux.errors import TabmuxError
from tabmux.page.page import Page
from tabmux.pagetools.collect.collector_scripts import wait_until_drawn
from tabmux.pagetools.publishing import signature

# What a page draws late is neither a change nor a reload.
QUIET_MILLISECONDS, LONGEST_MILLISECONDS = 500, 3000
MUTATION = Path(__file__).with_name("irrelevant.js")
# Each tool by its name, with what a client would have to read again.
Look = dict[str, str]


async def _look(page: Page) -> Look:
    tools = [tool for tool in await tools_of(page) if tool.rank >= 0]
    return {tool.name: signature([tool]) for tool in tools}


def _differing(looks: Sequence[Look]) -> list[str]:
    """Return the tools that are not the same each time."""
    names = sorted({name for look in looks for name in look})
    return [name for name in names if len({look.get(name) for look in looks}) > 1]


async def _looks(page: Page, url: str) -> list[Look]:
    """Look at a page, after a change, and both again when it is loaded again."""
    seen: list[Look] = []
    for _ in range(2):
        await (visit(page, url) if url else show(page, page_of(20)))
        await wait_until_drawn(page)
        await page.main.call("quiet", QUIET_MILLISECONDS, LONGEST_MILLISECONDS)
        seen.append(await _look(page))
        await evaluate(page, MUTATION.read_text())
        seen.append(await _look(page))
    return seen


async def _run(urls: Sequence[str]) -> int:
    steady = total = 0
    async with open_tab() as page:
        for url in urls or [""]:
            try:
                differing = _differing(await _looks(page, url))
            except (TabmuxError, TimeoutError) as error:
                say(f"{url}: does not load: {error}")
                continue
            total += 1
            steady += not differing
            found = " ".join(["changes", *differing]) if differing else "steady"
            say(f"{url or 'made-up page'}: {found}")
    say(f"{steady} of {total} steady")
    return 0 if steady == total else 1


def run(arguments: Sequence[str]) -> int:
    """Look at pages twice, and after a change that does not matter."""
    parser = argparse.ArgumentParser(prog="bench.pagetools stability", description=__doc__)
    parser.add_argument("url", nargs="*")
    parser.add_argument("--quick", action="store_true", help="the made-up page: a smoke test")
    options = parser.parse_args(arguments)
    return asyncio.run(_run([] if options.quick else options.url))
