"""The same application written many times: every version must yield the same tools.

The folder is one of tastejs/todomvc, or of WebKit/Speedometer (with `--folder`), and has to be
served (at `--base`). Every version is looked at with three todos, with one more, and when one of
them is done; a version is like the others if its tools and their schemas are each time.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from bench.packages import cache
from bench.pagetools.browser import open_tab, require, visit
from bench.pagetools.gold import BASES, PUBLISHED
from bench.pagetools.output import say
from bench.pagetools.probe import tools_of
from bench.pagetools.states import add_todo, add_todos, tick_todo
from bench.trouble import BenchError
from tabmux.errors import TabmuxError
from tabmux.page.page import Page
from tabmux.pagetools.model import PageTool
from tabmux.pagetools.publishing import signature

VARIANT_SECONDS = 30.0
PLACES = ("dist/browser", "dist", "build", ".")
STEPS: dict[str, Callable[[Page], Awaitable[None]]] = {
    "three": add_todos,
    "four": lambda page: add_todo(page, "one more"),
    "done": tick_todo,
}
# The tools after each step, as a client sees them: their names, and what tells two lists apart.
Look = tuple[tuple[str, ...], str]


def addresses(folder: Path) -> list[str]:
    """Return the pages of the versions that are there built, once each."""
    found: dict[Path, dict[int, str]] = {}
    for page in sorted(folder.rglob("index.html")):
        path = page.relative_to(folder)
        for order, place in enumerate(PLACES):
            version = path.parent if place == "." else path.parents[len(Path(place).parts)]
            if version / place / "index.html" == path and _is_version(version):
                found.setdefault(version, {})[order] = str(path)
    return [paths[min(paths)] for _, paths in sorted(found.items())]


def _is_version(path: Path) -> bool:
    return path.parent.name == "examples" or path.parent.name.endswith("-examples")


async def _look(page: Page) -> Look:
    tools = _published(await tools_of(page))
    return tuple(sorted(tool.name for tool in tools)), signature(tools)


async def _forget(page: Page, url: str) -> None:
    """Take away what the version before has stored: some share a name."""
    origin = {"origin": "{0.scheme}://{0.netloc}".format(urlsplit(url)), "storageTypes": "all"}
    await page.channel.call("Storage.clearDataForOrigin", origin)


async def _looks(page: Page, url: str) -> list[Look]:
    looks = []
    async with asyncio.timeout(VARIANT_SECONDS):
        await _forget(page, url)
        await visit(page, url)
        for step in STEPS.values():
            await step(page)
            looks.append(await _look(page))
    return looks


async def _run(base: str, wanted: Sequence[str]) -> int:
    seen: dict[str, list[Look]] = {}
    await require(base, "Serve the folder, and say where with --base.")
    async with open_tab() as page:
        for address in wanted:
            try:
                seen[address] = await _looks(page, f"{base}/{address}")
            except (BenchError, TabmuxError, TimeoutError) as error:
                say(f"{address}: does not run: {error or 'no field'}")
    return _report(seen)


def _report(seen: dict[str, list[Look]]) -> int:
    """Compare versions with those that stand in a page like theirs."""
    alike = 0
    for large in (False, True):
        group = {each: looks for each, looks in seen.items() if ("-complex/" in each) is large}
        alike += _compare(group)
    steady = sum(looks[0][1] == looks[1][1] for looks in seen.values())
    say(f"{alike} of {len(seen)} alike, {steady} unchanged by one more todo")
    return 0 if alike == steady == len(seen) else 1


def _compare(seen: dict[str, list[Look]]) -> int:
    usual = [Counter(looks).most_common(1)[0][0] for looks in zip(*seen.values(), strict=True)]
    for step, (names, _) in zip(STEPS, usual, strict=False):
        say(f"{step}: {' '.join(names)}")
    for address, looks in seen.items():
        for step, look, other in zip(STEPS, looks, usual, strict=True):
            if look != other:
                more = "" if look[0] != other[0] else " (other schemas)"
                say(f"  {address}, {step}: {' '.join(look[0])}{more}")
    return sum(looks == usual for looks in seen.values())


def _published(tools: Sequence[PageTool]) -> list[PageTool]:
    return [tool for tool in tools if tool.rank >= 0][:PUBLISHED]


def run(arguments: Sequence[str]) -> int:
    """Score the versions in a folder that is served."""
    parser = argparse.ArgumentParser(prog="bench.pagetools todomvc", description=__doc__)
    parser.add_argument("--folder", type=Path, default=cache() / "pagetools" / "todomvc")
    parser.add_argument("--base", default=BASES["todomvc"])
    parser.add_argument("--only", default="")
    parser.add_argument("--quick", action="store_true", help="the first version: a smoke test")
    options = parser.parse_args(arguments)
    wanted = [each for each in addresses(options.folder) if options.only in each]
    if not wanted:
        raise BenchError(f"No version is in {options.folder}. Clone tastejs/todomvc there.")
    return asyncio.run(_run(options.base, wanted[:1] if options.quick else wanted))
