"""Task score: tasks of users, done with the published tools of pages and nothing else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass

from bench.pagetools.applications.application import ApplicationTask, Step
from bench.pagetools.applications.running import RunningApplication
from bench.pagetools.driving.driver import Driver, Field, Value
from bench.pagetools.driving.page_tool_driver import PageToolDriver
from bench.probe import ProbeTab
from bench.trouble import BenchError

SETTLE_SECONDS, READ_SECONDS = 4.0, 20.0
_TEXT = """(async () => {{
  const path = {at};
  if (!path) return document.body.innerText + ' ' +
    [...document.querySelectorAll('input, textarea, select')].map((each) => each.value).join(' ');
  const page = new DOMParser().parseFromString(await (await fetch(path)).text(), 'text/html');
  page.querySelectorAll('script, style').forEach((each) => each.remove());
  const values = [...page.querySelectorAll('input, textarea, option[selected]')];
  return page.body.textContent.replace(/\\s+/g, ' ') + ' ' +
    values.map((each) => each.getAttribute('value') || each.textContent).join(' ');
}})()"""


@dataclass(frozen=True)
class TaskResult:
    """What became of a task."""

    task: ApplicationTask
    done: bool
    calls: int
    characters: int
    generic: int
    used: tuple[str, ...]
    trouble: str = ""

    def row(self) -> str:
        """Return a line of the table."""
        used = " → ".join(self.used)
        ending = "done" if self.done else f"NOT DONE: {self.trouble}"
        return f"  {self.task.goal[:60]:60} {self.calls} calls, {ending} ({used})"


async def do_task(running: RunningApplication, task: ApplicationTask) -> TaskResult:
    """Do a task in a tab of its own, and look for its proof."""
    driver, trouble, done = PageToolDriver(running.client), "", False
    async with running.tab(task.start) as tab:
        try:
            for step, following in zip(task.steps, [*task.steps[1:], {}], strict=True):
                if not await _is_offered_at_once(driver, step, following):
                    await take_step(driver, step)
        except BenchError as error:
            trouble = str(error).replace("\n", " ")[:240]
        done = not trouble and await _is_proved(tab, task.proof)
    return TaskResult(
        task, done, driver.calls, driver.characters, driver.generic, tuple(driver.used),
        trouble or ("" if done else f"no proof; last reply {driver.said[:120]!r}"),
    )  # fmt: skip


async def take_step(driver: Driver, step: Step) -> None:
    """Carry out one step of a task."""
    if "press" in step:
        await driver.press(step["press"], step.get("within", ""))
    else:
        await driver.submit(_values(step), step.get("button", ""))


async def _is_offered_at_once(driver: PageToolDriver, step: Step, following: Step) -> bool:
    """Whether a step only opens what a tool opens, fills and sends in one call."""
    if "press" not in step or "within" in step or "submit" not in following:
        return False
    return await driver.offers(_values(following), following.get("button", ""), step["press"])


def _values(step: Step) -> dict[Field, Value]:
    return {_field(label): value for label, value in step["submit"].items()}


def _field(label: str) -> Field:
    """Return a label, or the number of a field, which JSON can only write as text."""
    return int(label) if label.isdecimal() else label


async def _is_proved(tab: ProbeTab, proof: Mapping[str, str]) -> bool:
    for _ in range(round(SETTLE_SECONDS / 0.2)):
        try:
            async with asyncio.timeout(READ_SECONDS):
                if await _holds(tab, proof):
                    return True
        except TimeoutError:
            return False  # a dialog is open, and nothing can be read
        except BenchError:
            pass  # the document is just being replaced
        await asyncio.sleep(0.2)
    return False


async def _holds(tab: ProbeTab, proof: Mapping[str, str]) -> bool:
    text = str(await tab.evaluate(_TEXT.format(at=json.dumps(proof.get("at", "")))))
    address = str(await tab.evaluate("location.href"))
    return (
        proof.get("shows", "") in text
        and not ("lacks" in proof and proof["lacks"] in text)
        and proof.get("address", "") in address
    )
