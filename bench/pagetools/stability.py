"""Loading a page again, or changing what does not matter, must change no tool."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence

from bench.pagetools.browser import open_tab, show, visit
from bench.pagetools.cost import page_of
from bench.pagetools.output import say
from bench.pagetools.probe import tools_of
from bench.pagetools.states import evaluate
from tabmux.page.page import Page
from tabmux.pagetools.names import Names
from tabmux.pagetools.signature import signature

# A ticking clock, a new class, a note: nothing that a user could do anything with.
MUTATION = """document.body.classList.add("seen-" + Date.now());
  const clock = document.createElement("p"); clock.textContent = new Date().toISOString();
  document.body.append(clock); document.body.prepend(document.createElement("div"));"""


async def _signature(page: Page, names: Names) -> str:
    return signature(tool for tool in await tools_of(page, names) if tool.rank >= 0)


async def _run(urls: Sequence[str]) -> int:
    steady = total = 0
    async with open_tab() as page:
        for url in urls or [""]:
            seen = []
            for _ in range(2):  # loaded twice, with names forgotten in between
                names = Names()
                await (visit(page, url) if url else show(page, page_of(20)))
                seen.append(await _signature(page, names))
                await evaluate(page, MUTATION)
                seen.append(await _signature(page, names))
            total += 1
            steady += len(set(seen)) == 1
            say(f"{url or 'made-up page'}: {'steady' if len(set(seen)) == 1 else 'changes'}")
    say(f"{steady} of {total} steady")
    return 0 if steady == total else 1


def run(arguments: Sequence[str]) -> int:
    """Look at pages twice, and after a change that does not matter."""
    parser = argparse.ArgumentParser(prog="bench.pagetools stability", description=__doc__)
    parser.add_argument("url", nargs="*")
    return asyncio.run(_run(parser.parse_args(arguments).url))
