"""Records runs of MiniWoB++ tasks, and does them again with the values of other episodes.

`python -m tests.record.miniwob PAGES`: the folder `html` of the package `miniwob`.
"""

from __future__ import annotations

import asyncio
import mimetypes
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from tabmux.record.replay_plan import ReplayPlan
from tabmux.record.run_files import read_run, runs
from tabmux.settings import Settings
from tests.agent import Agent
from tests.record.shop import replayed
from tests.serving import running
from tests.site import Site, _send

RUNS = 20
# What an episode asks for, as the words that a run types or names.
Words = list[str]
Solve = Callable[[Agent, Words], Awaitable[object]]


@dataclass(frozen=True)
class Task:
    """A page of MiniWoB, what its sentence asks for, and how that is done."""

    name: str
    asked: str
    solve: Solve
    case: bool = False


async def _enter(agent: Agent, words: Words) -> None:
    """Fill the text fields in order, and send."""
    fields = re.findall(r"uid=(\S+) (?:textbox|Date|combobox)", agent.seen)
    button = agent.uid("button")
    for uid, word in zip(fields, words, strict=False):
        await agent("fill", uid=uid, value=word)
    await agent("click", uid=button)


async def _twice(agent: Agent, words: Words) -> None:
    await _enter(agent, words * 2)


async def _button(agent: Agent, words: Words) -> None:
    await agent("click", uid=agent.uid(f'button "{words[0]}"'))


async def _tab(agent: Agent, words: Words) -> None:
    await agent("click", uid=agent.uid(f'tab "Tab #{words[0]}"'))


TASKS = [
    Task("enter-text", r'Enter "(.*)" into', _enter),
    Task("enter-text-dynamic", r'Enter "(.*)" into', _enter),
    Task("enter-text-2", r'Type "(.*)" in (all .*) letters', _enter, case=True),
    Task("enter-password", r'password "(.*)" into', _twice),
    Task("login-user", r'username "(.*)" and the password "(.*)" into', _enter),
    Task("choose-list", r"Select (.*) from the list", _enter),
    Task("click-button", r'Click on the "(.*)" button', _button),
    Task("click-tab", r"Click on Tab #(\d)", _tab),
]


async def episode(agent: Agent, url: str, seed: str) -> str:
    """Begin an episode; returns what it asks for."""
    await agent("navigate_page", url=url)
    begin = f"() => {{ core.EPISODE_MAX_TIME = 1e6; Math.seedrandom('{seed}'); core.startEpisodeReal() }}"
    await agent("evaluate_script", function=begin)
    return (await agent.value("core.getUtterance()")).strip('"').replace('\\"', '"')


def words_of(task: Task, sentence: str) -> Words:
    """Read what is asked for."""
    found = re.search(task.asked, sentence)
    assert found, (task.name, sentence)
    words = list(found.groups())
    if task.case:
        text, how = words
        return [text.upper() if "upper" in how else text.lower()]
    return words


async def attempt(site: Site, task: Task, number: int) -> bool:
    """Record one episode and replay it as another; says whether both were solved."""
    url = f"{site.origin}/miniwob/{task.name}.html"
    before, after = f"first-{number}", f"second-{number}"
    folder = Path(tempfile.mkdtemp(prefix="tabmux-miniwob-"))
    settings = Settings(launch=True, headless=True, isolated=True)
    async with running(settings, record_folder=folder) as app:
        async with Agent.joined(app, site, label="recorded") as agent:
            words = words_of(task, await episode(agent, url, before))
            await agent("take_snapshot")
            await task.solve(agent, words)
            solved = float(await agent.value("WOB_RAW_REWARD_GLOBAL"))
        async with Agent.joined(app, site) as agent:
            wanted = words_of(task, await episode(agent, url, after))
        (run,) = [each for each in runs(folder) if each.session == "recorded"]
        plan = ReplayPlan.of(read_run(folder, run.run))
        given, replaced = values(plan, words, wanted), {before: after}
        replaced |= {f'"{old}"': f'"{new}"' for old, new in zip(words, wanted, strict=True)}
        replaced |= {f"#{old}": f"#{new}" for old, new in zip(words, wanted, strict=True)}
        async with Agent.joined(app, site) as agent:
            stopped = await replayed(agent, plan, given=given, replaced=replaced)
            reward = float(await agent.value("WOB_RAW_REWARD_GLOBAL"))
    sys.stdout.write(f"{task.name} {words} as {wanted}: {solved:g}, {reward:g} {stopped or ''}\n")
    sys.stdout.flush()
    return solved > 0 and reward > 0 and stopped is None


def values(plan: ReplayPlan, words: Words, wanted: Words) -> dict[str, str]:
    """Return the values of an episode by the names of the run's parameters."""
    known = dict(zip(words, wanted, strict=True))
    # What is hidden is the password, which is asked for last; each field that takes it has a name.
    return {
        name: wanted[-1] if text is None else known.get(text, text)
        for name, text in plan.parameters.items()
    }


def serve(site: Site, folder: Path) -> None:
    """Serve the pages of MiniWoB."""
    for file in folder.rglob("*"):
        if file.is_file():
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            site.serve(f"/{file.relative_to(folder)}", partial(_answer, file, kind))


def _answer(file: Path, kind: str, handler: BaseHTTPRequestHandler) -> None:
    _send(handler, file.read_bytes(), kind=kind)


async def main(folder: Path) -> int:
    with Site() as site:
        serve(site, folder)
        done = [await attempt(site, TASKS[n % len(TASKS)], n) for n in range(RUNS)]
    sys.stdout.write(f"{sum(done)} of {len(done)} runs replayed with other values\n")
    return 0 if sum(done) >= RUNS - 1 else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(Path(sys.argv[1]))))
