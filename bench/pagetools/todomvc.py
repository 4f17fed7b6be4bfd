"""The same application written many times: every version must yield the same tools."""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bench.packages import cache
from bench.pagetools.browser import open_tab, visit
from bench.pagetools.gold import BASES
from bench.pagetools.output import say
from bench.pagetools.probe import tools_of
from bench.pagetools.states import add_todo, add_todos
from tabmux.errors import TabmuxError
from tabmux.pagetools.model import PageTool
from tabmux.pagetools.names import Names
from tabmux.pagetools.signature import signature

VARIANT_SECONDS = 30.0


def addresses(folder: Path) -> list[str]:
    """Return the pages of the examples that are there built."""
    found = []
    for example in sorted((folder / "examples").iterdir()):
        for name in (
            "dist/index.html",
            "index.html",
            "build/index.html",
            "dist/browser/index.html",
        ):
            if (example / name).exists():
                found.append(f"examples/{example.name}/{name}")
                break
    return found


async def _run(base: str, wanted: Sequence[str]) -> int:
    sets: Counter[tuple[str, ...]] = Counter()
    steady = total = 0
    async with open_tab() as page:
        for address in wanted:
            try:
                async with asyncio.timeout(VARIANT_SECONDS):
                    await visit(page, f"{base}/{address}")
                    await add_todos(page)
                    names = Names()
                    first = _published(await tools_of(page, names))
                    await add_todo(page, "one more")
                    second = _published(await tools_of(page, names))
            except (TabmuxError, TimeoutError) as error:
                say(f"{address}: does not run: {error or 'no field'}")
                continue
            total += 1
            steady += signature(first) == signature(second)
            names_found = tuple(sorted(tool.name for tool in first))
            sets[names_found] += 1
            say(f"{address}: {' '.join(names_found)}")
    most = max(sets.values(), default=0)
    say(f"{most} of {total} alike, {steady} unchanged by one more todo")
    return 0 if most == total == steady else 1


def _published(tools: Sequence[PageTool]) -> list[PageTool]:
    return [tool for tool in tools if tool.rank >= 0][:16]


def run(arguments: Sequence[str]) -> int:
    """Score the versions in a folder that is served."""
    parser = argparse.ArgumentParser(prog="bench.pagetools todomvc", description=__doc__)
    parser.add_argument("--folder", type=Path, default=cache() / "pagetools" / "todomvc")
    parser.add_argument("--base", default=BASES["todomvc"])
    parser.add_argument("--only", default="")
    options = parser.parse_args(arguments)
    wanted = [each for each in addresses(options.folder) if options.only in each]
    return asyncio.run(_run(options.base, wanted))
