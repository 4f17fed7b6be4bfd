"""Real applications: tasks, gold pages, stability and cost of the tools that are published.

`--install` puts those that are missing into the user's cache, a folder each; Debian packages are
installed by root, and named to others. Each application is started with fresh data on loopback and
ended.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from bench.pagetools.applications.application import (
    Application,
    ApplicationTask,
    GoldPage,
    applications,
    install,
)
from bench.pagetools.applications.gold_score import GoldScore, score
from bench.pagetools.applications.running import RunningApplication, run_application
from bench.pagetools.applications.task_score import TaskResult, do_task
from bench.pagetools.driving.published import PublishedTool, read_listing
from bench.pagetools.output import say
from bench.probe import ProbeTab
from bench.processes import stop_on
from bench.trouble import BenchError

PARTS = ("tasks", "gold", "stability", "cost")
HALVES = ("first", "second", "both")
ROUNDS = 5
# It starts at once.
QUICK = "gitweb"
PageOrTask = TypeVar("PageOrTask", GoldPage, ApplicationTask)
LOOKS = 3
# Resolves after half a second without a change, three seconds at the latest.
AT_REST = """new Promise((done) => {
  let quiet = setTimeout(done, 500);
  setTimeout(done, 3000);
  const again = () => { clearTimeout(quiet); quiet = setTimeout(done, 500); };
  new MutationObserver(again).observe(document, {subtree: true, childList: true, attributes: true});
})"""
MUTATION = Path(__file__).parents[1] / "irrelevant.js"


class Scores:
    """What was found in all applications."""

    def __init__(self) -> None:
        self.tasks: list[TaskResult] = []
        self.gold = GoldScore()
        self.steady: list[bool] = []
        self.milliseconds: list[float] = []
        self.fastest: list[float] = []
        self.characters: list[float] = []

    def say(self) -> None:
        """Print what it comes to."""
        if self.tasks:
            done = [each for each in self.tasks if each.done]
            say(
                f"tasks: {len(done)} of {len(self.tasks)}, "
                f"median {statistics.median([each.calls for each in done] or [0]):g} calls, "
                f"{sum(each.generic > 0 for each in done)} with a generic tool"
            )
        if self.gold.must:
            say(f"gold: {self.gold.row()}")
        if self.steady:
            say(f"stability: {sum(self.steady)} of {len(self.steady)} pages")
        if self.milliseconds:
            spreads = f"{_spread(self.milliseconds)} ms, {_spread(self.characters)} characters"
            say(f"list_page_tools: {spreads}")
            # What else the machine does makes calls slower, and never faster.
            say(f"the fastest of {ROUNDS} calls on each page: {_spread(self.fastest)} ms")


def _spread(values: Sequence[float]) -> str:
    ordered = sorted(values)
    late = ordered[int(0.95 * (len(ordered) - 1))]
    return f"median {statistics.median(ordered):.0f}, p95 {late:.0f}"


async def _tasks(running: RunningApplication, scores: Scores, half: str) -> None:
    for task in _half(running.application.tasks, half):
        result = await do_task(running, task)
        scores.tasks.append(result)
        say(result.row())


async def _gold(running: RunningApplication, scores: Scores, half: str) -> None:
    for page in _half(running.application.pages, half):
        async with running.tab(page.path):
            listing = read_listing((await running.client.call("list_page_tools", {})).text)
        found = score(listing, page.tools)
        say(f"  {page.name}: {found.row()}", *found.notes)
        scores.gold.add(found)


def _half(everything: Sequence[PageOrTask], half: str) -> list[PageOrTask]:
    wanted = {"first": (True,), "second": (False,), "both": (True, False)}[half]
    return [each for each in everything if each.is_first_half in wanted]


async def _stability(running: RunningApplication, scores: Scores, half: str) -> None:
    for page in _half(running.application.pages, half):
        looks = []
        async with running.tab(page.path) as tab:
            for reload in (False, True):
                if reload:
                    await running.client.call("navigate_page", {"type": "reload"})
                await _rest(tab)
                looks.append(await _look(running))
                await tab.evaluate(MUTATION.read_text())
                looks.append(await _look(running))
        differing = sorted(
            {
                name
                for look in looks
                for name in look
                if any(o.get(name) != look[name] for o in looks)
            }
        )
        scores.steady.append(not differing)
        if differing:
            say(f"  {page.name}: changes {', '.join(differing)}")


async def _rest(tab: ProbeTab) -> None:
    """Wait until nothing is drawn any more: what comes late is neither a change nor a reload."""
    for _ in range(LOOKS):
        try:
            await tab.evaluate(AT_REST)
        except BenchError:
            continue  # the document is just being replaced
        return


async def _look(running: RunningApplication) -> dict[str, str]:
    listing = read_listing((await running.client.call("list_page_tools", {})).text)
    return {tool.name: _shape(tool) for tool in listing.tools}


def _shape(tool: PublishedTool) -> str:
    """Return what a client would have to read again."""
    volatile = ("default", "description", "examples")
    about = {
        key: {name: value for name, value in schema.items() if name not in volatile}
        for key, schema in tool.parameters.items()
    }
    return f"{about} {sorted(tool.required)} {tool.destructive}"


async def _cost(running: RunningApplication, scores: Scores, half: str) -> None:
    for page in _half(running.application.pages, half):
        async with running.tab(page.path):
            replies = [await running.client.call("list_page_tools", {}) for _ in range(ROUNDS)]
        taken = [reply.seconds * 1000 for reply in replies]
        scores.milliseconds += taken
        scores.fastest.append(min(taken))
        scores.characters.append(len(replies[-1].text))


async def _run(chosen: Sequence[Application], parts: Sequence[str], half: str) -> int:
    stop_on(signal.SIGTERM)
    scores, trouble = Scores(), False
    for application in chosen:
        if not application.is_installed:
            say(f"{application.name}: not installed; --install puts it into {application.folder}")
            continue
        say(f"{application.name} ({application.language})")
        try:
            async with run_application(application) as running:
                for part in parts:
                    await _part(running, scores, part, half)
        except BenchError as error:
            trouble = True
            say(f"  {error}")
    scores.say()
    return 1 if trouble else 0


async def _part(running: RunningApplication, scores: Scores, part: str, half: str) -> None:
    if part == "tasks":
        await _tasks(running, scores, half)
    elif part == "gold":
        await _gold(running, scores, half)
    elif part == "stability":
        await _stability(running, scores, half)
    else:
        await _cost(running, scores, half)


async def _install(chosen: Sequence[Application]) -> int:
    trouble = False
    for application in chosen:
        if application.is_installed:
            continue
        say(f"{application.name} …")
        try:
            await install(application)
        except BenchError as error:
            trouble = True
            say(f"  {error}")
    return 1 if trouble else 0


def run(arguments: Sequence[str]) -> int:
    """Start the applications one after the other, and score what their pages publish."""
    parser = argparse.ArgumentParser(prog="bench.pagetools applications", description=__doc__)
    parser.add_argument("--install", action="store_true", help="install what is missing, no more")
    parser.add_argument("--only", default="", help="names of applications, with commas")
    parser.add_argument("--parts", default="tasks,gold", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--half", choices=HALVES, default="first", help="of tasks and gold pages")
    parser.add_argument(
        "--quick", action="store_true", help=f"the gold pages of {QUICK}: a smoke test"
    )
    options = parser.parse_args(arguments)
    names = options.only.split(",") if options.only else []
    chosen = [each for each in applications() if not names or each.name in names]
    if options.install:
        return asyncio.run(_install(chosen))
    parts = options.parts.split(",")
    if unknown := [part for part in parts if part not in PARTS]:
        raise BenchError(f"There is no {unknown[0]}; say {', '.join(PARTS)}.")
    if options.quick:
        chosen, parts = [each for each in chosen if each.name == QUICK], ["gold"]
    return asyncio.run(_run(chosen, parts, options.half))
