"""Show the tools of an address: `python -m bench.pagetools probe URL…`."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Sequence

from bench.pagetools.browser import open_tab, show, visit
from bench.pagetools.output import say
from tabmux.page.page import Page
from tabmux.pagetools.collect.collector_scripts import collect
from tabmux.pagetools.derive.derivation import derive_tools
from tabmux.pagetools.model import PageTool

FORM = (
    "<title>Made up</title><form><label>Name <input name=name></label><button>Save</button></form>"
)


async def tools_of(page: Page) -> list[PageTool]:
    """Return the tools of the page that a tab shows."""
    reports = [await collect(frame) for frame in page.frames if frame.url != "about:blank"]
    return derive_tools(reports)


async def _show(addresses: Sequence[str]) -> None:
    async with open_tab() as page:
        for url in addresses or [""]:
            await (visit(page, url) if url else show(page, FORM))
            say(f"== {url or 'made-up page'}")
            found = await tools_of(page)
            say(f"{sum(tool.rank < 0 for tool in found)} more are not published")
            for tool in [tool for tool in found if tool.rank >= 0]:
                say(_line(tool))


def _line(tool: PageTool) -> str:
    states = (tool.reads, tool.destroys, tool.repeatable)
    flags = "".join(sign for sign, on in zip("rdi", states, strict=True) if on)
    shown = json.dumps(tool.schema["properties"], ensure_ascii=False)[:240]
    items = len(tool.plan.items)
    return f"{tool.rank:4.0f} {tool.name:28} {flags:3} {items:3} {tool.description[:60]} {shown}"


def run(arguments: Sequence[str]) -> int:
    """Print the tools of each address."""
    parser = argparse.ArgumentParser(prog="bench.pagetools probe", description=__doc__)
    parser.add_argument("url", nargs="*")
    parser.add_argument("--quick", action="store_true", help="a made-up page: a smoke test")
    options = parser.parse_args(arguments)
    if not options.url and not options.quick:
        parser.error("say which address")
    asyncio.run(_show(options.url))
    return 0
