"""How long it takes to derive the tools of a page, and how much they say."""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Sequence

from bench.pagetools.browser import open_tab, show, visit
from bench.pagetools.output import say
from bench.pagetools.states import evaluate
from tabmux.daemon.process.server_loop import tune_gc
from tabmux.page.page import Page
from tabmux.pagetools.collect.collector_scripts import collect
from tabmux.pagetools.derive.derivation import derive_tools

ROUNDS = 40
QUICK_ROUNDS = 3
ITEM = (
    '<li class="product"><a href="/p/{0}"><img alt="Product {0}"></a>'
    '<h3><a href="/p/{0}">Product {0}</a></h3><p class="price"><b>{0}</b> <i>EUR</i></p>'
    '<form action="/cart/{0}" method="post"><input type="hidden" name="id">'
    "<button>Add to basket</button></form></li>"
)
MENU = '<li><a href="/c/{0}">Category {0}</a></li>'


def page_of(items: int = 230) -> str:
    """Return a shop's page of about 3,000 elements."""
    menu = "".join(MENU.format(at) for at in range(60))
    entries = "".join(ITEM.format(at) for at in range(items))
    return (
        "<!doctype html><title>Products</title><header><form role=search action=/s>"
        "<input name=q type=search><button>Search</button></form></header>"
        f"<nav><ul>{menu}</ul></nav><main><h1>Products</h1><ul>{entries}</ul>"
        "<a rel=next href='?page=2'>Next</a></main>"
    )


async def measure(page: Page, rounds: int) -> tuple[list[float], list[float], int, int]:
    """Return the milliseconds of collecting and of everything, and how much was found."""
    collecting, all_of_it, found = [], [], []
    for _ in range(rounds):
        start = time.perf_counter()
        reports = [await collect(frame) for frame in page.frames]
        middle = time.perf_counter()
        found = derive_tools(reports)
        end = time.perf_counter()
        collecting.append((middle - start) * 1000)
        all_of_it.append((end - start) * 1000)
    published = [tool for tool in found if tool.rank >= 0][:16]
    size = sum(
        len(json.dumps(tool.schema)) + len(tool.name) + len(tool.description) for tool in published
    )
    return collecting, all_of_it, len(published), size


async def _run(urls: Sequence[str], rounds: int) -> None:
    tune_gc()  # as every server does
    async with open_tab() as page:
        if not urls:
            await show(page, page_of())
            await _report(page, "3,000 elements", rounds)
        for url in urls:
            await visit(page, url)
            await _report(page, url, rounds)


async def _report(page: Page, title: str, rounds: int) -> None:
    elements = await evaluate(page, "document.querySelectorAll('*').length")
    collecting, total, count, size = await measure(page, rounds)
    say(
        f"{title}: {elements} elements, median {statistics.median(total):.1f} ms "
        f"(collecting {statistics.median(collecting):.1f}), "
        f"p95 {sorted(total)[int(0.95 * len(total))]:.1f} ms, {count} tools, {size} characters"
    )


def run(arguments: Sequence[str]) -> int:
    """Measure a made-up page of 3,000 elements, or the pages that are named."""
    parser = argparse.ArgumentParser(prog="bench.pagetools cost", description=__doc__)
    parser.add_argument("url", nargs="*")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--quick", action="store_true", help="three rounds: a smoke test")
    options = parser.parse_args(arguments)
    asyncio.run(_run(options.url, QUICK_ROUNDS if options.quick else options.rounds))
    return 0
