"""MiniWoB: small tasks done by page tools only and by ordinary tools, judged by the pages.

The pages are in the package `miniwob` of PyPI, which is downloaded into the user's cache. What
is asked for is solved by rules (`miniwob_oracles.py`), but done only with the tools that are
offered. Every episode is seeded; it counts as done when the page gives its whole reward.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import statistics
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.chromium import find_chromium, open_chromium
from bench.client import Client, open_client
from bench.packages import cache
from bench.pagetools.browser import ALONE
from bench.pagetools.driving.driver import Driver
from bench.pagetools.driving.ordinary_driver import OrdinaryDriver
from bench.pagetools.driving.page_tool_driver import PageToolDriver
from bench.pagetools.folder import open_folder
from bench.pagetools.miniwob_oracles import ORACLES, Episode
from bench.pagetools.output import say
from bench.probe import Probe, ProbeTab, open_probe
from bench.processes import stop_on
from bench.servers import TABMUX
from bench.trouble import BenchError

PACKAGE = "miniwob==1.1.0"
PAGES = "miniwob/html"
# Kept aside for judging, with their variants.
HELD_OUT = (
    "book-flight", "email-inbox", "search-engine", "order-food", "social-media", "buy-ticket",
)  # fmt: skip
EPISODES = 5
SETTLE_SECONDS = 2.0
WAYS: Mapping[str, type[Driver]] = {"page tools": PageToolDriver, "ordinary": OrdinaryDriver}
START = """Math.seedrandom({seed}); core.EPISODE_MAX_TIME = 1e6; core.startEpisodeReal();
core.getUtterance()"""
REWARD = "WOB_DONE_GLOBAL ? WOB_RAW_REWARD_GLOBAL : null"


@dataclass(frozen=True)
class Attempt:
    """What became of one episode."""

    done: bool
    calls: int
    characters: int
    trouble: str = ""


def pages(folder: Path) -> list[str]:
    """Return the names of the pages that may be opened."""
    names = sorted(each.stem for each in (folder / PAGES / "miniwob").glob("*.html"))
    return [name for name in names if not name.startswith(HELD_OUT)]


def material() -> Path:
    """Return the folder of the unpacked package, downloaded at the first time."""
    place = cache() / "pagetools"
    folder = place / PACKAGE.replace("==", "-")
    if not folder.exists():
        _unpack(place, folder)
    return folder


def _unpack(place: Path, folder: Path) -> None:
    command = (*(sys.executable, "-m", "pip", "download", "--quiet"), *("--no-deps", PACKAGE))
    done = subprocess.run(
        [*command, "--dest", str(place)], capture_output=True, text=True, check=False
    )
    wheel = next(place.glob(f"{PACKAGE.replace('==', '-')}-*.whl"), None)
    if wheel is None:
        raise BenchError(f"pip could not download {PACKAGE}: {done.stderr[-300:]}")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)


@dataclass
class Runner:
    """A tabmux at a Chromium, and the served pages."""

    client: Client
    probe: Probe
    origin: str
    folder: Path

    async def attempt(self, name: str, way: str, seed: int) -> Attempt:
        """Do one episode in a tab of its own."""
        if name.startswith(HELD_OUT):
            raise BenchError(f"{name} is kept aside for judging.")
        url = f"{self.origin}/miniwob/{name}.html?seed={seed}"
        await self.client.call("new_page", {"url": url})
        tab = await self.probe.tab(url)
        try:
            return await self._attempt(tab, name, WAYS[way](self.client), seed)
        finally:
            await tab.close()

    async def _attempt(self, tab: ProbeTab, name: str, driver: Driver, seed: int) -> Attempt:
        utterance = str(await tab.evaluate(START.format(seed=seed)))
        source = (self.folder / PAGES / "miniwob" / f"{name}.html").read_text()
        shared = (self.folder / PAGES / "common" / "ui_utils.js").read_text()
        trouble = ""
        try:
            await ORACLES[name](Episode(utterance, driver, source, shared))
        except (BenchError, LookupError) as error:
            trouble = str(error).replace("\n", " ")[:200]
        reward = await _reward(tab)
        done = reward is not None and reward >= 1
        if not done and not trouble:
            trouble = "no reward" if reward is None else f"reward {reward:g}"
        return Attempt(done, driver.calls, driver.characters, "" if done else trouble)


async def _reward(tab: ProbeTab) -> float | None:
    for _ in range(round(SETTLE_SECONDS / 0.1)):
        reward = await tab.evaluate(REWARD)
        if isinstance(reward, int | float):
            return float(reward)
        await asyncio.sleep(0.1)
    return None


@asynccontextmanager
async def _runner() -> AsyncIterator[Runner]:
    folder = material()
    with tempfile.TemporaryDirectory(prefix="tabmux-bench-", ignore_cleanup_errors=True) as place:
        scratch = Path(place)
        async with (
            open_folder(folder / PAGES) as served,
            open_chromium(find_chromium(), ALONE) as endpoint,
            open_probe(endpoint.websocket) as probe,
        ):
            command = TABMUX.started_with(endpoint.url, scratch)
            log = scratch / "tabmux.log"
            async with open_client(command, TABMUX.surroundings(scratch), scratch, log) as client:
                await client.initialize()
                yield Runner(client, probe, served.origin, folder)


def _row(name: str, way: str, attempts: Sequence[Attempt]) -> str:
    done = [each for each in attempts if each.done]
    calls = f"{statistics.mean(each.calls for each in done):.1f} calls" if done else "-"
    size = f"{statistics.mean(each.characters for each in done):.0f} characters" if done else "-"
    trouble = next((f"; {each.trouble}" for each in attempts if each.trouble), "")
    return f"{name:28} {way:10} {len(done)}/{len(attempts)} {calls:>10} {size:>16}{trouble}"


async def _run(names: Sequence[str], ways: Sequence[str], episodes: int) -> int:
    stop_on(signal.SIGTERM)
    results: dict[str, dict[str, list[Attempt]]] = {way: {} for way in ways}
    async with _runner() as runner:
        for name in names:
            for way in ways:
                attempts = [
                    await runner.attempt(name, way, seed) for seed in range(1, episodes + 1)
                ]
                results[way][name] = attempts
                say(_row(name, way, attempts))
    for way in ways:
        say(_total(way, results))
    return 0


def _total(way: str, results: Mapping[str, Mapping[str, Sequence[Attempt]]]) -> str:
    """Sum up; calls and characters of the pages that every way could do."""
    whole = [name for name, all_of in results[way].items() if all(each.done for each in all_of)]
    everything = [each for all_of in results[way].values() for each in all_of]
    shared = [
        name
        for name in results[way]
        if all(any(each.done for each in other[name]) for other in results.values())
    ]
    done = [each for name in shared for each in results[way][name] if each.done]
    calls = statistics.mean([each.calls for each in done] or [0])
    size = statistics.mean([each.characters for each in done] or [0])
    return (
        f"{way}: {len(whole)} of {len(results[way])} pages always, "
        f"{sum(each.done for each in everything)} of {len(everything)} episodes; "
        f"on {len(shared)} pages that all ways do: {calls:.1f} calls, {size:.0f} characters"
    )


def run(arguments: Sequence[str]) -> int:
    """Do the tasks both ways, and print a row for each page and way."""
    parser = argparse.ArgumentParser(prog="bench.pagetools miniwob", description=__doc__)
    parser.add_argument("--only", default="", help="only pages whose name has this in it")
    parser.add_argument("--way", choices=sorted(WAYS), help="only this way")
    parser.add_argument("--episodes", type=int, default=EPISODES, help="of each page")
    parser.add_argument("--quick", action="store_true", help="one episode of three pages")
    options = parser.parse_args(arguments)
    known = [name for name in pages(material()) if name in ORACLES]
    names = [name for name in known if options.only in name]
    ways = [options.way] if options.way else list(WAYS)
    if options.quick:
        names, options.episodes = ["click-option", "enter-text", "login-user"], 1
    return asyncio.run(_run(names, ways, options.episodes))
